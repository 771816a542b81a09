"""What is shown of results: the tables of one corpus, and those of the README and the handbook over all recorded corpora.

Losses come first: the figures of other tools that are better than those of `dedup` are listed before each table, the tools
with such figures are its first rows, the corpora with the smallest lead of `dedup` its first columns, and the figures bold.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from contestants import CONTESTANTS, FIRST, LEFT_OUT, READING, Contestant

MODES = {"char": "9 characters", "word": "5 words"}
# How the corpora of corpora.py are described; the README's chart leaves out generated ones.
TITLES = {
    "sources": "{files:,} source files of forty packages",
    "revisions": "{files:,} files of 21 packages in eight releases",
    "records": "a million short records",
    "web": "{files:,} web pages in several releases",
    "web-text": "the same web pages without markup",
    "families": "{files:,} generated documents in families",
    "crowds": "{files:,} generated documents, 5,000 of them in two groups of near-copies",
}
# How columns call a corpus whose name means something else to readers.
COLUMNS = {"crowds": "groups"}


@dataclass(frozen=True)
class Measure:
    """A figure of a row: its title, how it is printed, its unit, and what a tool with a better figure is, if one can be better."""

    title: str
    key: str
    show: Callable[[float], str]
    unit: str = ""
    better: str | None = None
    more_is_better: bool = False

    def of(self, row: dict, megabytes: float) -> float | None:
        """The median over the runs, or None if it was not measured."""
        found = row.get(self.key)
        if row["status"] != "ok" or found is None or found == []:
            return None
        value = statistics.median(found) if isinstance(found, list) else found
        # Processor seconds for each megabyte are as many hours for each 3,600 megabytes, and a terabyte has a million of them.
        return value / 3600 * 1e6 / megabytes if self.key == "cpu" else value

    def is_better(self, value: float | None, own: float | None) -> bool | None:
        """Whether the figure of another tool is better than ours; None if they cannot be compared."""
        if self.better is None or value is None or own is None:
            return None
        return value > own if self.more_is_better else value < own


def share(value: float) -> str:
    """A share that is said to be 1 only where it is."""
    return "1" if value == 1 else f"{min(value, 0.9999):.4f}"


def ratio(value: float) -> str:
    """Two digits; a ratio below 1 is not rounded to 1."""
    return f"{value:.2f}" if value < 0.995 else f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"


def rounded_share(value: float) -> str:
    return "1" if value == 1 else f"{min(value, 0.99):.2f}"


WALL = Measure("Wall, s", "wall", lambda value: f"{value:.2f}", " s", "faster")
CORE_HOURS = Measure("Core-hours a terabyte", "cpu", ratio, " core-hours a terabyte", "less processor time")
PEAK = Measure("Peak, MB", "peak", lambda value: f"{value / 1e6:,.0f}", " MB", "less memory")
PAIRS = Measure("Pairs", "pairs", lambda value: f"{value:,}")
RECALL = Measure("Recall", "recall", share, better="a higher recall", more_is_better=True)
PRECISION = Measure("Precision", "precision", share)
MEASURES = (CORE_HOURS, WALL, PEAK, PAIRS, RECALL, PRECISION)


class Results:
    """The results of one corpus and one kind of shingles, as run.py keeps them."""

    def __init__(self, results: dict, mode: str) -> None:
        self.results, self.mode, self.megabytes = results, mode, results["megabytes"]
        self.rows = {row["name"]: row for row in results["rows"] if row["mode"] == mode}

    @property
    def name(self) -> str:
        name = COLUMNS.get(self.results["corpus"], self.results["corpus"])
        return name if self.mode == "char" else f"{name}, words"

    def figure(self, name: str, measure: Measure) -> float | None:
        return measure.of(self.rows[name], self.megabytes) if name in self.rows else None

    def is_better(self, tool: Contestant, measure: Measure) -> bool | None:
        if tool.ours or tool.only_reads:
            return None
        return measure.is_better(self.figure(tool.name, measure), self.figure(FIRST, measure))

    def cell(self, tool: Contestant, measure: Measure, plain: bool = False) -> str:
        value = self.figure(tool.name, measure)
        if value is None:
            return "–"
        return f"**{measure.show(value)}**" if self.is_better(tool, measure) and not plain else measure.show(value)

    def times_ours(self, name: str) -> float | None:
        """The wall time of a tool when that of `dedup` is 1."""
        wall, own = self.figure(name, WALL), self.figure(FIRST, WALL)
        return wall / own if wall and own else None

    def lead(self) -> float | None:
        """The wall time of the fastest other tool when that of `dedup` is 1."""
        others = [self.times_ours(tool.name) for tool in CONTESTANTS if not tool.ours]
        return min((times for times in others if times), default=None)

    def losses(self) -> Iterator[str]:
        for tool in CONTESTANTS:
            lost = [measure for measure in MEASURES if self.is_better(tool, measure)]
            if lost:
                figures = (
                    f"{measure.better}, {measure.show(self.figure(tool.name, measure))} instead of "
                    f"{measure.show(self.figure(FIRST, measure))}{measure.unit}"
                    for measure in lost
                )
                yield f"- {self.name}: {tool.name}: {'; '.join(figures)}"


def kinds(results: dict) -> list[Results]:
    return [Results(results, mode) for mode in MODES if any(row["mode"] == mode for row in results["rows"])]


def ordered(tools: list[Contestant], all_results: list[Results]) -> list[Contestant]:
    """Tools that are better somewhere first."""
    beats = {t.name: any(r.is_better(t, m) for r in all_results for m in MEASURES) for t in tools}
    return sorted(tools, key=lambda tool: not beats[tool.name])


def markdown(results: dict) -> str:
    """The tables of one corpus, ready to be pasted."""
    size = f"{results['documents']:,} documents, {results['megabytes']:,} MB in the page cache"
    lines = [f"{results['corpus']}: {size}. {source(results)}", ""]
    for one in kinds(results):
        lines += [*losses([one]), "", *table(one), ""]
    return "\n".join(lines)


def table(one: Results) -> Iterator[str]:
    titles = ["Version", "Pairs proved", *(measure.title for measure in MEASURES)]
    yield f"| Shingles of {MODES[one.mode]} | {' | '.join(titles)} |"
    yield "| --- | --- | --- |" + " ---: |" * len(MEASURES)
    for tool in ordered([tool for tool in [*CONTESTANTS, READING] if tool.name in one.rows], [one]):
        row = one.rows[tool.name]
        cells = [one.cell(tool, measure) for measure in MEASURES]
        if row["status"] != "ok":
            cells = [row["status"]] + [""] * (len(MEASURES) - 1)
        yield f"| {tool.name} | {row['version']} | {tool.proves} | {' | '.join(cells)} |"


def source(results: dict) -> str:
    """What was run where; what was not written down is not shown."""
    runs = "one run" if results["runs"] == 1 else f"medians of {results['runs']} interleaved runs"
    machine = [results["processor"], f"{results['cores']} cores"]
    machine += [f"{results['memory_gb']} GB"] if "memory_gb" in results else []
    machine += [results["system"], f"Python {results['python']}"] if "system" in results else []
    return f"`{results['command']}` at {results['commit']}; {runs}. {', '.join(machine)}; {results['date']}."


def losses(all_results: list[Results]) -> list[str]:
    """The figures of other tools that are better than those of `dedup`, or that there are none among how many."""
    compared = [r.is_better(tool, m) for r in all_results for tool in CONTESTANTS for m in MEASURES]
    compared = [is_better for is_better in compared if is_better is not None]
    number = len(compared)
    if not any(compared):
        return [f"**Losses:** none in {number} comparisons of time, processor time, memory or recall with another tool."]
    head = f"**Losses:** {sum(compared)} of {number} comparisons of time, processor time, memory or recall with another tool:"
    return [head, "", *(line for one in all_results for line in one.losses())]


class Recorded:
    """The results of all recorded corpora; the first ones are those with the smallest lead of `dedup`."""

    def __init__(self, corpora: dict[str, dict]) -> None:
        self.corpora = corpora
        self.all = [one for results in corpora.values() for one in kinds(results)]
        self.all.sort(key=lambda one: (one.mode, one.lead() or 0))
        self.chars = [one for one in self.all if one.mode == "char"]

    def blocks(self) -> dict[str, str]:
        """The generated parts of the pages, by their names in the marks."""
        parts = {"summary": self.summary, "corpora": self.wall_times, "measures": self.measures, "sources": self.sources}
        blocks = {name: "\n".join(part()) for name, part in parts.items()}
        if "families" in self.corpora:
            tables = ([*table(one), ""] for one in kinds(self.corpora["families"]))
            blocks["families"] = "\n".join(line for lines in tables for line in lines).rstrip()
        return blocks

    def summary(self) -> Iterator[str]:
        """A row for each tool, with the lowest and the highest figure over the corpora."""
        yield from losses(self.all)
        yield ""
        own = [one.figure(FIRST, CORE_HOURS) for one in self.chars]
        yield f"`{FIRST}` needs {spread(own, ratio)} core-hours a terabyte, with every pair proved."
        yield ""
        yield "| Shingles of 9 characters | Corpora | Pairs proved | Core-hours a terabyte | Time, `dedup` = 1 | Recall | Precision |"
        yield "| --- | ---: | --- | ---: | ---: | ---: | ---: |"
        for tool in ordered([tool for tool in CONTESTANTS if self.tried(tool)], self.all):
            tried = self.tried(tool)
            done = [one for one in tried if one.rows[tool.name]["status"] == "ok"]
            cells = [
                spread([one.figure(tool.name, CORE_HOURS) for one in done], ratio),
                spread([one.times_ours(tool.name) for one in done], ratio),
                spread([one.figure(tool.name, RECALL) for one in done], share),
                spread([one.figure(tool.name, PRECISION) for one in done], rounded_share),
            ]
            number = str(len(done)) if len(done) == len(tried) else f"{len(done)} of {len(tried)}"
            yield f"| {tool.name} | {number} | {tool.proves} | {' | '.join(cells)} |"

    def tried(self, tool: Contestant) -> list[Results]:
        return [one for one in self.chars if tool.name in one.rows]

    def wall_times(self) -> Iterator[str]:
        """The table that tests/integration/pictures.rs draws the README's chart from, so its numbers are never bold."""
        leads = [lead for one in self.chars if (lead := one.lead())]
        yield f"The fastest other tool needs {spread(leads, ratio)} times as long as `{FIRST}`."
        yield ""
        yield from losses(self.chars)
        yield ""
        tools = [READING, *CONTESTANTS[:3], next(tool for tool in CONTESTANTS if tool.name == "FastSketchLSH")]
        names = ["Reading with `cat`", *(tool.name for tool in tools[1:])]
        yield f"| Corpus | MB | {' | '.join(names)} | × | ÷ reading |"
        yield "| --- |" + " ---: |" * (len(tools) + 3)
        for one in self.chars:
            cells = [one.cell(tool, WALL, plain=True) for tool in tools]
            reading = one.times_ours(READING.name)
            ratios = [ratio(value) if value else "–" for value in (one.lead(), reading and 1 / reading)]
            yield f"| {title(one.results)} | {one.megabytes:,.0f} | {' | '.join([*cells, *ratios])} |"

    def measures(self) -> Iterator[str]:
        """A table for each measure, with a row for each tool and a column for each corpus."""
        for number, measure in enumerate(MEASURES):
            columns = [one for one in self.all if any(one.figure(name, measure) is not None for name in one.rows)]
            tools = [t for t in [*CONTESTANTS, READING] if any(one.figure(t.name, measure) is not None for one in columns)]
            yield from [""] if number else []
            yield f"| {measure.title} | Pairs proved | {' | '.join(one.name for one in columns)} |"
            yield "| --- | --- |" + " ---: |" * len(columns)
            for tool in ordered(tools, columns):
                cells = [one.cell(tool, measure) for one in columns]
                yield f"| {tool.name} | {tool.proves} | {' | '.join(cells)} |"

    def sources(self) -> Iterator[str]:
        """Where the figures are from, and who has none, and why."""
        named: dict[str, list[str]] = {}
        for name, results in self.corpora.items():
            named.setdefault(source(results), []).append(COLUMNS.get(name, name))
        yield from (f"- {', '.join(names)}: {text}" for text, names in named.items())
        for one in self.all:
            for row in one.rows.values():
                if row["status"] != "ok":
                    yield f"- {one.name}: {row['name']}: {row['status']}."
        missing = [tool.name for tool in CONTESTANTS if not any(tool.name in one.rows for one in self.all)]
        if missing:
            yield f"- Not measured yet, though the comparison runs them: {', '.join(missing)}."
        yield from (f"- {name}: {why}." for name, why in LEFT_OUT.items())


def title(results: dict) -> str:
    return TITLES.get(results["corpus"], results["corpus"]).format(files=results["files"])


def spread(values: list[float | None], show: Callable[[float], str]) -> str:
    """The lowest and the highest of the values that are known."""
    known = [value for value in values if value is not None]
    shown = list(dict.fromkeys([show(min(known)), show(max(known))])) if known else ["–"]
    return " to ".join(shown)
