"""What scaling.py measured, as Markdown tables and as a picture."""

from __future__ import annotations

from collections.abc import Iterator

from plot import Panel, svg


def picture(results: dict) -> str:
    panels = [
        Panel("Folders of text files", "bytes of text", megabytes_name, series(results["bytes"], "bytes")),
        Panel("Records of 400 bytes", "documents", count_name, series(results["documents"], "documents")),
    ]
    processor = f"{results['processor']}, {results['cores']} cores, {results['date']}"
    return svg(panels, f"dedup scan --signature fast; dashed: in proportion to size. {processor}")


def series(measured: list[dict], size: str) -> dict[str, list[tuple[float, float]]]:
    points: dict[str, list[tuple[float, float]]] = {}
    for one in measured:
        name = "1 thread" if one["threads"] == 1 else f"{one['threads']} threads"
        points.setdefault(name, []).append((one[size], one["wall"]))
    return points


def megabytes_name(size: float) -> str:
    return f"{size / 1e9:g} GB" if size >= 1e9 else f"{size / 1e6:g} MB"


def count_name(count: float) -> str:
    return f"{count / 1e6:g} M" if count >= 1e6 else f"{count / 1e3:g} k" if count >= 1e3 else f"{count:g}"


def markdown(results: dict) -> str:
    parts = [heading(results), growth(results["bytes"]), growth(results["documents"]), crowded(results["crowded"])]
    return "\n".join(line for part in [*parts, reading(results["reading"])] for line in [*part, ""])


def heading(results: dict) -> Iterator[str]:
    runs = "one run" if results["runs"] == 1 else f"medians of {results['runs']} runs"
    yield (
        f"`{results['command']}` at {results['commit']}: `dedup scan --signature fast` on corpora in the page cache, {runs}. "
        f"{results['processor']}, {results['cores']} cores, {results['memory_gb']} GB; {results['system']}; {results['date']}."
    )


def growth(measured: list[dict]) -> Iterator[str]:
    yield (
        "| Corpus | Documents | Pairs | 1 thread, s | 2 threads, s | × | MB/s | Documents/s | Peak, MB | By the formula, MB |"
    )
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for one, two in zip(measured[::2], measured[1::2]):
        yield (
            f"| {two['corpus'].removesuffix('.jsonl')} | {two['documents']:,} | {two['pairs']:,} "
            f"| {one['wall']:.2f} | {two['wall']:.2f} | {one['wall'] / two['wall']:.2f} "
            f"| {two['bytes'] / two['wall'] / 1e6:,.0f} | {two['documents'] / two['wall']:,.0f} "
            f"| {two['peak'] / 1e6:,.0f} | {two['formula'] / 1e6:,.0f} |"
        )


def crowded(measured: list[dict]) -> Iterator[str]:
    yield "| Corpus | MB | Pairs | 2 threads, s | More than the others alone, s | Pairs/s of that | Peak, MB |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    alone = measured[0]
    for one in measured:
        more = one["wall"] - alone["wall"]
        rate = f"{(one['pairs'] - alone['pairs']) / more:,.0f}" if one is not alone and more > 0 else "–"
        yield (
            f"| {one['corpus'].removesuffix('.jsonl')} | {one['bytes'] / 1e6:,.1f} | {one['pairs']:,} | {one['wall']:.2f} "
            f"| {'–' if one is alone else f'{more:.2f}'} | {rate} | {one['peak'] / 1e6:,.0f} |"
        )


def reading(readings: list[dict]) -> Iterator[str]:
    yield "| Folder | Files | MB | `find \\| xargs cat`, s | 2 threads, s | × |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for one in readings:
        yield (
            f"| {one['folder']} | {one['files']:,} | {one['bytes'] / 1e6:,.1f} | {one['read']:.3f} | {one['scan']:.2f} "
            f"| {one['scan'] / one['read']:.1f} |"
        )
