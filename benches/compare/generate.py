#!/usr/bin/env python3
"""Writes a corpus of near-duplicates: the same bytes for the same arguments, on any machine.

    generate.py OUT [--documents N | --megabytes M] [--kind files|records] [--format folder|jsonl] [--seed S]

Words follow Zipf's law, lengths are log-normal (a median of 4.5 KB and a mean of 6 KB for files, 400 bytes for
records), and three documents in ten carry one of a few dozen headers and footers that they share with strangers. About
a fifth of the documents are copies: every member of a family is made of the same original, which it resembles with a
similarity near one of LEVELS, by words changed here and there or by a whole passage replaced.

Every text is made from its own random stream, so nothing but the plan is held in memory. Standard library only.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from random import Random

# Jaccard similarities of character shingles that copies are aimed at, relative to the original of their family.
LEVELS = [1.0, 1.0, 0.98, 0.95, 0.95, 0.92, 0.9, 0.87, 0.85, 0.83, 0.81, 0.79, 0.77, 0.7, 0.6, 0.5]
VOCABULARY = 60_000
SHINGLE_SIZE = 9
# For each kind: the median length in bytes, the sigma of its logarithm, the words of a header or footer.
KINDS = {"files": (4500, 0.8, 90), "records": (360, 0.45, 9)}


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
        self.tokens: list[str] = []
        weights: list[float] = []
        for rank, word in enumerate(words, start=1):
            for ending, share in ((" ", 0.86), (", ", 0.06), (". ", 0.06), (".\n", 0.02)):
                self.tokens.append(word + ending)
                weights.append(share / (rank + 2.7))
        self.cumulative = list(accumulate(weights))
        self.mean_length = sum(len(t) * w for t, w in zip(self.tokens, weights)) / self.cumulative[-1]

    def draw(self, random: Random, count: int) -> list[str]:
        return random.choices(self.tokens, cum_weights=self.cumulative, k=count)


def original(language: Language, kind: str, seed: int, family: int) -> list[str]:
    """The tokens of a family's original."""
    median, sigma, boilerplate_words = KINDS[kind]
    random = Random(f"{seed}/original/{family}")
    length = median * math.exp(random.gauss(0.0, sigma))
    tokens = language.draw(random, max(12, round(length / language.mean_length)))
    if random.random() < 0.3:
        # A few dozen are shared by all, the first ones far more often than the last.
        shared = Random(f"{seed}/boilerplate/{int(36 * random.random() ** 2)}")
        boilerplate = language.draw(shared, boilerplate_words)
        tokens = boilerplate + tokens if shared.random() < 0.5 else tokens + boilerplate
    return tokens


def copy(language: Language, tokens: list[str], similarity: float, random: Random) -> list[str]:
    """`tokens`, changed so that about `similarity` is left."""
    if similarity == 1.0:
        return tokens
    # With a share f of the shingles replaced, the similarity is (1 - f) / (1 + f).
    changed = (1 - similarity) / (1 + similarity)
    tokens = list(tokens)
    if random.random() < 0.5:
        # A changed word takes with it the shingles that touch it.
        shingles_a_word = language.mean_length + SHINGLE_SIZE - 1
        count = round(changed * len(tokens) * language.mean_length / shingles_a_word)
        places = random.sample(range(len(tokens)), max(1, count))
        for place, token in zip(places, language.draw(random, len(places))):
            tokens[place] = token
    else:
        count = max(1, round(changed * len(tokens)))
        start = random.randrange(len(tokens) - count + 1)
        tokens[start : start + count] = language.draw(random, count)
    return tokens


def plan(documents: int, seed: int) -> Iterator[tuple[int, float]]:
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
    random.shuffle(specs)
    return iter(specs)


def texts(documents: int, kind: str, seed: int) -> Iterator[str]:
    language = Language(seed)
    for number, (family, similarity) in enumerate(plan(documents, seed)):
        tokens = original(language, kind, seed, family)
        yield "".join(copy(language, tokens, similarity, Random(f"{seed}/copy/{number}")))


def write(out: Path, documents: int, kind: str, file_format: str, seed: int) -> int:
    """Writes the corpus and returns its size in bytes of text."""
    size = 0
    if file_format == "jsonl":
        with out.open("w", encoding="utf-8", newline="\n") as lines:
            for number, text in enumerate(texts(documents, kind, seed)):
                lines.write(json.dumps({"id": f"d{number:08}", "text": text}) + "\n")
                size += len(text)
        return size
    for number, text in enumerate(texts(documents, kind, seed)):
        folder = out / f"{number // 1000:05}"
        if number % 1000 == 0:
            folder.mkdir(parents=True)
        (folder / f"{number:08}.txt").write_bytes(text.encode())
        size += len(text)
    return size


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
    parser.add_argument("--seed", type=int, default=42)
    arguments = parser.parse_args()
    if arguments.out.exists():
        parser.error(f"{arguments.out} exists already")
    documents = arguments.documents
    if arguments.megabytes:
        documents = documents_for(arguments.megabytes, arguments.kind)
    written = write(arguments.out, documents, arguments.kind, arguments.format, arguments.seed)
    print(f"{documents} documents, {written / 1e6:.1f} MB in {arguments.out}")


if __name__ == "__main__":
    main()
