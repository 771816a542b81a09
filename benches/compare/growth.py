#!/usr/bin/env python3
"""Measures how the processor time and the candidates of `dedup scan` grow with the documents of each corpus of corpora.py.

    benches/compare/growth.py --corpora DIR                 of all that lie there: 1/16, 1/8, 1/4, 1/2 and all of each
    benches/compare/growth.py --corpora DIR --corpus web    of one

A part of a folder is files that a seeded shuffle puts first, so that it has as many kinds of them as the whole; a part of a
JSON Lines file is its first lines. Each is read once before it is measured. Prints a Markdown table for each corpus.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
from itertools import islice
from pathlib import Path

from corpora import CORPORA, corpora_there, corpus_path
from measure import build, files, memory, run, warm

PARTS = (16, 8, 4, 2, 1)


def part_of(corpus: Path, divisor: int, work: Path) -> list[str]:
    """The arguments that name a part of a corpus."""
    if divisor == 1:
        return [str(corpus)]
    if corpus.is_file():
        with corpus.open("rb") as lines:
            number = sum(1 for _ in lines) // divisor
        part = work / "part.jsonl"
        with corpus.open("rb") as lines, part.open("wb") as out:
            out.writelines(islice(lines, number))
        return [str(part)]
    names = sorted(files(corpus))
    random.Random(7).shuffle(names)
    listed = work / "part.txt"
    listed.write_bytes(b"\0".join(name.encode(errors="surrogateescape") for name in names[: len(names) // divisor]))
    return ["--files-from", str(listed), "--null"]


def measure(dedup: Path, arguments: list[str], work: Path, runs: int) -> dict:
    """The summary of a scan, with the median of its processor times."""
    summary, times = work / "summary.json", []
    command = [str(dedup), "scan", *arguments, "--signature", "fast", "--quiet", "--summary", str(summary)]
    for _ in range(runs):
        outcome = run(command, Path("/dev/null"), work / "log", 3600, memory())
        # 3: an input could not be used, such as a table without a text.
        if outcome.status != "ok" and not outcome.status.startswith("failed (3)"):
            sys.exit(f"{command}: {outcome.status}")
        times.append(outcome.cpu)
    return json.loads(summary.read_text()) | {"cpu": statistics.median(times)}


def table(name: str, rows: list[dict]) -> str:
    lines = [
        f"| {name}: documents | MB | Candidates | a document | Pairs | CPU, s | ns a byte |",
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for row in rows:
        documents, megabytes, candidates = row["documents"], row["bytes"] / 1e6, row["candidates"]
        lines.append(
            f"| {documents:,} | {megabytes:,.0f} | {candidates:,} | {candidates / max(documents, 1):.1f} "
            f"| {row['pairs']:,} | {row['cpu']:.2f} | {1000 * row['cpu'] / max(megabytes, 1e-9):.1f} |"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--corpora", type=Path, required=True, metavar="DIR", help="where corpora.py has built them")
    parser.add_argument("--corpus", nargs="+", choices=CORPORA, metavar="NAME", help="default: all that lie there")
    parser.add_argument("--runs", type=int, default=3, help="of each part; the median is shown; default 3")
    parser.add_argument("--dedup", type=Path, help="the program to run, instead of building it")
    args = parser.parse_args()
    args.dedup = args.dedup or build()
    there = corpora_there(args.corpora, args.corpus)
    for name in there:
        corpus = corpus_path(args.corpora, name)
        warm(corpus)
        with tempfile.TemporaryDirectory(prefix="dedup-growth-") as folder:
            work = Path(folder)
            rows = [measure(args.dedup, part_of(corpus, part, work), work, args.runs) for part in PARTS]
        print(table(name, rows), end="\n\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
