"""What the adapters share: reading the documents, shingling them with numpy, finding equal bands, writing the pairs.

All of it is on the side of the rivals: a library that only signs gets the fastest shingler and the fastest band join that
we could write around it in Python, on both cores. A document is known by its number among those that are not empty.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import orjson

HASHES, BANDS, ROWS, THRESHOLD = 100, 20, 5, 0.8
SEED = 42
SHINGLE_SIZE = {"char": 9, "word": 5}
FILES_A_CHUNK, BYTES_A_CHUNK = 256, 1 << 21
# The arrays made of so many characters stay in the cache, and calls cost little beside them.
CHARACTERS_A_BATCH = 1 << 15

# A file's path, or a record's id, if it has one, and the place of its line in bytes.
Name = str | tuple[object, int]
# Signs documents: the shingle hashes of all, one after another, and where each document's begin (one more at the end)
# -> one row of HASHES values a document.
Signer = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Corpus:
    """A folder of text files, or a JSON Lines file whose records have their text in `text_field`."""

    path: Path
    text_field: str = "text"
    id_field: str = "id"

    def chunks(self) -> list:
        """The corpus cut into pieces, in document order, which `read` takes."""
        if self.path.is_dir():
            files = list(self._files(os.fsencode(self.path)))
            return [files[i : i + FILES_A_CHUNK] for i in range(0, len(files), FILES_A_CHUNK)]
        size = self.path.stat().st_size
        return [(start, min(start + BYTES_A_CHUNK, size)) for start in range(0, size, BYTES_A_CHUNK)]

    def _files(self, folder: bytes) -> Iterator[bytes]:
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.name.startswith(b"."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    yield from self._files(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    yield entry.path

    def read(self, chunk) -> Iterator[tuple[Name, str]]:
        """The names and texts of a chunk's documents; what `dedup` skips is skipped."""
        named = self._read_files(chunk) if isinstance(chunk, list) else self._read_lines(*chunk)
        return ((name, text) for name, text in named if text and not text.isspace())

    def _read_files(self, files: list[bytes]) -> Iterator[tuple[str, str]]:
        for path in files:
            with open(path, "rb", buffering=0) as file:
                data = file.read()
            if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
                encoding = "utf-16"
            elif data.find(b"\0", 0, 8192) >= 0:
                continue
            else:
                encoding = "utf-8-sig" if data[:3] == b"\xef\xbb\xbf" else "utf-8"
            try:
                yield os.fsdecode(path), data.decode(encoding)
            except UnicodeDecodeError:
                continue

    def _read_lines(self, start: int, end: int) -> Iterator[tuple[Name, str]]:
        with self.path.open("rb", buffering=1 << 20) as file:
            # A line belongs to the chunk that its first byte is in.
            if start:
                file.seek(start - 1)
                file.readline()
            place = file.tell()
            while place < end and (line := file.readline()):
                try:
                    record = orjson.loads(line)
                    yield (record.get(self.id_field), place), record[self.text_field]
                except (orjson.JSONDecodeError, KeyError, AttributeError):
                    pass
                place += len(line)

    def texts(self) -> Iterator[str]:
        """All texts in document order, with white space collapsed."""
        return (collapse(text) for chunk in self.chunks() for _, text in self.read(chunk))


def collapse(text: str) -> str:
    return " ".join(text.split())


# Odd constants without structure (from the digits of pi).
_MIX = np.array(
    [0x243F6A8885A308D3, 0xA4093822299F31D1, 0x452821E638D01377, 0x3F84D5B5B5470917, 0x9216D5D98979FB1B,
     0xB8E1AFED6A267E97], dtype=np.uint64)  # fmt: skip


def _finish(hashes: np.ndarray) -> np.ndarray:
    hashes ^= hashes >> np.uint64(32)
    hashes *= _MIX[-1]
    hashes ^= hashes >> np.uint64(29)
    return hashes


def _eight(values: np.ndarray, base: np.uint64) -> np.ndarray:
    """At each place, the polynomial in `base` of the eight values from there: of pairs, of pairs of those, and again."""
    base = np.array([base])  # arrays wrap around in silence
    for step in (1, 2, 4):
        values = values[:-step] + values[step:] * base
        base = base * base
    return values


def character_shingles(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """64-bit hashes of the 9-character shingles of collapsed texts, which are all ASCII or all not, and their offsets.

    All texts are hashed as one, in a few passes over flat arrays.
    """
    size = SHINGLE_SIZE["char"]
    texts = [text if len(text) >= size else text.ljust(size, "\0") for text in texts]
    joined = "".join(texts)
    if joined.isascii():
        data = np.frombuffer(joined.encode("ascii"), dtype=np.uint8)
        windows = len(data) - size + 1
        # Eight bytes at each place as one integer, and the ninth.
        hashes = np.ndarray(windows, dtype="<u8", buffer=data, strides=(1,)) * _MIX[0]
        hashes += data[size - 1 :] * _MIX[1]
    else:
        data = np.frombuffer(joined.encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
        windows = len(data) - size + 1
        # The same number as above for a shingle that is ASCII, and the higher bits of the characters mixed in.
        low, high = data & np.uint64(255), data >> np.uint64(8)
        hashes = _eight(low, np.uint64(256))[:windows] * _MIX[0] + low[size - 1 :] * _MIX[1]
        hashes += _eight(high, _MIX[2])[:windows] + high[size - 1 :] * _MIX[3]
    return _within(_finish(hashes), np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)), size)


def _within(hashes: np.ndarray, lengths: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """The hashes of windows over documents of these lengths, and the documents' offsets.

    A window across two documents becomes a repetition of the first document's first shingle, which changes no set. That
    is cheaper than taking it out.
    """
    starts = np.cumsum(lengths) - lengths
    for place in range(1, size):
        hashes[starts[1:] - place] = hashes[starts[:-1]]
    offsets = np.append(starts, len(hashes))
    return hashes, offsets.astype(np.uint64)


def word_shingles(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """64-bit hashes of the shingles of 5 words between spaces, and their offsets."""
    return hash_words([text.split() for text in texts])


def hash_words(words: list[list[str]]) -> tuple[np.ndarray, np.ndarray]:
    """64-bit hashes of the shingles of 5 words of each document, and their offsets."""
    size = SHINGLE_SIZE["word"]
    # A text of fewer words is one shingle: it is filled up with what is no word.
    words = [w if len(w) >= size else w + [""] * (size - len(w)) for w in words]
    lengths = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
    # Python's own hash of a string is 64 bits, in C; run.py fixes PYTHONHASHSEED for all processes.
    data = np.fromiter(map(hash, chain.from_iterable(words)), dtype=np.int64, count=int(lengths.sum())).view(np.uint64)
    windows = len(data) - size + 1
    hashes = np.zeros(windows, dtype=np.uint64)
    for place in range(size):
        hashes += data[place : place + windows] * _MIX[place]
    return _within(_finish(hashes), lengths, size)


SHINGLERS = {"char": character_shingles, "word": word_shingles}


def batches(texts: Iterator[str]) -> Iterator[tuple[list[int], list[str]]]:
    """The texts in batches, ASCII and other texts apart, with their numbers."""
    open_batches: dict[bool, tuple[list[int], list[str]]] = {True: ([], []), False: ([], [])}
    sizes = {True: 0, False: 0}
    for number, text in enumerate(texts):
        ascii = text.isascii()
        numbers, members = open_batches[ascii]
        numbers.append(number)
        members.append(text)
        sizes[ascii] += len(text)
        if sizes[ascii] >= CHARACTERS_A_BATCH:
            yield numbers, members
            open_batches[ascii], sizes[ascii] = ([], []), 0
    yield from (batch for batch in open_batches.values() if batch[0])


def sign_corpus(corpus: Corpus, mode: str, sign: Signer) -> np.ndarray:
    """The signatures of all documents: chunks are read, shingled and signed by one process a core."""
    global _task
    _task = (corpus, SHINGLERS[mode], sign)  # inherited by fork
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        return np.concatenate(list(pool.imap(_sign_chunk, corpus.chunks())))


def _sign_chunk(chunk) -> np.ndarray:
    corpus, shingles, sign = _task
    numbers: list[int] = []
    rows = []
    for members, texts in batches(collapse(text) for _, text in corpus.read(chunk)):
        numbers += members
        rows.append(sign(*shingles(texts)))
    if not rows:
        return np.empty((0, HASHES), dtype=np.uint32)
    signatures = np.concatenate(rows)
    ordered = np.empty_like(signatures)
    ordered[numbers] = signatures
    return ordered


def pairs_of_buckets(members: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """All pairs within buckets, `a << 32 | b` with a < b; bucket i is `members[starts[i]:starts[i + 1]]`."""
    ends = np.repeat(starts[1:], np.diff(starts))
    partners = ends - np.arange(len(members)) - 1
    first = np.repeat(np.arange(len(members)), partners)
    offsets = np.arange(len(first)) - np.repeat(np.cumsum(partners) - partners, partners)
    a, b = members[first], members[first + 1 + offsets]
    return (np.minimum(a, b).astype(np.uint64) << np.uint64(32)) | np.maximum(a, b).astype(np.uint64)


def equal_bands(signatures: np.ndarray) -> np.ndarray:
    """The pairs with an equal band, each once: per band the documents are sorted by a hash of their rows."""
    found: list[np.ndarray] = []
    waiting = 0
    for band in range(BANDS):
        keys = np.zeros(len(signatures), dtype=np.uint64)
        for row in range(ROWS):
            keys = _finish((keys + signatures[:, band * ROWS + row]) * _MIX[row])
        order = np.argsort(keys)
        keys = keys[order]
        starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1], [True])))
        # Buckets of one are most of them, and make no pairs.
        sizes = np.diff(starts)
        shared = sizes > 1
        members = order[np.repeat(shared, sizes)]
        found.append(pairs_of_buckets(members, np.concatenate(([0], np.cumsum(sizes[shared])))))
        waiting += len(found[-1])
        if waiting > 20_000_000:
            found, waiting = [distinct(np.concatenate(found))], 0
    return distinct(np.concatenate(found))


def distinct(pairs: np.ndarray) -> np.ndarray:
    """The pairs sorted, each once: a plain sort is vectorised, and twenty times as fast as `np.unique`."""
    pairs = np.sort(pairs)
    keep = np.ones(len(pairs), dtype=bool)
    keep[1:] = pairs[1:] != pairs[:-1]
    return pairs[keep]


def pairs_of_neighbours(neighbours: list[list[int]]) -> np.ndarray:
    """The pairs of documents and what was found for each of them, each once."""
    counts = np.fromiter(map(len, neighbours), dtype=np.int64, count=len(neighbours))
    flat = np.fromiter(chain.from_iterable(neighbours), dtype=np.int64, count=int(counts.sum()))
    return pairs_of_rows(flat, counts)


def pairs_of_rows(flat: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """As `pairs_of_neighbours`, of all neighbours one after another and how many each document has."""
    a, b = np.repeat(np.arange(len(counts)), counts).astype(np.uint64), flat.astype(np.uint64)
    later = a < b
    return distinct((a[later] << np.uint64(32)) | b[later])


def main(find: Callable[[Corpus, str], np.ndarray]) -> None:
    """Runs an adapter: `ADAPTER.py CORPUS OUT --mode MODE`; the pairs go to OUT as one array."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--mode", choices=SHINGLERS, default="char")
    parser.add_argument("--text-field", default="text")
    arguments = parser.parse_args()
    pairs = find(Corpus(arguments.corpus, arguments.text_field), arguments.mode)
    np.save(arguments.out, pairs)
