#!/usr/bin/env python3
"""Measures which share of each stage of `dedup scan` one thread does while the others wait.

    benches/compare/serial.py --corpora DIR                 of all corpora of corpora.py that lie there
    benches/compare/serial.py --corpora DIR --corpus web    of one

The kernel says how long each thread has run; that is read every few milliseconds, and the summary says when each stage ended. A
stage that takes W seconds on N threads and C seconds of processor time has left N W - C seconds unused, so that a part of it of
(N W - C) / (N - 1) seconds ran on one thread (Amdahl 1967). What the machine takes away from the threads counts as if it were
serial, so let it be quiet. Each corpus is read once before it is measured. Prints a Markdown table; medians.
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

from corpora import CORPORA, corpus_path
from measure import build, warm

STAGES = ("read", "band", "verify")
INTERVAL = 0.004
CORES = 64


def processor_time(process: int, threads: dict[str, int]) -> float:
    """Seconds that all threads of a process have run, those that have ended included as far as they were seen."""
    try:
        for task in Path(f"/proc/{process}/task").iterdir():
            threads[task.name] = int((task / "schedstat").read_text().split()[0])
    except (OSError, IndexError):
        pass
    return sum(threads.values()) / 1e9


def measure(command: list[str], summary: Path) -> list[tuple[float, float]]:
    """Wall and processor time of each stage, and of the whole run."""
    threads: dict[str, int] = {}
    samples = [(0.0, 0.0)]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        used = processor_time(process.pid, threads)
        samples.append((time.perf_counter() - start, used))
        time.sleep(INTERVAL)
    # 3: an input could not be used, such as a table without a text.
    if process.returncode not in (0, 3):
        sys.exit(f"{command}: exit {process.returncode}")
    seconds = json.loads(summary.read_text())["seconds"]
    ends = [sum(seconds[stage] for stage in STAGES[: number + 1]) for number in range(len(STAGES))]
    used = [0.0, *(max(used for at, used in samples if at <= max(end, INTERVAL)) for end in ends)]
    stages = [(seconds[stage], used[number + 1] - used[number]) for number, stage in enumerate(STAGES)]
    return [*stages, (sum(wall for wall, _ in stages), sum(cpu for _, cpu in stages))]


def serial_share(wall: float, cpu: float, threads: int) -> float:
    """The share of the work of one thread that only one thread does."""
    serial = (threads * wall - cpu) / (threads - 1)
    return min(max(serial, 0.0) / cpu, 1.0) if cpu > 0 else 0.0


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
    there = [name for name in args.corpus or CORPORA if corpus_path(args.corpora, name).exists()]
    if not there:
        sys.exit(f"no corpus lies in {args.corpora}; build them: benches/compare/corpora.py --out {args.corpora}")
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
