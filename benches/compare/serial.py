#!/usr/bin/env python3
"""Measures which share of each stage of `dedup scan` one thread does while the others wait.

    benches/compare/serial.py --corpora DIR                 of all corpora of corpora.py that lie there
    benches/compare/serial.py --corpora DIR --corpus web    of one

Every few milliseconds the kernel is asked how many threads of the process can run, whether or not the machine lets them, and the
summary says when each stage ended. A stage in which one thread alone could run for S of W seconds, and N threads otherwise, has a
serial share of S / (S + N (W - S)) of its work (Amdahl 1967). Each corpus is read once before it is measured. Prints a
Markdown table; medians.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from corpora import CORPORA, corpora_there, corpus_path
from measure import build, warm

STAGES = ("read", "band", "verify")
INTERVAL = 0.002
CORES = 64


def runnable(process: int) -> int:
    """How many threads of a process can run."""
    number = 0
    for task in Path(f"/proc/{process}/task").iterdir():
        try:
            # The name of a thread is in brackets, and may hold anything.
            number += (task / "stat").read_text().rpartition(")")[2].split()[0] == "R"
        except OSError:
            pass
    return number


def measure(command: list[str], summary: Path) -> list[tuple[float, float]]:
    """The seconds of each stage and of the whole run, and those of them in which one thread alone could run."""
    samples = []
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        try:
            samples.append((time.perf_counter() - start, runnable(process.pid)))
        except OSError:
            break
        time.sleep(INTERVAL)
    # 3: an input could not be used, such as a table without a text.
    if process.wait() not in (0, 3):
        sys.exit(f"{command}: exit {process.returncode}")
    seconds = json.loads(summary.read_text())["seconds"]
    stages, end = [], 0.0
    for stage in STAGES:
        begin, end = end, end + seconds[stage]
        of_stage = [number for at, number in samples if begin <= at < end]
        lone = sum(number < 2 for number in of_stage) / max(len(of_stage), 1)
        stages.append((seconds[stage], lone * seconds[stage]))
    return [*stages, (sum(wall for wall, _ in stages), sum(lone for _, lone in stages))]


def serial_share(wall: float, lone: float, threads: int) -> float:
    """The share of the work that one thread alone does."""
    return lone / (lone + threads * (wall - lone)) if wall > 0 else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--corpora", type=Path, required=True, metavar="DIR", help="where corpora.py has built them")
    parser.add_argument("--corpus", nargs="+", choices=CORPORA, metavar="NAME", help="default: all that lie there")
    parser.add_argument("--signature", default="fast", choices=("fast", "classic"))
    parser.add_argument("--threads", type=int, default=2, help="at least 2, no more than there are cores; default 2")
    parser.add_argument("--runs", type=int, default=5, help="of each corpus; default 5")
    parser.add_argument("--dedup", type=Path, help="the program to run, instead of building it")
    args = parser.parse_args()
    args.dedup = args.dedup or build()
    there = corpora_there(args.corpora, args.corpus)
    columns = [*STAGES, "all"]
    print("| Corpus | " + " | ".join(f"{name}, s | serial" for name in columns) + f" | × on {CORES} cores |")
    print("| --- |" + " ---: | ---: |" * len(columns) + " ---: |")
    for name in there:
        corpus = corpus_path(args.corpora, name)
        warm(corpus)
        with tempfile.TemporaryDirectory(prefix="dedup-serial-") as folder:
            summary = Path(folder) / "summary.json"
            command = [str(args.dedup), "scan", str(corpus), "--signature", args.signature]
            command += ["--threads", str(args.threads), "--quiet", "--summary", str(summary)]
            runs = [measure(command, summary) for _ in range(args.runs)]
        cells = []
        for stage in range(len(columns)):
            walls = [run[stage][0] for run in runs]
            shares = [serial_share(*run[stage], args.threads) for run in runs]
            cells.append(f"{statistics.median(walls):.2f} | {100 * statistics.median(shares):.1f} %")
        share = statistics.median(serial_share(*run[-1], args.threads) for run in runs)
        print(f"| {name} | " + " | ".join(cells) + f" | {1 / (share + (1 - share) / CORES):.1f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
