#!/usr/bin/env python3
"""Recall and precision of everyone's pairs against brute force over a sample; run.py calls it in the rivals' environment.

A seeded sample of documents is drawn, and the exact Jaccard similarity of each of them to every document of the corpus is
computed, with numpy and without any signature. The pairs at or above the threshold that a sampled document is in are the
truth. Recall is the share of it that was reported; precision is the share of the reported pairs with a sampled document
that are in it. Each contestant is judged by the shingles that it makes itself: see DEFINITIONS.

Reads a request from standard input and writes the verdicts to standard output, both JSON.
"""

from __future__ import annotations

import base64
import json
import multiprocessing
import os
import random
import re
import sys
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "rivals"))

import numpy as np  # noqa: E402
import regex  # noqa: E402
from common import Corpus  # noqa: E402
from shingling import batches, collapsed_characters, hash_words  # noqa: E402

WHITE_SPACE = re.compile(r"[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
WORD_BOUNDARY = regex.compile(r"(?wV1)\b")
ALPHANUMERIC = re.compile(r"[^\W_]+")
TABLE_BITS = 27


def characters(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    return collapsed_characters([WHITE_SPACE.sub(" ", text).strip(" ") for text in texts])


def unicode_words(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    segments = ([s for s in WORD_BOUNDARY.split(text) if any(map(str.isalnum, s))] for text in texts)
    return hash_words(list(segments))


def spaced_words(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    return hash_words([text.split() for text in texts])


def alphanumeric_words(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    return hash_words([ALPHANUMERIC.findall(text) for text in texts])


def simplified_words(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    from datatrove.utils.text import TextNormConfig, simplify_text

    return hash_words([simplify_text(text, TextNormConfig()).split() for text in texts])


# How a contestant cuts a text into shingles.
DEFINITIONS = {
    "characters": characters,
    "unicode words": unicode_words,
    "spaced words": spaced_words,
    "alphanumeric words": alphanumeric_words,
    "simplified words": simplified_words,
}


class Sample:
    """The shingle sets of the sampled documents, ready to be intersected with any other."""

    def __init__(self, sets: list[np.ndarray], numbers: list[int], threshold: Fraction) -> None:
        self.numbers, self.threshold = np.array(numbers), threshold
        self.sizes = np.array([len(s) for s in sets])
        flat = np.concatenate(sets)
        order = np.argsort(flat, kind="stable")
        owners = np.repeat(np.arange(len(sets)), self.sizes)[order]
        self.hashes, starts = np.unique(flat[order], return_index=True)
        starts = np.append(starts, len(flat))
        # Hashes of the same documents are one class, known by the sum of a random number for each document. Pages of one
        # theme share thousands of hashes with all of the sample, and few classes.
        numbers_of = np.random.default_rng(0).integers(1 << 63, size=len(sets), dtype=np.uint64)
        sums = np.add.reduceat(numbers_of[owners], starts[:-1])
        _, first, self.classes = np.unique(sums, return_index=True, return_inverse=True)
        # Where the documents of each class are listed: as those of its first hash.
        self.owners, self.starts, self.ends = owners, starts[first], starts[first + 1]
        # Whether any sampled hash begins with these bits: rules out most hashes of other documents in one look.
        self.table = np.zeros(1 << TABLE_BITS, dtype=bool)
        self.table[self.hashes >> np.uint64(64 - TABLE_BITS)] = True

    def similar(self, hashes: np.ndarray) -> np.ndarray:
        """The sampled documents with at least the threshold's similarity to a document with these shingles."""
        hits = np.unique(hashes[self.table[hashes >> np.uint64(64 - TABLE_BITS)]])
        places = np.minimum(np.searchsorted(self.hashes, hits), len(self.hashes) - 1)
        places = places[self.hashes[places] == hits]
        classes, weights = np.unique(self.classes[places], return_counts=True)
        counts = self.ends[classes] - self.starts[classes]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        owners = self.owners[np.repeat(self.starts[classes], counts) + within]
        shared = np.bincount(owners, np.repeat(weights, counts), minlength=len(self.sizes)).astype(np.int64)
        above, below = self.threshold.numerator, self.threshold.denominator
        if not (shared * below >= self.sizes * above).any():
            return np.empty(0, dtype=np.int64)
        unions = self.sizes + len(np.unique(hashes)) - shared
        return self.numbers[shared * below >= unions * above]


def hash_chunk(job: tuple) -> list[tuple[int, np.ndarray]]:
    """The shingle sets of the documents of a chunk that are asked for, by their numbers in the chunk."""
    chunk, wanted = job
    corpus, shingles = _corpus, DEFINITIONS[_definition]
    texts = [text for i, (_, text) in enumerate(corpus.read(chunk)) if i in wanted]
    return [(i, np.unique(shingles([text])[0])) for i, text in zip(sorted(wanted), texts)]


def match_chunk(chunk) -> list[tuple[int, np.ndarray]]:
    """For each document of a chunk, by its number in the chunk, the sampled documents similar to it."""
    similar = []
    for numbers, texts in batches(text for _, text in _corpus.read(chunk)):
        hashes, offsets = DEFINITIONS[_definition](texts)
        for number, start, end in zip(numbers, offsets[:-1], offsets[1:]):
            found = _sample.similar(hashes[start:end])
            if len(found):
                similar.append((number, found))
    return similar


def truth(chunks: list, counts: list[int], sampled: list[int], threshold: Fraction, context) -> np.ndarray:
    """The true pairs that a sampled document is in, as `a << 32 | b`."""
    global _sample
    starts = np.cumsum([0, *counts])
    wanted: list[set[int]] = [set() for _ in chunks]
    for number in sampled:
        chunk = int(np.searchsorted(starts, number, side="right")) - 1
        wanted[chunk].add(int(number - starts[chunk]))
    with context.Pool(os.cpu_count()) as pool:
        sets = [s for part in pool.imap(hash_chunk, [job for job in zip(chunks, wanted)]) for _, s in part]
    _sample = Sample(sets, sampled, threshold)
    with context.Pool(os.cpu_count()) as pool:
        pairs = [
            np.minimum(found, start + i).astype(np.uint64) << np.uint64(32)
            | np.maximum(found, start + i).astype(np.uint64)
            for start, part in zip(starts, pool.imap(match_chunk, chunks))
            for i, found in part
        ]
    pairs = np.unique(np.concatenate(pairs)) if pairs else np.empty(0, dtype=np.uint64)
    return pairs[(pairs >> np.uint64(32)) != (pairs & np.uint64(0xFFFFFFFF))]


def printed_names(corpus: Corpus, names: list) -> dict[str, int]:
    """How `dedup` names each document, and its number."""
    if corpus.path.is_dir():
        return {name: number for number, name in enumerate(names)}
    lines: dict[int, int] = {}
    with corpus.path.open("rb") as file:
        place = 0
        for number, line in enumerate(file, start=1):
            lines[place] = number
            place += len(line)
    numbers: dict[str, int] = {}
    for number, (identifier, place) in enumerate(names):
        name = None if identifier is None else str(identifier)
        if name is None or name in numbers:
            name = f"{corpus.path}:{lines[place]}"
        numbers[name] = number
    return numbers


def printed_pairs(path: Path, numbers: dict[str, int]) -> np.ndarray:
    """The pairs in the output of `dedup scan`."""

    def number(name) -> int:
        return numbers[name if isinstance(name, str) else os.fsdecode(base64.b64decode(name["bytes"]))]

    pairs = []
    with path.open("rb") as lines:
        for line in lines:
            pair = json.loads(line)
            a, b = sorted((number(pair["a"]), number(pair["b"])))
            pairs.append(a << 32 | b)
    return np.unique(np.array(pairs, dtype=np.uint64))


def names_of_chunk(chunk) -> list:
    return [name for name, _ in _corpus.read(chunk)]


def main() -> None:
    global _corpus, _definition
    request = json.load(sys.stdin)
    corpus = _corpus = Corpus(Path(request["corpus"]), request["text_field"], request["id_field"])
    context = multiprocessing.get_context("fork")
    chunks = corpus.chunks()
    with context.Pool(os.cpu_count()) as pool:
        names_by_chunk = pool.map(names_of_chunk, chunks)
    counts = [len(names) for names in names_by_chunk]
    names = [name for part in names_by_chunk for name in part]
    sampled = sorted(random.Random(request["seed"]).sample(range(len(names)), min(request["sample"], len(names))))
    in_sample = np.zeros(len(names), dtype=bool)
    in_sample[sampled] = True
    numbers = printed_names(corpus, names)

    truths: dict[str, np.ndarray] = {}
    verdicts = {}
    for contestant in request["contestants"]:
        _definition = contestant["definition"]
        if _definition not in truths:
            truths[_definition] = truth(chunks, counts, sampled, Fraction(request["threshold"]), context)
        true_pairs = truths[_definition]
        path = Path(contestant["pairs"])
        pairs = np.load(path) if path.suffix == ".npy" else printed_pairs(path, numbers)
        judged = pairs[in_sample[pairs >> np.uint64(32)] | in_sample[pairs & np.uint64(0xFFFFFFFF)]]
        right = int(np.isin(judged, true_pairs).sum())
        verdicts[contestant["name"]] = {
            "pairs": len(pairs),
            "sampled_documents": len(sampled),
            "true_pairs": len(true_pairs),
            "judged_pairs": len(judged),
            "recall": right / len(true_pairs) if len(true_pairs) else None,
            "precision": right / len(judged) if len(judged) else None,
        }
    json.dump({"documents": len(names), "verdicts": verdicts}, sys.stdout)


if __name__ == "__main__":
    main()
