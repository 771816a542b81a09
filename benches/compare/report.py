"""The comparison as Markdown: what was run on what, and a table for each mode."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

MODES = {"char": "9 characters", "word": "5 words"}


def markdown(results: dict) -> str:
    """The tables of `results`, as run.py keeps them in results.json, ready to be pasted."""
    return "\n".join([*heading(results), *(line for mode in MODES for line in table(mode, results["rows"]))])


def heading(results: dict) -> Iterator[str]:
    runs = "one run" if results["runs"] == 1 else f"medians of {results['runs']} interleaved runs"
    yield (
        f"`{results['command']}` at {results['commit']}: {results['corpus']}, {results['documents']:,} documents, {results['megabytes']:,} MB "
        f"in the page cache; {runs}. {results['processor']}, {results['cores']} cores, {results['memory_gb']} GB; "
        f"{results['system']}, Python {results['python']}; {results['date']}."
    )
    yield ""


def table(mode: str, rows: list[dict]) -> Iterator[str]:
    of_mode = [row for row in rows if row["mode"] == mode]
    if not of_mode:
        return
    first = next((statistics.median(row["wall"]) for row in of_mode if row["wall"]), None)
    yield f"| Shingles of {MODES[mode]} | Version | Wall, s | × | CPU, s | Peak, MB | Pairs | Recall | Precision |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for row in of_mode:
        if row["status"] != "ok":
            yield f"| {row['name']} | {row['version']} | {row['status']} | | | | | | |"
            continue
        wall, cpu, peak = (statistics.median(row[key]) for key in ("wall", "cpu", "peak"))
        yield (
            f"| {row['name']} | {row['version']} | {wall:.2f} | {wall / first:.1f} | {cpu:.2f} | {peak / 1e6:,.0f} "
            f"| {'–' if row['pairs'] is None else format(row['pairs'], ',')} | {share(row['recall'])} | {share(row['precision'])} |"
        )
    yield ""


def share(value: float | None) -> str:
    """A share that is said to be 1 only where it is."""
    return "–" if value is None else "1" if value == 1 else f"{min(value, 0.9999):.4f}"
