#!/usr/bin/env python3
"""Measures what generate.py promises: how similar copies are to their original, how long texts are, what strangers share.

    check_families.py [--families N]

Exact Jaccard similarities of sets of 9-character shingles, in plain Python. Exit code 1 when a promise is broken.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterator
from random import Random

from generate import KINDS, LEVELS, SHINGLE_SIZE, Language, Recipe, documents_for

SEED = 42
# How far the mean of a level's similarities may lie from it: what is put in shares a shingle with the rest by chance.
MEAN_OFF = 0.02
# And how far eight in ten of them may: a record has some seventy words, and no fraction of one can be changed.
MOST_OFF = {"files": 0.05, "records": 0.08}
# Strangers share a header or footer and common words.
STRANGERS = 0.3


def shingles(text: str) -> set[str]:
    text = " ".join(text.split())
    return {text[i : i + SHINGLE_SIZE] for i in range(max(1, len(text) - SHINGLE_SIZE + 1))}


def jaccard(a: set[str], b: set[str]) -> float:
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared)


def check(kind: str, families: int, language: Language) -> Iterator[str]:
    """What is wrong with a kind of documents; prints what was measured."""
    recipe = Recipe(kind, SEED, language)
    originals = [recipe.original(family) for family in range(families)]
    texts = ["".join(tokens) for tokens in originals]
    print(f"{kind}: median of {statistics.median(map(len, texts)):,.0f} bytes, mean {statistics.mean(map(len, texts)):,.0f}")
    print("  aimed at     mean  a tenth below  a tenth above")
    sets = [shingles(text) for text in texts]
    for level in sorted(set(LEVELS), reverse=True):
        measured = sorted(
            jaccard(original, shingles(recipe.text(families + family, family, level)))
            for family, original in enumerate(sets)
        )
        mean, low, high = statistics.mean(measured), measured[families // 10], measured[-1 - families // 10]
        print(f"  {level:8.2f} {mean:8.4f} {low:14.4f} {high:14.4f}")
        if abs(mean - level) > MEAN_OFF or max(level - low, high - level) > MOST_OFF[kind]:
            yield f"{kind}: copies meant to be at {level} are at {mean:.3f}, a tenth below {low:.3f}, a tenth above {high:.3f}"
    random = Random(SEED)
    nearest = max(jaccard(*random.sample(sets, 2)) for _ in range(20 * families))
    print(f"  strangers: {nearest:.4f} at most")
    if nearest > STRANGERS:
        yield f"{kind}: strangers are at {nearest:.3f}"
    expected = families / documents_for(1, kind) * 1e6
    if not 0.8 < sum(map(len, texts)) / expected < 1.25:
        yield f"{kind}: {families} texts have {sum(map(len, texts)):,} bytes instead of about {expected:,.0f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--families", type=int, default=200, help="originals of each kind; default 200")
    families = parser.parse_args().families
    language = Language(SEED)
    problems = [problem for kind in KINDS for problem in check(kind, families, language)]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
