#!/usr/bin/env python3
"""Builds the corpora that the comparison runs over, each into a folder or file of its own below `--out`.

    benches/compare/corpora.py --out DIR                 all of them
    benches/compare/corpora.py --out DIR revisions web   these
    benches/compare/corpora.py --out DIR --tiny          the same kinds, small enough for CI

    sources    source trees of unlike packages
    revisions  packages in eight releases each
    records    a million short records (generate.py)
    web        HTML documentation that packages ship, most of it in five to seven releases
    web-text   the same pages without their markup
    families   files in families at known similarities (generate.py)
    crowds     files, and among them many of one text and many that are nearly so (generate.py)

The packages and their versions are pinned in pinned/, and pip, npm, cargo and apt-get download them by name: whoever has
these clients gets the same bytes, which pinned/counts.json states. A client that is not there, and what Debian no longer
offers, is named, and its packages are left out; then nothing is held against the counts. A corpus that is there already
is only counted. Standard library only.
"""

from __future__ import annotations

import argparse
import html
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from measure import files, say
from packages import LeftOut, pinned, unpack_all

HERE = Path(__file__).resolve().parent
COUNTS = HERE / "pinned" / "counts.json"
HIDDEN_PARTS = re.compile(rb"<!--.*?-->|<(script|style)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
TAG = re.compile(rb"<[^<>]*>")


@dataclass(frozen=True)
class Place:
    """Where corpora are built, in which form, and where downloaded archives are kept."""

    out: Path
    archives: Path
    tiny: bool


def corpus_path(out: Path, name: str) -> Path:
    return out / (f"{name}.jsonl" if name == "records" else name)


def corpora_there(out: Path, names: list[str] | None) -> list[str]:
    """Those of some corpora, or of all, that lie in a folder; ends the program where there are none."""
    there = [name for name in names or CORPORA if corpus_path(out, name).exists()]
    if not there:
        sys.exit(f"no corpus lies in {out}; build them: benches/compare/corpora.py --out {out}")
    return there


# Builds a corpus at a path; returns what it had to leave out.
Builder = Callable[[Place, Path], list[LeftOut]]


def packages(listing: str, *suffixes: str) -> Builder:
    def build(place: Place, path: Path) -> list[LeftOut]:
        path.mkdir()
        releases = pinned(HERE / "pinned" / f"{listing}.txt", place.tiny)
        return unpack_all(releases, path, place.archives, suffixes)

    return build


def generated(full: str, tiny: str) -> Builder:
    def build(place: Place, path: Path) -> list[LeftOut]:
        flags = (tiny if place.tiny else full).split()
        subprocess.run([sys.executable, str(HERE / "generate.py"), str(path), *flags], check=True, stdout=sys.stderr)
        return []

    return build


def web_text(place: Place, path: Path) -> list[LeftOut]:
    """The pages of `web`, built first, each as a text."""
    left_out = build("web", place)
    source = corpus_path(place.out, "web")
    if not source.exists():
        return left_out
    jobs = [(Path(file), path / Path(file).relative_to(source).with_suffix(".txt")) for file in files(source)]
    with multiprocessing.Pool() as pool:
        for _ in pool.imap_unordered(write_text, jobs, chunksize=64):
            pass
    return left_out


def write_text(job: tuple[Path, Path]) -> None:
    page, text = job
    text.parent.mkdir(parents=True, exist_ok=True)
    text.write_bytes(without_markup(page.read_bytes()))


def without_markup(page: bytes) -> bytes:
    """The text of a page: rough, and the same in every version of Python, as its HTML parser would not be."""
    text = TAG.sub(b" ", HIDDEN_PARTS.sub(b" ", page))
    try:
        return html.unescape(text.decode()).encode()
    except (UnicodeDecodeError, UnicodeEncodeError):
        return text


CORPORA: dict[str, Builder] = {
    "sources": packages("sources"),
    "revisions": packages("revisions"),
    "records": generated("--documents 1000000 --kind records --format jsonl", "--documents 400 --kind records --format jsonl"),
    "web": packages("web", ".html", ".htm"),
    "web-text": web_text,
    "families": generated("--megabytes 100", "--documents 200"),
    "crowds": generated("--documents 20000 --identical 2000 --alike 3000", "--documents 100 --identical 20 --alike 30"),
}  # fmt: skip


def build(name: str, place: Place) -> list[LeftOut]:
    """Builds a corpus, unless it is there, beside its place, so that one cut short is never found."""
    path = corpus_path(place.out, name)
    record = path.with_name(path.name + ".left-out.json")
    if path.exists():
        return [LeftOut(**entry) for entry in json.loads(record.read_text())] if record.exists() else []
    say(f"{name}: building it in {place.out}")
    part = path.with_name(path.name + ".part")
    if part.is_dir():
        shutil.rmtree(part)
    part.unlink(missing_ok=True)
    left_out = CORPORA[name](place, part)
    if all(entry.excused for entry in left_out):
        record.unlink(missing_ok=True)
        if left_out:
            record.write_text(json.dumps([asdict(entry) for entry in left_out]))
        part.rename(path)
    return left_out


def provide(name: str, place: Place) -> list[str]:
    """Builds a corpus and holds it against its counts; returns what is wrong with it."""
    left_out = build(name, place)
    path = corpus_path(place.out, name)
    for entry in left_out:
        say(f"{name}: left out: {entry}")
    if not path.exists():
        return [f"{name}: not built, since packages are missing that should be there; try again"]
    counted = count(path)
    say(f"{name}: {counted['files']:,} files, {counted['bytes']:,} bytes in {path}")
    expected = json.loads(COUNTS.read_text())["tiny" if place.tiny else "full"].get(name)
    if not counted["files"]:
        return [f"{name}: nothing of it could be built"]
    if not left_out and counted != expected:
        return [f"{name}: {counted} is there, and pinned/counts.json says {expected}; delete it to have it built again"]
    return []


def count(path: Path) -> dict[str, int]:
    counted = {"files": 0, "bytes": 0}
    for file in files(path):
        counted["files"] += 1
        counted["bytes"] += os.path.getsize(file)
    return counted


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("name", nargs="*", metavar="NAME", help=f"of {', '.join(CORPORA)}; default: all")
    parser.add_argument("--out", type=Path, required=True, help="the folder that corpora are built in, and found in")
    parser.add_argument("--archives", type=Path, help="where downloads are kept; default: a temporary folder")
    parser.add_argument("--tiny", action="store_true", help="a few packages and documents of each kind")
    args = parser.parse_args()
    if unknown := [name for name in args.name if name not in CORPORA]:
        parser.error(f"no corpus is called {unknown[0]}; there are {', '.join(CORPORA)}")
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="dedup-archives-") as temporary:
        place = Place(args.out, args.archives or Path(temporary), args.tiny)
        problems = [problem for name in args.name or CORPORA for problem in provide(name, place)]
    for problem in problems:
        say(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
