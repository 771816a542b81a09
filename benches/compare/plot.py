"""Log-log plots of time as one SVG picture, in plain Python.

Colours follow the reader's light or dark scheme, and the picture brings its own background for viewers that know neither.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 460, 380
LEFT, RIGHT, TOP, BOTTOM = 62, 84, 52, 54
LINE_HEIGHT = 15
STYLE = """
  .back { fill: #ffffff } .grid { stroke: #e3e6ea } .text { fill: #1f2328 } .soft { fill: #59636e }
  .reference { stroke: #8c959f; stroke-dasharray: 4 4 } .line { fill: none; stroke-width: 2 }
  .s0 { stroke: #0969da } .f0 { fill: #0969da } .s1 { stroke: #bc4c00 } .f1 { fill: #bc4c00 }
  text { font: 12px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif } .title { font-size: 14px }
  @media (prefers-color-scheme: dark) {
    .back { fill: #0d1117 } .grid { stroke: #2d333b } .text { fill: #e6edf3 } .soft { fill: #9198a1 }
    .reference { stroke: #6e7681 }
    .s0 { stroke: #4493f8 } .f0 { fill: #4493f8 } .s1 { stroke: #f0883e } .f1 { fill: #f0883e }
  }
"""


@dataclass(frozen=True)
class Panel:
    """One plot: for each series its name, and its points as (size, seconds)."""

    title: str
    size_label: str
    size_name: Callable[[float], str]
    series: dict[str, list[tuple[float, float]]]


@dataclass(frozen=True)
class Axis:
    """A logarithmic axis from `least` to `most`, at the places from `start` to `end`."""

    least: float
    most: float
    start: float
    end: float

    def place(self, value: float) -> float:
        share = math.log(value / self.least) / math.log(self.most / self.least)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Powers of ten; where there are few of them, what is a third of the way as well."""
        decades = range(math.floor(math.log10(self.least)), math.ceil(math.log10(self.most)) + 1)
        steps = (1, 3) if len(decades) < 4 else (1,)
        ticks = (step * 10.0**decade for decade in decades for step in steps)
        return [tick for tick in ticks if self.least <= tick * 1.0001 and tick <= self.most * 1.0001]


def svg(panels: list[Panel], caption: str) -> str:
    width = WIDTH * len(panels)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" viewBox="0 0 {width} {HEIGHT}" role="img">',
        f"<title>{escape(caption)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="back" width="{width}" height="{HEIGHT}" rx="6"/>',
    ]
    for number, panel in enumerate(panels):
        lines += [f'<g transform="translate({number * WIDTH} 0)">', *draw(panel), "</g>"]
    lines += [text(width / 2, HEIGHT - 8, caption, "soft", "middle"), "</svg>", ""]
    return "\n".join(lines)


def draw(panel: Panel) -> Iterator[str]:
    points = [point for series in panel.series.values() for point in series]
    sizes, seconds = ([point[i] for point in points] for i in (0, 1))
    x = Axis(min(sizes) / 1.3, max(sizes) * 1.3, LEFT, WIDTH - RIGHT)
    y = Axis(min(seconds) / 1.6, max(seconds) * 1.6, HEIGHT - BOTTOM - 16, TOP)
    yield text((x.start + x.end) / 2, 26, panel.title, "text title", "middle")
    for tick in x.ticks():
        yield line([(x.place(tick), y.start), (x.place(tick), y.end)], "grid")
        yield text(x.place(tick), y.start + 18, panel.size_name(tick), "soft", "middle")
    yield text((x.start + x.end) / 2, y.start + 36, panel.size_label, "soft", "middle")
    for tick in y.ticks():
        yield line([(x.start, y.place(tick)), (x.end, y.place(tick))], "grid")
        yield text(x.start - 8, y.place(tick) + 4, f"{tick:g} s", "soft", "end")
    ends = []
    for number, (name, series) in enumerate(panel.series.items()):
        places = [(x.place(size), y.place(second)) for size, second in series]
        yield line([(x.place(size), y.place(second)) for size, second in proportional(series, y.least)], "reference")
        yield line(places, f"line s{number}")
        for place in places:
            yield f'<circle class="f{number}" cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="3.5"/>'
        ends.append((places[-1][1], places[-1][0] + 10, name, f"f{number}"))
    lowest = TOP
    for place, left, name, classes in sorted(ends):
        # Names do not overlap where lines end close to each other.
        lowest = max(place + 4, lowest + LINE_HEIGHT)
        yield text(left, lowest, name, classes, "start")


def proportional(series: list[tuple[float, float]], least: float) -> list[tuple[float, float]]:
    """The ends of the line of times in proportion to size through the last point, as far down as `least` seconds."""
    (first, _), (last, seconds) = series[0], series[-1]
    return [(max(first, last * least / seconds), max(seconds * first / last, least)), (last, seconds)]


def line(places: list[tuple[float, float]], classes: str) -> str:
    return f'<polyline class="{classes}" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}"/>'


def text(x: float, y: float, words: str, classes: str, anchor: str) -> str:
    return f'<text class="{classes}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'
