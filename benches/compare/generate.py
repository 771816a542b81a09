#!/usr/bin/env python3
"""Writes a corpus of near-duplicates: the same bytes for the same arguments, on any machine, with any number of cores.

    generate.py OUT [--documents N | --megabytes M] [--kind files|records] [--format folder|jsonl] [--seed S]
                    [--identical N] [--alike N]

Words follow Zipf's law, lengths are log-normal (a median of 4.5 KB and a mean of 6 KB for files, 400 bytes for
records), and three documents in ten carry one of a few dozen headers and footers that they share with strangers. About
a fifth of the documents are copies: every member of a family is made of the same original, which it resembles with a
similarity near one of LEVELS, by words changed here and there or by a whole passage replaced, or cut off where that
would be too much; check_families.py measures how near. `--identical` and `--alike` put one large family more among the others: of one text, or of copies at
a similarity of 0.98.

Every text is made from its own random stream, so nothing but the plan is held in memory. Standard library only.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random

# Jaccard similarities of character shingles that copies are aimed at, relative to the original of their family.
LEVELS = [1.0, 1.0, 0.98, 0.95, 0.95, 0.92, 0.9, 0.87, 0.85, 0.83, 0.81, 0.79, 0.77, 0.7, 0.6, 0.5]
ALIKE = 0.98
VOCABULARY = 60_000
# Tokens are drawn from a table of so many, where each stands as often as it is likely.
TABLE_BITS = 18
SHINGLE_SIZE = 9
# For each kind: the median length in bytes, the sigma of its logarithm, the words of a header or footer.
KINDS = {"files": (4500, 0.8, 90), "records": (360, 0.45, 9)}
DOCUMENTS_A_FOLDER = 1000


class Language:
    """A vocabulary with Zipf-like frequencies; a token is a word with the white space or punctuation after it."""

    def __init__(self, seed: int) -> None:
        random = Random(f"{seed}/vocabulary")
        syllables = [c + v + e for c in "bcdfghklmnprstvwz" for v in "aeiou" for e in ("", "", "", "n", "r", "s", "l")]
        words: dict[str, None] = {}
        while len(words) < VOCABULARY:
            # Frequent words are short, as in any language.
            syllable_count = 1 + min(3, int(random.random() * math.log10(10 + len(words))))
            words["".join(random.choices(syllables, k=syllable_count))] = None
        tokens, weights = [], []
        for rank, word in enumerate(words, start=1):
            for ending, share in ((" ", 0.86), (", ", 0.06), (". ", 0.06), (".\n", 0.02)):
                tokens.append(word + ending)
                weights.append(share / (rank + 2.7))
        cumulative = list(accumulate(weights))
        step = cumulative[-1] / (1 << TABLE_BITS)
        self.table = [tokens[bisect_left(cumulative, (i + 0.5) * step)] for i in range(1 << TABLE_BITS)]
        self.mean_length = sum(map(len, self.table)) / len(self.table)

    def draw(self, random: Random, count: int) -> list[str]:
        # Three times as fast as random.choices, which looks for each token in the cumulative weights.
        numbers, table = array("I", random.randbytes(4 * count)), self.table
        return [table[number >> (32 - TABLE_BITS)] for number in numbers]


@dataclass(frozen=True)
class Recipe:
    """All that the text of a document depends on, besides its family and its similarity to the family's original."""

    kind: str
    seed: int
    language: Language

    def original(self, family: int) -> list[str]:
        """The tokens of a family's original."""
        median, sigma, boilerplate_words = KINDS[self.kind]
        random = Random(f"{self.seed}/original/{family}")
        length = median * math.exp(random.gauss(0.0, sigma))
        tokens = self.language.draw(random, max(12, round(length / self.language.mean_length)))
        if random.random() < 0.3:
            # A few dozen are shared by all, the first ones far more often than the last.
            shared = Random(f"{self.seed}/boilerplate/{int(36 * random.random() ** 2)}")
            boilerplate = self.language.draw(shared, boilerplate_words)
            tokens = boilerplate + tokens if shared.random() < 0.5 else tokens + boilerplate
        return tokens

    def copy(self, tokens: list[str], similarity: float, random: Random) -> list[str]:
        """`tokens`, changed so that about `similarity` is left."""
        # With a share f of the shingles replaced, the similarity is (1 - f) / (1 + f).
        changed = (1 - similarity) / (1 + similarity)
        if changed * len(tokens) * self.language.mean_length < self.shingles_a_word:
            # One other word would be too much: the end is cut off.
            return tokens[: len(tokens) - max(1, round((1 - similarity) * len(tokens)))]
        if random.random() < 0.5:
            return self.words_changed(tokens, changed, random)
        return self.passage_replaced(tokens, changed, random)

    @property
    def shingles_a_word(self) -> float:
        """How many shingles touch a word."""
        return self.language.mean_length + SHINGLE_SIZE - 1

    def words_changed(self, tokens: list[str], changed: float, random: Random) -> list[str]:
        # A shingle stays when all the words stay that it touches, so many on average.
        words_a_shingle = self.shingles_a_word / self.language.mean_length
        count = round((1 - (1 - changed) ** (1 / words_a_shingle)) * len(tokens))
        places = random.sample(range(len(tokens)), max(1, count))
        tokens = list(tokens)
        for place, token in zip(places, self.language.draw(random, len(places))):
            tokens[place] = token
        return tokens

    def passage_replaced(self, tokens: list[str], changed: float, random: Random) -> list[str]:
        # The shingles across its two ends change with it.
        count = max(1, round(changed * len(tokens) - (SHINGLE_SIZE - 1) / self.language.mean_length))
        start = random.randrange(len(tokens) - count + 1)
        return tokens[:start] + self.language.draw(random, count) + tokens[start + count :]

    def text(self, number: int, family: int, similarity: float) -> str:
        tokens = self.original(family)
        if similarity < 1:
            tokens = self.copy(tokens, similarity, Random(f"{self.seed}/copy/{number}"))
        return "".join(tokens)


def plan(documents: int, seed: int, identical: int = 0, alike: int = 0) -> list[tuple[int, float]]:
    """The family and the similarity to its original of every document; families are scattered over the corpus."""
    random = Random(f"{seed}/plan")
    specs: list[tuple[int, float]] = []
    family = 0
    while len(specs) < documents:
        specs.append((family, 1.0))
        # One family in ten has copies, mostly one or two, now and then a dozen.
        if random.random() < 0.1:
            copies = min(12, 1 + int(random.expovariate(0.6)))
            specs.extend((family, random.choice(LEVELS)) for _ in range(copies))
        family += 1
    del specs[documents:]
    specs.extend([(family, 1.0)] * identical)
    specs.extend([(family + 1, ALIKE)] * alike)
    random.shuffle(specs)
    return specs


@dataclass(frozen=True)
class Writer:
    """Writes documents, a folder's worth at a time, in any process."""

    out: Path
    is_folder: bool
    recipe: Recipe

    def part(self, job: tuple[int, list[tuple[int, float]]]) -> tuple[int, bytes]:
        """The number of bytes of the texts from the first of these numbers on; and their lines, unless they are files."""
        first, specs = job
        texts = [self.recipe.text(number, *spec) for number, spec in enumerate(specs, start=first)]
        size = sum(map(len, texts))
        if self.is_folder:
            folder = self.out / f"{first // DOCUMENTS_A_FOLDER:05}"
            folder.mkdir(parents=True)
            for number, text in enumerate(texts, start=first):
                (folder / f"{number:08}.txt").write_bytes(text.encode())
            return size, b""
        lines = (json.dumps({"id": f"d{n:08}", "text": text}) + "\n" for n, text in enumerate(texts, start=first))
        return size, "".join(lines).encode()


def write(writer: Writer, specs: list[tuple[int, float]]) -> int:
    """Writes the corpus and returns its size in bytes of text."""
    starts = range(0, len(specs), DOCUMENTS_A_FOLDER)
    jobs = ((start, specs[start : start + DOCUMENTS_A_FOLDER]) for start in starts)
    size = 0
    for part_size, lines in parts(writer, jobs, len(starts)):
        size += part_size
        if lines:
            with writer.out.open("ab") as file:
                file.write(lines)
    return size


def parts(writer: Writer, jobs: Iterator, count: int) -> Iterator[tuple[int, bytes]]:
    if count == 1:
        yield from map(writer.part, jobs)
        return
    # Forked, so that the language is made once.
    with multiprocessing.get_context("fork").Pool(os.cpu_count(), initializer=_enter, initargs=(writer,)) as pool:
        yield from pool.imap(_part, jobs)


def _enter(writer: Writer) -> None:
    global _writer
    _writer = writer


def _part(job: tuple) -> tuple[int, bytes]:
    return _writer.part(job)


def documents_for(megabytes: float, kind: str) -> int:
    """How many documents make `megabytes`, about."""
    median, sigma, boilerplate_words = KINDS[kind]
    mean = median * math.exp(sigma * sigma / 2) + 0.3 * boilerplate_words * 7
    return max(1, round(megabytes * 1e6 / mean))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path, help="the folder or JSON Lines file to write; must not exist")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--documents", type=int, default=10_000)
    size.add_argument("--megabytes", type=float, help="about so many bytes instead of a number of documents")
    parser.add_argument("--kind", choices=KINDS, default="files", help="what lengths are like")
    parser.add_argument("--format", choices=("folder", "jsonl"), default="folder")
    parser.add_argument("--identical", type=int, default=0, help="so many documents more, all of one text")
    parser.add_argument("--alike", type=int, default=0, help="so many documents more, all much like one text")
    parser.add_argument("--seed", type=int, default=42)
    arguments = parser.parse_args()
    if arguments.out.exists():
        parser.error(f"{arguments.out} exists already")
    documents = arguments.documents
    if arguments.megabytes:
        documents = documents_for(arguments.megabytes, arguments.kind)
    specs = plan(documents, arguments.seed, arguments.identical, arguments.alike)
    recipe = Recipe(arguments.kind, arguments.seed, Language(arguments.seed))
    written = write(Writer(arguments.out, arguments.format == "folder", recipe), specs)
    print(f"{len(specs)} documents, {written / 1e6:.1f} MB in {arguments.out}")


if __name__ == "__main__":
    main()
