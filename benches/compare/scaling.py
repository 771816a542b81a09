#!/usr/bin/env python3
"""Measures how the time and the memory of `dedup scan --signature fast` grow, and draws it.

    benches/compare/scaling.py                 folders of 10 MB to 2 GB, 10 thousand to 2 million records, crowded corpora
    benches/compare/scaling.py --folder PATH   and how a folder of yours compares with reading it
    benches/compare/scaling.py --share 0.01    the same on corpora of a hundredth of their size
    benches/compare/scaling.py --tiny          a five-hundredth, once, as a check that nothing here has rotted
    benches/compare/scaling.py --draw          the picture and the tables again, from the figures of the last run

Corpora are made by generate.py, read once so that they lie in the page cache, scanned with one and with two threads, and
deleted. Leaves scaling.json, scaling.md and scaling.svg beside this file, or in the folder that --out names. Needs Python
3.11 or later, its standard library alone, and a Rust toolchain.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from xml.etree import ElementTree

from measure import Outcome, build, files, machine, memory, reading_command, run, say, warm
from scaling_report import markdown, picture

HERE = Path(__file__).resolve().parent
THREADS = (1, 2)
BANDS = 20
VALUES = 100
MEGABYTES, DOCUMENTS = (10, 30, 100, 300, 1000, 2000), (10_000, 30_000, 100_000, 300_000, 1_000_000, 2_000_000)
# Of the crowded corpora: all others, and how many are equal or alike.
OTHERS, IDENTICAL, ALIKE = 50_000, 100_000, 3_000
TINY = 0.002
# The corpus of so many megabytes is compared with reading it: tens of thousands of files.
READ_MEGABYTES = 300


@dataclass
class Measured:
    """One corpus scanned with so many threads: medians over the runs, in seconds and bytes, and all wall times."""

    corpus: str
    documents: int
    bytes: int
    threads: int
    wall: float
    cpu: float
    peak: int
    formula: int
    candidates: int
    pairs: int
    exact_copies: int
    walls: list[float]


class Bench:
    """Runs what is measured, `runs` times each."""

    def __init__(self, dedup: Path, work: Path, runs: int) -> None:
        self.dedup, self.work, self.runs = dedup, work, runs

    def generate(self, name: str, *flags: str) -> Path:
        corpus = self.work / name
        subprocess.run([sys.executable, str(HERE / "generate.py"), str(corpus), *flags], check=True, stdout=sys.stderr)
        warm(corpus)
        return corpus

    def scan(self, corpus: Path, threads: int, *flags: str) -> Measured:
        summary_file = self.work / "summary.json"
        command = [str(self.dedup), "scan", str(corpus), "--signature", "fast", "--quiet", *flags]
        outcomes = self.outcomes([*command, "--threads", str(threads), "--summary", str(summary_file)])
        summary = json.loads(summary_file.read_text())
        walls = [outcome.wall for outcome in outcomes]
        measured = Measured(
            corpus=corpus.name,
            threads=threads,
            wall=statistics.median(walls),
            cpu=statistics.median(outcome.cpu for outcome in outcomes),
            peak=max(outcome.peak for outcome in outcomes),
            formula=memory_by_formula(summary, name_bytes(corpus), threads, records=not corpus.is_dir()),
            walls=walls,
            **{key: summary[key] for key in ("documents", "bytes", "candidates", "pairs", "exact_copies")},
        )
        say(f"{corpus.name}, {threads} threads: {measured.wall:.2f} s, {measured.peak / 1e6:.0f} MB")
        return measured

    def outcomes(self, command: list[str]) -> list[Outcome]:
        log = self.work / "log"
        outcomes = [run(command, Path("/dev/null"), log, 3600, int(memory() / 2)) for _ in range(self.runs)]
        # With 3 a scan is complete but for files that cannot be read, which cat reads as well.
        for status in (outcome.status for outcome in outcomes):
            if status != "ok" and not status.startswith("failed (3)"):
                sys.exit(f"{shlex.join(command)}: {status}")
        return outcomes

    def reading(self, folder: Path, name: str) -> dict:
        """How long `dedup` takes for a folder, and how long the machine takes to read it."""
        read = statistics.median(outcome.wall for outcome in self.outcomes(reading_command(folder)))
        sizes = [os.path.getsize(file) for file in files(folder)]
        say(f"{name}: read in {read:.2f} s")
        return {
            "folder": name,
            "files": len(sizes),
            "bytes": sum(sizes),
            "read": read,
            "scan": self.scan(folder, 2).wall,
        }


def name_bytes(corpus: Path) -> int:
    """The length of a document's name: its path as it is given, or its id."""
    return len(str(corpus)) + len("/00000/00000000.txt") if corpus.is_dir() else len("d00000000")


def memory_by_formula(summary: dict, name: int, threads: int, records: bool) -> int:
    """The handbook's formula in bytes: the tables of all documents, the sets that the run says it held, and candidates."""
    sharing = 8 * BANDS + 12
    a_document = 2 * BANDS + VALUES // 2 + 22 + name + 6 * min(threads, 4) + (6 + 34 if records else 0) + sharing
    at_hand = min(summary["candidates"], 1 << 19)
    return PROGRAM + summary["documents"] * a_document + summary["memory"]["sets"] + 64 * at_hand


# The program itself and the buffers of its threads: 23 MB with three documents, and 23.5 to 26.8 MB more than the sets and tables with
# 626 documents, in 20 runs with one and two threads. The tables of a small corpus are far below the difference between two runs.
PROGRAM = 28 << 20


def by_bytes(bench: Bench, share: float) -> Iterator[tuple[list[Measured], dict | None]]:
    for megabytes in MEGABYTES:
        size = f"{megabytes * share:g}"
        folder = bench.generate(f"{size} MB in files", "--megabytes", size)
        reading = bench.reading(folder, folder.name) if megabytes == READ_MEGABYTES else None
        yield [bench.scan(folder, threads) for threads in THREADS], reading
        delete(folder)


def by_documents(bench: Bench, share: float) -> Iterator[Measured]:
    for documents in DOCUMENTS:
        count = round(documents * share)
        flags = ["--documents", str(count), "--kind", "records", "--format", "jsonl"]
        file = bench.generate(f"{count} records.jsonl", *flags)
        yield from (bench.scan(file, threads) for threads in THREADS)
        delete(file)


def crowded(bench: Bench, others: int, identical: int, alike: int) -> Iterator[Measured]:
    """Many equal and many like documents among others, after the others alone."""
    flags = ["--documents", str(others), "--format", "jsonl"]
    for name, family, scan_flags in (
        (f"{others} others", [], []),
        (f"{others} others and {identical} of one text", ["--identical", str(identical)], ["--collapse-exact"]),
        (f"{others} others and {alike} near-identical", ["--alike", str(alike)], []),
    ):
        file = bench.generate(f"{name}.jsonl", *flags, *family)
        yield bench.scan(file, 2, *scan_flags)
        delete(file)


def delete(corpus: Path) -> None:
    subprocess.run(["rm", "-r", str(corpus)], check=True)


def measure(args, work: Path) -> dict:
    bench = Bench(args.dedup or build(), work, args.runs)
    crowd = [round(count * args.share) for count in (OTHERS, IDENTICAL, ALIKE)]
    readings, folders = [], []
    for measured, reading in by_bytes(bench, args.share):
        folders += measured
        readings += [reading] if reading else []
    if args.folder:
        warm(args.folder)
        readings.append(bench.reading(args.folder, args.folder.name))
    return machine() | {
        "command": shlex.join(["benches/compare/scaling.py", *args.shown]),
        "runs": args.runs,
        "bytes": [asdict(measured) for measured in folders],
        "documents": [asdict(measured) for measured in by_documents(bench, args.share)],
        "crowded": [asdict(measured) for measured in crowded(bench, *crowd)],
        "family_sizes": crowd[1:],
        "reading": readings,
    }


def complaints(results: dict, drawn: str) -> Iterator[str]:
    """What is wrong with a run; no time is looked at."""
    identical, alike = results["family_sizes"]
    _, with_identical, with_alike = results["crowded"]
    if min(with_identical["pairs"], with_identical["exact_copies"]) < identical - 1:
        yield f"of {identical} equal texts only {with_identical['exact_copies']} are copies"
    if with_alike["pairs"] < alike * (alike - 1) // 2:
        yield f"{alike} near-identical documents make only {with_alike['pairs']} pairs"
    for measured in results["bytes"] + results["documents"] + results["crowded"]:
        if measured["peak"] > measured["formula"]:
            yield f"{measured['corpus']}: {measured['peak']} bytes at the peak, {measured['formula']} by the formula"
    ElementTree.fromstring(drawn)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=3, help="runs of each; the medians are taken; default 3")
    parser.add_argument("--folder", type=Path, help="also compare scanning this folder with reading it")
    parser.add_argument("--out", type=Path, help="where the figures and the picture go; default: beside this file")
    parser.add_argument("--work", type=Path, help="where corpora are made; up to 3 GB; default: the temporary folder")
    parser.add_argument("--dedup", type=Path, help="the program to run, instead of building it")
    parser.add_argument("--share", type=float, default=1, help="make every corpus so many times its size; default 1")
    parser.add_argument("--tiny", action="store_true", help="a share of 0.002, once")
    parser.add_argument("--draw", action="store_true", help="only draw the last figures again")
    args = parser.parse_args()
    given = {"--tiny": args.tiny or None, "--share": args.share, "--runs": args.runs, "--folder": args.folder}
    args.shown = [
        word
        for flag, value in given.items()
        if value is not None and value != parser.get_default(flag[2:])
        for word in ([flag] if value is True else [flag, str(value)])
    ]
    if args.tiny:
        args.share, args.runs = TINY, 1
    return args


def main() -> int:
    args = parse()
    with tempfile.TemporaryDirectory(prefix="dedup-scaling-", dir=args.work) as work:
        # What is tiny says nothing about speed, and must not take the place of what does.
        out = args.out or (Path(work) if args.tiny else HERE)
        figures = out / "scaling.json"
        if args.draw:
            results = json.loads(figures.read_text())
        else:
            results = measure(args, Path(work))
            out.mkdir(parents=True, exist_ok=True)
            figures.write_text(json.dumps(results, indent=2) + "\n")
        drawn = picture(results)
        (out / "scaling.svg").write_text(drawn)
        (out / "scaling.md").write_text(markdown(results))
    print(markdown(results))
    problems = list(complaints(results, drawn))
    for problem in problems:
        say(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
