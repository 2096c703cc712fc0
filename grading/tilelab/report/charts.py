"""Distributions as bars, with numbers that a page can draw."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from tilelab.base.text import counted

WIDTH, HEIGHT = 360, 176
_TOP, _BOTTOM, _SIDE = 22, 30, 8
_GAP = 3

# How many bars show speedups.
_SPEED_BINS = 12


@dataclass(frozen=True)
class Bar:
    """A bar and its range, "80 to 89%"."""

    x: float
    y: float
    width: float
    height: float
    count: int
    range: str


@dataclass(frozen=True)
class Mark:
    """A word below the axis, with a line up to the top if it marks a kernel of the lab."""

    x: float
    text: str
    is_line: bool = False


@dataclass(frozen=True)
class Chart:
    """A distribution. `says` is what somebody hears who cannot see it."""

    bars: list[Bar]
    marks: list[Mark]
    says: str
    caption: str


def shares(values: Sequence[float]) -> Chart:
    """How many got which share of the points. All points, and more, have a bar of their own."""
    counts = [0] * 11
    for value in values:
        # 0.7 of 1 may come out as 0.6999.
        counts[max(0, min(10, math.floor(10 * value + 1e-9)))] += 1
    ranges = [f"{10 * i} to {10 * i + 9}%" for i in range(10)] + ["100%"]
    bars = _bars(counts, ranges)
    shown = (0, 5, 10)
    marks = [Mark(bars[i].x + bars[i].width / 2, f"{10 * i}%") for i in shown]
    median = f"median {100 * statistics.median(values):.0f}%" if values else "nobody yet"
    return Chart(bars, marks, _says(bars), f"{counted(len(values), 'file')}, {median}")


def speedups(values: Sequence[float], reference: float) -> Chart:
    """How many are how many times as fast as the baseline, on a logarithmic axis."""
    low, high = min([*values, 1.0]), max([*values, reference])
    step = max(math.log(high / low) / _SPEED_BINS, 1e-6)

    def place(value: float) -> float:
        return math.log(value / low) / step

    counts = [0] * _SPEED_BINS
    for value in values:
        counts[min(_SPEED_BINS - 1, int(place(value)))] += 1
    edges = [low * math.exp(step * i) for i in range(_SPEED_BINS + 1)]
    ranges = [f"{edges[i]:.2f} to {edges[i + 1]:.2f}" for i in range(_SPEED_BINS)]
    room = (WIDTH - 2 * _SIDE) / _SPEED_BINS
    marks = [
        Mark(_SIDE + room * place(1.0), "baseline", is_line=True),
        Mark(_SIDE + room * place(reference), f"reference {reference:.2f}", is_line=True),
    ]
    bars = _bars(counts, ranges)
    caption = (
        f"{len(values)} timed, median {statistics.median(values):.2f} times as fast as the baseline"
    )
    return Chart(bars, marks, _says(bars), caption)


def _bars(counts: Sequence[int], ranges: Sequence[str]) -> list[Bar]:
    room = (WIDTH - 2 * _SIDE) / len(counts)
    most = max([*counts, 1])
    bars = []
    for i, (count, name) in enumerate(zip(counts, ranges, strict=True)):
        height = (HEIGHT - _TOP - _BOTTOM) * count / most
        y = HEIGHT - _BOTTOM - height
        bars.append(Bar(_SIDE + room * i + _GAP / 2, y, room - _GAP, height, count, name))
    return bars


def _says(bars: Sequence[Bar]) -> str:
    return "; ".join(f"{bar.range}: {bar.count}" for bar in bars if bar.count)
