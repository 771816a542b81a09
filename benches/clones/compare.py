"""Compares the copied blocks of `dedup` with the clones of jscpd on one folder.

    jscpd --min-tokens 50 --min-lines 1 --max-lines 1000000 --max-size 10mb --reporters json --output jscpd FOLDER
    dedup scan FOLDER --preset clones --output pairs.jsonl
    python3 benches/clones/compare.py jscpd/jscpd-report.json pairs.jsonl [FORMAT ...]

A clone of jscpd is found if its lines are in blocks of `dedup` in both files, except for the first and the last line, which
jscpd also reports for one token, and for lines that `dedup` ignores: blank lines, comments and imports. A clone of such lines
only is counted separately. So is a clone that is not found and has a literal of several lines, such as an expected output in a
test: `dedup` counts a literal as one token, and jscpd its words. FORMAT restricts the clones to languages, such as
`javascript`. Prints these numbers, and the other clones with the share of their lines that is in blocks.
"""

import collections
import json
import os
import re
import sys


# Comments, and literals that may have several lines: raw strings, strings with an escape, and template literals.
PARTS = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<text>r(?P<hashes>\#*)".*?"(?P=hashes)|\"{3}.*?\"{3}|\'{3}.*?\'{3}|"(?:\\.|[^"\\])*"|`[^`]*`)|'(?:\\.|[^'\\\n])'""",
    re.S,
)
IGNORED = re.compile(r"""\s*($|//|/\*|\*|\#|import\b|from\b|package\b|use\b|.*\brequire\(|[);}\]]*,?;?$)""")


def literal_lines(name):
    """The lines of a file that belong to a literal of several lines."""
    with open(name, encoding="utf-8", errors="replace") as file:
        text = file.read()
    lines = set()
    for part in PARTS.finditer(text):
        num_ends = (part.group("text") or "").count("\n")
        if num_ends:
            first = text.count("\n", 0, part.start()) + 1
            lines.update(range(first, first + num_ends + 1))
    return lines


def compared(name, first, last):
    """The lines between two lines of a file that are neither ignored nor only brackets."""
    with open(name, encoding="utf-8", errors="replace") as file:
        lines = file.read().split("\n")
    return {number for number in range(first + 1, last) if not IGNORED.match(lines[number - 1])}


def main(report, pairs, formats):
    lines = collections.defaultdict(set)
    with open(pairs) as file:
        for line in file:
            pair = json.loads(line)
            for passage in pair["passages"] or []:
                for side in "ab":
                    first, last = passage[side]["lines"]
                    lines[os.path.normpath(pair[side])].update(range(first, last + 1))
    with open(report) as file:
        clones = json.load(file)["duplicates"]
    clones = [clone for clone in clones if not formats or clone["format"] in formats]
    found, ignored, literal, missed = 0, 0, 0, []
    literals = {}
    for clone in clones:
        shares, has_literal = [], False
        for file in (clone["firstFile"], clone["secondFile"]):
            name = os.path.normpath(file["name"])
            inner = compared(name, file["start"], file["end"])
            if name not in literals:
                literals[name] = literal_lines(name)
            has_literal |= bool((inner - lines[name]) & literals[name])
            shares += [len(inner & lines[name]) / len(inner)] if inner else []
        if not shares:
            ignored += 1
        elif min(shares) < 1 and has_literal:
            literal += 1
        elif min(shares) == 1:
            found += 1
        else:
            missed.append((min(shares), clone))
    print(
        f"{len(clones)} clones, {ignored} of ignored lines, {literal} with literals, {found} found, "
        f"{len(missed)} not or in part"
    )
    for share, clone in sorted(missed, key=lambda item: item[0]):
        places = [f"{file['name']}:{file['start']}-{file['end']}" for file in (clone["firstFile"], clone["secondFile"])]
        print(f"  {share:4.0%} of {clone['lines']} lines, {clone['tokens']} tokens: {places[0]} {places[1]}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
