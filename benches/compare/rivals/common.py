"""What the adapters share: reading the documents, signing them in all processes, writing the pairs.

All of it is on the side of the rivals: a library that only signs gets the fastest shingler (shingling.py) and the fastest
band join (joining.py) that we could write around it in Python, on all cores. A document is known by its number among those that are not empty.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import orjson
from shingling import CHARACTERS, WORDS, batches, characters, collapse, words

THRESHOLD, SEED = 0.8, 42
SHINGLE_SIZE = {"char": CHARACTERS, "word": WORDS}
SHINGLERS = {"char": characters, "word": words}
FILES_A_CHUNK, BYTES_A_CHUNK = 256, 1 << 21

# A file's path, or a record's id, if it has one, and the place of its line in bytes.
Name = str | tuple[object, int]
# Signs documents: the shingle hashes of all, one after another, and where each document's begin (one more at the end)
# -> one row of values a document.
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


def sign_corpus(corpus: Corpus, mode: str, sign: Signer) -> np.ndarray:
    """The signatures of all documents: chunks are read, shingled and signed by one process a core."""
    global _task
    _task = (corpus, SHINGLERS[mode], sign)  # inherited by fork
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        return np.concatenate([rows for rows in pool.imap(_sign_chunk, corpus.chunks()) if rows is not None])


def _sign_chunk(chunk) -> np.ndarray | None:
    corpus, shingles, sign = _task
    numbers: list[int] = []
    rows = []
    for members, texts in batches(text for _, text in corpus.read(chunk)):
        numbers += members
        rows.append(sign(*shingles(texts)))
    if not rows:
        return None
    signatures = np.concatenate(rows)
    ordered = np.empty_like(signatures)
    ordered[numbers] = signatures
    return ordered


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
