#!/usr/bin/env python3
"""Compares `dedup` with every rival, end to end, on the same documents, and prints a table.

    benches/compare/run.py                    a generated corpus of 20 MB
    benches/compare/run.py PATH               a folder of text files, or a JSON Lines file
    benches/compare/run.py --corpus NAME...   corpora of packages and others, which corpora.py builds
    benches/compare/run.py --record           all corpora, and the tables of the README and the handbook are written
    benches/compare/run.py --check            runs nothing: are these tables what recorded.json says?
    benches/compare/run.py --tiny             200 documents, once, as a check that nothing here has rotted

One command does all: it builds `dedup`, installs the rivals at pinned versions into a throw-away environment, runs all of
them in turn, each as a process of its own, and has their pairs judged against brute force (judge.py). Needs Python 3.11
or later, its standard library alone, and a Rust toolchain.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from contestants import CONTESTANTS, LEFT_OUT, READING, Contestant
from corpora import CORPORA, corpus_path
from environment import Environment
from measure import build, machine, memory, reading_command, run, say, warm
from recorded import faults, load, merged, pages, store
from report import markdown

HERE = Path(__file__).resolve().parent
SETTINGS = ["--threshold", "0.8", "--bands", "20", "--rows", "5"]
# Statuses of rows that could not run; `--tiny` does not hold them against anyone.
NOT_INSTALLED, NO_SHINGLES = "not installed", "has no such shingles"


@dataclass
class Row:
    """What is known of a contestant in a mode."""

    name: str
    mode: str
    version: str
    status: str = "ok"
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    peak: list[int] = field(default_factory=list)
    pairs: int | None = None
    recall: float | None = None
    precision: float | None = None
    true_pairs: int | None = None
    judged_pairs: int | None = None


def command_of(contestant: Contestant, mode: str, corpus: Path, out: Path, args, python: Path) -> list[str]:
    if contestant.only_reads:
        return reading_command(corpus)
    if contestant.ours:
        fields = ["--text-field", args.text_field, "--id-field", args.id_field]
        # What the rivals see: every file of a folder as one text, pages with their markup.
        whole = ["--input-format", "text", "--html", "raw"]
        return [
            str(args.dedup),
            "scan",
            str(corpus),
            *SETTINGS,
            "--shingle",
            mode,
            *contestant.flags,
            *(fields if corpus.is_file() else whole),
            "--quiet",
        ]
    adapter = str(HERE / "rivals" / contestant.adapter)
    return [str(python), adapter, str(corpus), str(out), "--mode", mode, "--text-field", args.text_field]


def compare(corpus: Path, args, environment: Environment, pairs: Path) -> tuple[int, list[Row]]:
    """Runs everyone `args.runs` times, in turn, and has them judged; also tells how many documents there are.

    What they write goes into `pairs`.
    """
    versions = environment.versions()
    ours = subprocess.run([str(args.dedup), "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    contestants = [c for c in CONTESTANTS if not args.only or c.ours or any(o in c.name.lower() for o in args.only)]
    contestants += [READING] if args.bare else []
    rows: list[Row] = []
    pairs.mkdir()
    warm(corpus)
    for mode in args.mode:
        entered = [(c, Row(c.name, mode, ours if c.ours else versions.get(c.package, "–"))) for c in contestants]
        for contestant, row in entered:
            if contestant.package in environment.missing:
                row.status = f"{NOT_INSTALLED}: {environment.missing[contestant.package]}"
            elif not contestant.only_reads and mode not in contestant.definitions:
                row.status = NO_SHINGLES
        outputs = {c.name: pairs / f"{mode}-{c.name.replace(', ', '-').replace(' ', '-')}" for c in contestants}
        for number in range(args.runs):
            for contestant, row in entered:
                if row.status != "ok":
                    continue
                stem = outputs[contestant.name]
                found = stem.with_suffix(".jsonl" if contestant.ours else ".npy")
                out = found if contestant.ours else stem.with_suffix(".out")
                if contestant.only_reads:
                    out = Path(os.devnull)
                command = command_of(contestant, mode, corpus, found, args, environment.python)
                outcome = run(command, out, stem.with_suffix(".log"), args.timeout, int(args.max_memory * 1e9))
                row.status = outcome.status
                if outcome.status.startswith("failed (3)") and contestant.ours:
                    row.status = "ok"  # complete, but something could not be read, by the rivals neither
                say(f"{mode}, run {number + 1}: {row.name}: {outcome.wall:.2f} s, {row.status}")
                if row.status == "ok":
                    row.wall.append(outcome.wall)
                    row.cpu.append(outcome.cpu)
                    row.peak.append(outcome.peak)
        documents = judge(corpus, mode, entered, outputs, args, environment)
        rows += [row for _, row in entered]
    return documents, rows


def judge(corpus: Path, mode: str, entered: list, outputs: dict[str, Path], args, environment: Environment) -> int:
    """Fills in what brute force says of everyone's pairs, and tells how many documents there are."""
    say(f"{mode}: brute force over {args.sample} documents")
    request = {
        "corpus": str(corpus),
        "text_field": args.text_field,
        "id_field": args.id_field,
        "sample": args.sample,
        "seed": args.seed,
        "threshold": "0.8",
        "contestants": [
            {
                "name": contestant.name,
                "definition": contestant.definitions[mode],
                "pairs": str(outputs[contestant.name].with_suffix(".jsonl" if contestant.ours else ".npy")),
            }
            for contestant, row in entered
            if row.status == "ok" and not contestant.only_reads
        ],
    }
    done = subprocess.run(
        [str(environment.python), str(HERE / "judge.py")],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONHASHSEED": "0"},
    )
    if done.returncode != 0:
        sys.exit(f"judge.py failed:\n{done.stderr}")
    answer = json.loads(done.stdout)
    for _, row in entered:
        for key in ("pairs", "recall", "precision", "true_pairs", "judged_pairs"):
            setattr(row, key, answer["verdicts"].get(row.name, {}).get(key))
    return answer["documents"]


def describe(corpus: Path, documents: int, rows: list[Row], args, where: dict) -> dict:
    files = [f for f in corpus.rglob("*") if f.is_file()] if corpus.is_dir() else [corpus]
    return where | {
        "corpus": corpus.stem if args.corpus else corpus.name,
        "documents": documents,
        "files": len(files),
        "megabytes": round(sum(f.stat().st_size for f in files) / 1e6, 1),
        "runs": args.runs,
        "command": shlex.join(["benches/compare/run.py", *args.command]),
        "rows": [asdict(row) for row in rows],
    }


def complaints(rows: list[Row]) -> Iterator[str]:
    """What --tiny holds everyone to: rivals run, ours is right, and nobody finds more with the same shingles."""
    for mode in dict.fromkeys(row.mode for row in rows):
        of_mode = [row for row in rows if row.mode == mode]
        ours = [row for row in of_mode if row.name.startswith("dedup")]
        for row in of_mode:
            if row.status != "ok" and not row.status.startswith((NOT_INSTALLED, NO_SHINGLES)):
                yield f"{mode}: {row.name}: {row.status}"
        for row in ours:
            best = max((r.recall or 0.0 for r in of_mode if r not in ours), default=0.0)
            if row.precision != 1:
                yield f"{mode}: {row.name}: precision {row.precision}"
            if row.recall is None or row.recall < best:
                yield f"{mode}: {row.name}: recall {row.recall}, and a rival's is {best}"


def parse(command: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("path", nargs="?", type=Path, help="folder or JSON Lines file; default: a generated corpus")
    parser.add_argument(
        "--corpus", nargs="+", choices=CORPORA, metavar="NAME", help=f"instead, one table each: {', '.join(CORPORA)}"
    )
    parser.add_argument(
        "--corpora",
        type=Path,
        metavar="DIR",
        help="where these are, or are built and kept; default: a temporary folder",
    )
    parser.add_argument("--bare", action="store_true", help="one row more: reading the corpus with cat")
    parser.add_argument("--megabytes", type=float, default=20, help="size of the generated corpus; default 20")
    parser.add_argument("--documents", type=int, help="number of generated documents, instead of --megabytes")
    parser.add_argument("--kind", choices=("files", "records"), default="files", help="lengths of generated documents")
    parser.add_argument(
        "--format", choices=("folder", "jsonl"), default="folder", help="format of the generated corpus"
    )
    parser.add_argument("--seed", type=int, default=42, help="of the generated corpus and of the sample")
    parser.add_argument("--mode", nargs="+", choices=("char", "word"), default=["char", "word"], help="which shingles")
    parser.add_argument(
        "--only", nargs="+", metavar="NAME", help="ours, and only rivals with one of these in their names"
    )
    parser.add_argument("--runs", type=int, default=3, help="runs of each; the medians are shown; default 3")
    parser.add_argument("--timeout", type=float, default=900, metavar="SECONDS", help="for a run; default 900")
    parser.add_argument("--max-memory", type=float, metavar="GB", help="for a run; default: half of the machine's")
    parser.add_argument(
        "--sample", type=int, default=1000, metavar="DOCUMENTS", help="judged by brute force; default 1000"
    )
    parser.add_argument("--text-field", default="text", help="of records")
    parser.add_argument("--id-field", default="id", help="of records")
    parser.add_argument(
        "--env", type=Path, help="where the rivals are installed, and kept; default: a temporary folder"
    )
    parser.add_argument("--out", type=Path, help="where table.md, results.json and all pairs are kept")
    parser.add_argument("--dedup", type=Path, help="the program to run, instead of building it")
    parser.add_argument(
        "--record",
        action="store_true",
        help="replace the results of each corpus in recorded.json, and write the tables of the README and the handbook; "
        "all corpora unless --corpus names some; implies --bare",
    )
    parser.add_argument("--write", action="store_true", help="only write these tables again, from recorded.json")
    parser.add_argument("--check", action="store_true", help="only compare these tables with recorded.json")
    parser.add_argument("--tiny", action="store_true", help="few documents, one run, exit code 1 if something is wrong")
    args = parser.parse_args(command)
    args.command = without(command, "--env", "--out", "--dedup", "--corpora")
    if args.tiny:
        args.documents, args.runs, args.sample, args.timeout = 200, 1, 200, min(args.timeout, 300)
    if args.record:
        if args.path or args.documents:
            parser.error("--record measures the corpora of --corpus; remove PATH, --documents and --tiny")
        args.corpus, args.bare = args.corpus or list(CORPORA), True
    args.max_memory = args.max_memory or memory() / 2e9
    args.only = [name.lower() for name in args.only or []]
    return args


def without(command: list[str], *flags: str) -> list[str]:
    """The command without these flags and their values, which say only where things lie on this machine."""
    kept, words = [], iter(command)
    for word in words:
        if word in flags:
            next(words)
        else:
            kept.append(word)
    return kept


def generate(work: Path, args, python: Path) -> Path:
    corpus = work / ("generated.jsonl" if args.format == "jsonl" else "generated")
    size = ["--documents", str(args.documents)] if args.documents else ["--megabytes", str(args.megabytes)]
    options = ["--kind", args.kind, "--format", args.format, "--seed", str(args.seed)]
    subprocess.run(
        [str(python), str(HERE / "generate.py"), str(corpus), *size, *options], check=True, stdout=sys.stderr
    )
    return corpus


def chosen(work: Path, args) -> Iterator[Path]:
    """The corpora to compare on, each built when it is its turn."""
    if not args.corpus:
        yield args.path or generate(work, args, Path(sys.executable))
        return
    out = args.corpora or work / "corpora"
    for name in args.corpus:
        # By a process of its own: what this one ever had in memory counts as its children's.
        command = [
            sys.executable,
            str(HERE / "corpora.py"),
            name,
            "--out",
            str(out),
            *(["--tiny"] if args.tiny else []),
        ]
        if subprocess.run(command, stdout=sys.stderr).returncode != 0:
            sys.exit(f"the corpus {name} is not as it should be")
        yield corpus_path(out, name)


def keep(results: dict, pairs: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / "table.md").write_text(markdown(results))
    (out / "results.json").write_text(json.dumps(results, indent=2) + "\n")
    shutil.copytree(pairs, out / "pairs", dirs_exist_ok=True)


def tables_only(args) -> int:
    """`--write` and `--check`: the pages and recorded.json, without a run."""
    if args.write:
        store(load())
    found = faults(load())
    for fault in found:
        say(fault)
    return 1 if found else 0


def main() -> int:
    args = parse(sys.argv[1:])
    if args.write or args.check:
        return tables_only(args)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a rival that crashes leaves no core file
    args.dedup = args.dedup or build()
    problems = []
    where = machine()  # before tables are written, which changes the commit to a modified one
    for name, why in LEFT_OUT.items():
        say(f"not compared: {name}: {why}")
    with tempfile.TemporaryDirectory(prefix="dedup-compare-") as folder:
        work = Path(folder)
        environment = Environment(args.env or work / "env")
        for corpus in chosen(work, args):
            pairs = work / "pairs"
            documents, rows = compare(corpus, args, environment, pairs)
            results = describe(corpus, documents, rows, args, where)
            print(markdown(results), flush=True)
            if args.out:
                keep(results, pairs, args.out / corpus.stem if args.corpus else args.out)
            if args.record:
                store(merged(load(), results, list(CORPORA)))
            if args.tiny:
                # What --record would write, written nowhere.
                pages(merged(load(), results | {"corpus": "families"}, list(CORPORA)))
                problems += [f"{corpus.name}: {complaint}" for complaint in complaints(rows)]
            shutil.rmtree(pairs)
    for problem in problems:
        say(problem)
    if args.record:
        say("draw the README's chart again: DEDUP_PICTURES=record cargo test --test integration pictures")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
