"""Draws a roofline plot of all labs: operations per second over operations per byte.

The bytes are the least that a problem has to move, so all kernels of a problem have the same x.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from tilelab.bench.results_file import Results, Timed
from tilelab.model.measurement import Measurement, Work
from tilelab.score import measurement

_INCHES = (8.0, 5.0)
_KERNELS = {"baseline": "o", "reference": "s", "fastest step": "^"}
_COLORS = ("#1f77b4", "#d62728", "#548500", "#9467bd", "#ff7f0e", "#17becf", "#8c564b")
_OPERATIONS_PER_MULTIPLY_ADD = 2
_NEAR = 3  # columns less than this factor apart share a block of labels
_LINE_POINTS = 9


@dataclass(frozen=True)
class Column:
    """A problem: its operations per byte, and the operations per second of each of _KERNELS.

    `rates` has no "fastest step" if the lab has no ladder.
    """

    lab: str
    title: str
    intensity: float
    rates: dict[str, float]


@dataclass(frozen=True)
class Roofs:
    """The most that the machine does per second, None where it was not measured."""

    bytes: float | None
    operations: float | None

    def at(self, intensity: float) -> float:
        slope = None if self.bytes is None else self.bytes * intensity
        return min(one for one in (slope, self.operations) if one is not None)


def draw(figure: Any, labs: Results) -> Any | None:
    """Draws the plot. None if the problems' work or the machine's peaks were not measured."""
    columns_, roofs_ = columns(labs), roofs(labs)
    if not columns_ or roofs_ == Roofs(None, None):
        return None
    drawing = figure.Figure(figsize=_INCHES, layout="constrained")
    axes = drawing.subplots()
    color = dict(zip(labs, _COLORS * len(labs), strict=False))
    _roofs(axes, roofs_, columns_)
    for column in columns_:
        for kernel, rate in column.rates.items():
            # Not filled, so that what is behind stays visible.
            style = {"markerfacecolor": "none", "markersize": 7, "color": color[column.lab]}
            axes.plot([column.intensity], [rate], _KERNELS[kernel], **style)
    _labels(axes, columns_, color)
    axes.set_ylim(bottom=min(min(column.rates.values()) for column in columns_) / 300)
    for kernel, marker in _KERNELS.items():
        axes.plot([], [], marker, color="black", markerfacecolor="none", label=kernel)
    axes.legend(fontsize=8, loc="lower right")
    axes.set_xlabel("operations per byte of the least traffic", fontsize=9)
    axes.set_ylabel("operations per second", fontsize=9)
    axes.grid(True, which="major", color="#eeeeee", linewidth=0.6)
    axes.minorticks_off()
    axes.tick_params(labelsize=8)
    return drawing


def columns(labs: Results) -> list[Column]:
    """The problems whose work is known, without those that only move data: 0 has no logarithm."""
    found = []
    for lab, one in labs.items():
        for title, measured in _read(one):
            if measured.work is not None and measured.work.operations > 0:
                found.append(_column(lab, title, measured, measured.work))
    return found


def roofs(labs: Results) -> Roofs:
    """The highest peak that was measured with any of the problems."""
    best: dict[str, float] = {}
    for one in labs.values():
        for _, it in _read(one):
            if it.work and it.peak:
                rate = it.peak.amount / it.peak.ms * 1000
                best[it.peak.of] = max(rate, best.get(it.peak.of, 0.0))
    instructions = best.get("instructions")
    return Roofs(
        best.get("bytes"),
        None if instructions is None else _OPERATIONS_PER_MULTIPLY_ADD * instructions,
    )


def _read(one: Timed) -> list[tuple[str, Measurement]]:
    return [(title, measurement.of(one.problems, title)) for title in one.problems]


def _column(lab: str, title: str, measured: Measurement, work: Work) -> Column:
    rates = {
        name: 1000 * work.operations / measured.milliseconds(name) for name in measured.timings
    }
    found = {name: rate for name, rate in rates.items() if name in _KERNELS}
    if steps := [rate for name, rate in rates.items() if name not in _KERNELS]:
        found["fastest step"] = max(steps)
    return Column(lab, title, work.operations / work.bytes, found)


def _roofs(axes: Any, roofs_: Roofs, columns_: list[Column]) -> None:
    xs = [column.intensity for column in columns_]
    left, right = min(xs) / 2, max(xs) * 4
    ridge = right
    if roofs_.bytes is not None and roofs_.operations is not None:
        ridge = roofs_.operations / roofs_.bytes
    xs = sorted([left, ridge, right])
    axes.loglog(xs, [roofs_.at(x) for x in xs], color="black", linewidth=1)
    if roofs_.bytes is not None:
        says = f"GPU's own copy: {roofs_.bytes / 1e12:.2f} TB/s"
        at = (ridge / 4, roofs_.at(ridge / 4))
        _annotate(axes, says, at, (-6, 0), ha="right")
    if roofs_.operations is not None:
        says = f"GPU's multiply-adds: {roofs_.operations / 1e12:.1f} T operations/s"
        _annotate(axes, says, (right, roofs_.at(right)), (0, 6), ha="right")


def _labels(axes: Any, columns_: list[Column], color: dict[str, str]) -> None:
    """Names each problem below its points, in a block of lines where columns are close.

    Names go to the right, because the roof rises to the right.
    """
    in_order = sorted(columns_, key=lambda column: column.intensity)
    first = in_order[0].intensity
    starts = []
    for column in in_order:
        if column.intensity >= _NEAR * first:
            first = column.intensity
        starts.append(first)
    for _, pairs in groupby(zip(starts, in_order, strict=True), key=lambda pair: pair[0]):
        block = [column for _, column in pairs]
        at = (block[0].intensity, min(min(column.rates.values()) for column in block))
        below = 8
        for column in block:
            for text in (column.lab.replace("_", " "), column.title):
                _annotate(axes, text, at, (-3, -below), color=color[column.lab], va="top")
                below += _LINE_POINTS


def _annotate(
    axes: Any, text: str, at: tuple[float, float], by: tuple[float, float], **style: Any
) -> None:
    style = {"fontsize": 7, "ha": "left", **style}
    axes.annotate(text, at, xytext=by, textcoords="offset points", **style)
