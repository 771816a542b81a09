#!/usr/bin/env python3
"""Counts the instructions of kernels and of whole runs with callgrind, and compares them with counts.json.

    benches/counts/run.py                    compares; exit code 1 when a count grew by more than 2 %
    benches/counts/run.py --record           writes the counts of this machine to counts.json, after an intended change
    benches/counts/run.py --dedup FILE       also the size of this program, as packages contain it
    benches/counts/run.py --first-build      also the processor seconds of a first build, in an empty folder

Times depend on the machine and what else it does; instructions do not. The kernels are those of benches/stages/counts.rs, and the runs
are those of the program with one thread on generated texts. CI builds both for its tests anyway, without the optimisation of packages.
Everything that varies is fixed: seeds, names of files, the environment, and the processor, since callgrind emulates one with AVX2 and
without AVX-512. What remains, such as the seeds of hash tables of the standard library, changes less than 0.1 %.

Another compiler or another C library makes other instructions, so counts are only reported when these differ from those in the file.
Size, crates and processor seconds never fail.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent
RECORDED = Path(__file__).resolve().parent / "counts.json"
# The growth that fails.
LIMIT = 0.02
# What is recorded, and never fails.
OTHERS = ("bytes of the program", "crates in Cargo.lock", "processor seconds of a first build")
SCAN = ["scan", "--quiet", "--threads", "1"]
# Shingles longer than any text, and one hash function: only reading remains.
ONLY_READ = ["--k", "1000000", "--bands", "1", "--rows", "1"]
RUNS = {
    "read/json_lines": [*SCAN, *ONLY_READ, "records.jsonl"],
    "read/html": [*SCAN, *ONLY_READ, "pages"],
    "run/scan": [*SCAN, "texts"],
    "run/passages": [*SCAN, "--match", "passages", "texts"],
    "run/unique_cut": ["unique", "--quiet", "--threads", "1", "--cut", "passages:20", "--output", "cut.jsonl", "records.jsonl"],
}


class Author:
    """Writes texts by a linear congruential generator, which no version of Python changes."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, limit: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (self.state >> 33) * limit >> 31

    def words(self, number: int) -> list[str]:
        """Words of two to eight letters; the first ones of the alphabet are frequent."""
        letters = "etaoinshrdlucmfw"
        return ["".join(letters[min(self.below(16), self.below(16))] for _ in range(2 + self.below(7))) for _ in range(number)]


def write_corpora(folder: Path) -> None:
    """200 texts of about 300 words, of which every fourth one is an edited copy of the one before: as files, pages and records."""
    author = Author(42)
    words: list[str] = []
    lines = []
    for name in ("texts", "pages"):
        (folder / name).mkdir()
    for number in range(200):
        if number % 4 == 3:
            words[100:103] = author.words(3)
        else:
            words = author.words(200 + author.below(200))
        sentences = [" ".join(words[start : start + 12]) for start in range(0, len(words), 12)]
        text = ".\n".join(sentences)
        (folder / f"texts/{number:03}.txt").write_text(text)
        paragraphs = "\n".join(f'<p class="text">{sentence} &amp; &#233;t&eacute; <b>{sentence[:9]}</b>.</p>' for sentence in sentences)
        page = f"<!DOCTYPE html><html><head><title>{number}</title><script>let a = '<p>';</script></head><body>{paragraphs}</body></html>\n"
        (folder / f"pages/{number:03}.html").write_text(page)
        lines.append(json.dumps({"id": number, "text": text + " “é”", "tags": ["a", {"b": None}]}) + "\n")
    (folder / "records.jsonl").write_text("".join(lines))


def built() -> dict[str, Path]:
    """Builds the program and its benchmarks as `cargo test` does; where each is."""
    command = ["cargo", "test", "--bench", "stages", "--no-run", "--quiet", "--message-format=json-render-diagnostics"]
    # As CI builds: code that is built in steps is divided in other units, which have other instructions.
    environment = os.environ | {"CARGO_INCREMENTAL": "0"}
    output = subprocess.run(command, cwd=REPOSITORY, env=environment, check=True, stdout=subprocess.PIPE).stdout
    messages = [message for message in map(json.loads, output.splitlines()) if message.get("executable")]
    return {message["target"]["name"]: Path(message["executable"]) for message in messages}


def callgrind(folder: Path, command: list[str], *flags: str) -> tuple[str, list[int]]:
    """Runs a command under callgrind; its output, and the instructions of each part in order."""
    counts = folder.with_name("counts")
    valgrind = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={counts}", *flags, *command]
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "TMPDIR": str(folder)}
    done = subprocess.run(valgrind, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"{' '.join(valgrind)}: exit code {done.returncode}\n{done.stderr}")
    parts = []
    for part in sorted(counts.parent.glob("counts*"), key=lambda path: int(path.suffix[1:] or "0")):
        parts.append(int(re.search(r"^summary: (\d+)", part.read_text(), re.MULTILINE)[1]))
        part.unlink()
    return done.stdout, parts


def measured(programs: dict[str, Path]) -> Iterator[tuple[str, int]]:
    """The instructions of each kernel and of each run."""
    counted = "stages::counts::counted"
    with tempfile.TemporaryDirectory(prefix="dedup-counts-") as temporary:
        folder = Path(temporary) / "corpora"
        folder.mkdir()
        write_corpora(folder)
        output, parts = callgrind(folder, [str(programs["stages"]), "--counts"], f"--toggle-collect={counted}", f"--dump-after={counted}")
        # The first file is of what follows the last kernel.
        names, rest, parts = output.split(), parts[0], parts[1:]
        if len(names) != len(parts) or rest != 0 or 0 in parts:
            sys.exit(f"{len(names)} kernels, but {len(parts)} counts, and {rest} instructions outside of them")
        yield from zip(names, parts)
        for name, flags in RUNS.items():
            _, [instructions] = callgrind(folder, [str(programs["dedup"]), *flags])
            yield name, instructions


def first_build() -> float:
    """The processor seconds of a first build of the program."""
    with tempfile.TemporaryDirectory(prefix="dedup-first-build-") as target:
        command = ["cargo", "build", "--release", "--quiet"]
        subprocess.run(command, cwd=REPOSITORY, check=True, env=os.environ | {"CARGO_TARGET_DIR": target})
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def tools() -> dict[str, str]:
    """What the counts depend on beside the source."""
    version = lambda command: subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
    return {
        "compiler": version(["rustc", "--version"]),
        "C library": " ".join(platform.libc_ver()),
        "valgrind": version(["valgrind", "--version"]),
        "architecture": platform.machine(),
    }


def compare(recorded: dict, now: dict[str, int]) -> list[str]:
    """Prints both counts of each kernel and run, and returns what is wrong."""
    faults = []
    before = recorded["instructions"]
    for name in [*before, *(name for name in now if name not in before)]:
        if name not in before:
            faults.append(f"{name}: counts.json does not have it")
        elif name not in now:
            faults.append(f"{name}: was not counted on this machine")
        else:
            growth = now[name] / before[name] - 1
            print(f"{name:28}{before[name]:>14,}{now[name]:>14,}{growth:>+9.2%}")
            if growth > LIMIT:
                faults.append(f"{name}: {before[name]:,} -> {now[name]:,} instructions, {growth:+.2%}")
    return faults


def main() -> None:
    parser = argparse.ArgumentParser(description="Counts the instructions of kernels and of whole runs, and compares them with counts.json.")
    parser.add_argument("--record", action="store_true", help="write counts.json instead of comparing with it")
    parser.add_argument("--dedup", type=Path, help="a program whose size is reported")
    parser.add_argument("--first-build", action="store_true", help="also measure the processor seconds of a first build")
    flags = parser.parse_args()
    recorded = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    # The program is built first: its time is not a part of a first build.
    others = {"crates in Cargo.lock": (REPOSITORY / "Cargo.lock").read_text().count("[[package]]") - 1}
    if flags.first_build:
        others["processor seconds of a first build"] = round(first_build())
    if flags.dedup:
        others["bytes of the program"] = flags.dedup.stat().st_size
    made_with = tools()
    now = dict(measured(built()))
    if flags.record:
        rest = {name: others.get(name, recorded.get(name)) for name in OTHERS}
        RECORDED.write_text(json.dumps({"recorded with": made_with, "instructions": now} | rest, indent=2) + "\n")
        print(f"{len(now)} counts written to {RECORDED.relative_to(REPOSITORY)}")
        return
    faults = compare(recorded, now)
    for name, value in others.items():
        print(f"{name}: {value:,}; recorded: {recorded[name] or 'never'}")
    if not faults:
        print(f"{len(now)} counts, none grew by more than {LIMIT:.0%}")
        return
    print("\n".join(["", *faults]), file=sys.stderr)
    if made_with != recorded["recorded with"]:
        print(f"Only reported: recorded with {recorded['recorded with']}, now {made_with}", file=sys.stderr)
        return
    sys.exit("Make it faster, or record the counts on purpose: benches/counts/run.py --record")


if __name__ == "__main__":
    main()
