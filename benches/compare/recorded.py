"""The figures that the README and the handbook show, and the tables there that are made of them.

recorded.json has the results of each corpus, as `run.py --record` measured them last. Two marks around a part of a page say
that it is made from this file:

    <!-- compare: NAME -->
    …
    <!-- compare: end -->

NAME is a block of report.py. `run.py --check` fails when such a part is not what the file gives.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from measure import REPOSITORY
from report import Recorded

RECORDED = Path(__file__).resolve().parent / "recorded.json"
# The blocks that each page has to have.
PAGES = {"README.md": ["summary"], "src/guide/speed.md": ["families", "corpora", "measures", "sources"]}
MARKED = re.compile(r"(<!-- compare: (?!end )([a-z]+) -->\n)(?:(?!<!-- compare: ).)*(<!-- compare: end -->\n)", re.DOTALL)


def load() -> dict[str, dict]:
    return json.loads(RECORDED.read_text())


def merged(corpora: dict[str, dict], results: dict, order: list[str]) -> dict[str, dict]:
    """With new results of a corpus instead of those it had."""
    corpora = corpora | {results["corpus"]: results}
    return {name: corpora[name] for name in order if name in corpora}


def store(corpora: dict[str, dict]) -> None:
    """Writes the results, and the tables of the pages; ends the program if a mark is missing."""
    if missing := [fault for fault in faults(corpora) if "missing" in fault]:
        sys.exit("\n".join(missing))
    RECORDED.write_text(json.dumps(corpora, indent=1, ensure_ascii=False) + "\n")
    for page, text in pages(corpora).items():
        (REPOSITORY / page).write_text(text)


def pages(corpora: dict[str, dict]) -> dict[str, str]:
    """The text of each page with the tables of these results."""
    blocks = Recorded(corpora).blocks()
    texts = {page: (REPOSITORY / page).read_text() for page in PAGES}
    return {page: MARKED.sub(lambda found: renewed(found, blocks), text) for page, text in texts.items()}


def renewed(found: re.Match, blocks: dict[str, str]) -> str:
    start, name, end = found.groups()
    return f"{start}\n{blocks[name]}\n\n{end}"


def faults(corpora: dict[str, dict]) -> list[str]:
    """The blocks of the pages that are missing, or not what these results give."""
    blocks, found = Recorded(corpora).blocks(), []
    for page, names in PAGES.items():
        present = {match[2]: match for match in MARKED.finditer((REPOSITORY / page).read_text())}
        for name in [*names, *(name for name in present if name not in names)]:
            if name not in present or name not in blocks:
                found.append(f"{page}: the marks of the block `{name}` are missing, or there is no such block")
            elif present[name][0] != renewed(present[name], blocks):
                found.append(f"{page}: the block `{name}` differs from {RECORDED.name}; write it again with run.py --write")
    return found
