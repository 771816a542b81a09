#!/usr/bin/env python3
"""Measures what `dedup scan` takes longer when the system has nothing of a corpus in its memory, in readings of the corpus.

    benches/compare/cold.py --corpora DIR                 of all corpora of corpora.py that lie there
    benches/compare/cold.py --corpora DIR --corpus web    of one

`cold` runs begin with nothing in the page cache. In `forgetful` ones another process throws the files out again and again
while the run goes on, so that its second pass finds little of what the first one read, as in a corpus much larger than the memory.
A reading is `cat` of all files, two at a time, with nothing in the cache. Prints a Markdown table; medians. Needs Linux, which
throws out of its cache what `posix_fadvise` names when it is not being written.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from corpora import CORPORA, corpora_there, corpus_path
from measure import build, files, reading_command, warm

# Seconds between two times at which the files are thrown out.
PAUSE = 0.05


def forget(paths: list[str]) -> None:
    """Throws files out of the page cache."""
    for path in paths:
        file = os.open(path, os.O_RDONLY)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)


def keep_forgetting(paths: list[str]) -> None:
    while True:
        forget(paths)
        # Of one large file also what is about to be read would be thrown out.
        time.sleep(PAUSE)


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    status = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode
    # 3: an input could not be used, such as a table without a text.
    if status not in (0, 3):
        sys.exit(f"{command}: exit {status}")
    return time.perf_counter() - start


def measure(scan: list[str], corpus: Path, paths: list[str]) -> tuple[float, float, float, float]:
    """Seconds of a reading, and of a warm, a cold and a forgetful run."""
    forget(paths)
    reading = seconds(reading_command(corpus))
    warm(corpus)
    warm_run = seconds(scan)
    forget(paths)
    cold_run = seconds(scan)
    forgetting = multiprocessing.Process(target=keep_forgetting, args=(paths,), daemon=True)
    forget(paths)
    forgetting.start()
    forgetful_run = seconds(scan)
    forgetting.kill()
    forgetting.join()
    return reading, warm_run, cold_run, forgetful_run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--corpora", type=Path, required=True, metavar="DIR", help="where corpora.py has built them")
    parser.add_argument("--corpus", nargs="+", choices=CORPORA, metavar="NAME", help="default: all that lie there")
    parser.add_argument("--signature", default="fast", choices=("fast", "classic"))
    parser.add_argument("--runs", type=int, default=3, help="of each kind; default 3")
    parser.add_argument("--dedup", type=Path, help="the program to run, instead of building it")
    args = parser.parse_args()
    args.dedup = args.dedup or build()
    there = corpora_there(args.corpora, args.corpus)
    # What was just built is not yet on the disk, and stays in the cache until it is.
    os.sync()
    print("| Corpus | reading, s | warm, s | cold, s | readings more | forgetful, s | readings more |")
    print("| --- |" + " ---: |" * 6)
    for name in there:
        corpus = corpus_path(args.corpora, name)
        paths = list(files(corpus))
        scan = [str(args.dedup), "scan", str(corpus), "--signature", args.signature, "--quiet"]
        runs = [measure(scan, corpus, paths) for _ in range(args.runs)]
        reading, warm_run, cold_run, forgetful_run = (statistics.median(of_kind) for of_kind in zip(*runs))
        more = [statistics.median((run[kind] - run[1]) / run[0] for run in runs) for kind in (2, 3)]
        print(
            f"| {name} | {reading:.2f} | {warm_run:.2f} | {cold_run:.2f} | {more[0]:.1f} | {forgetful_run:.2f} | {more[1]:.1f} |",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
