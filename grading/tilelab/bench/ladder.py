"""Plots a lab's ladder: the share of the GPU's peak that each kernel reaches."""

from __future__ import annotations

from typing import Any

from tilelab.bench import tables
from tilelab.bench.results_file import Timed
from tilelab.model.measurement import Measurement
from tilelab.score import measurement

_BAR_INCHES = 0.28
_WIDTH_INCHES = 7.0


def draw(figure: Any, one: Timed) -> Any | None:
    """Draws a group of bars per problem. None if no peak was measured."""
    found = {title: measurement.of(one.problems, title) for title in one.problems}
    with_peak = {title: it for title, it in found.items() if it.peak is not None}
    return _groups(figure, with_peak) if with_peak else None


def _groups(figure: Any, problems: dict[str, Measurement]) -> Any:
    bars = sum(len(found.timings) for found in problems.values())
    height = 1.0 + _BAR_INCHES * bars + 0.6 * len(problems)
    drawing = figure.Figure(figsize=(_WIDTH_INCHES, height), layout="constrained")
    rows = [len(found.timings) for found in problems.values()]
    all_axes = drawing.subplots(len(problems), 1, squeeze=False, height_ratios=rows)[:, 0]
    for axes, (title, found) in zip(all_axes, problems.items(), strict=True):
        names = sorted(found.timings, key=tables.place, reverse=True)
        shares = [_percent(found, name) for name in names]
        axes.barh([name.replace("_", " ") for name in names], shares, color="#76b900")
        axes.axvline(100, color="black", linewidth=1)
        axes.margins(x=0.1)  # room for the label of the longest bar
        axes.set_title(f"{title}: % of {tables.peak(found)}", loc="left", fontsize=10)
        axes.tick_params(labelsize=8)
        for position, share in enumerate(shares):
            axes.annotate(f" {share:.0f}%", (share, position), va="center", fontsize=7)
    return drawing


def _percent(found: Measurement, name: str) -> float:
    share = found.timings[name].share_of_peak
    return 100 * share.value if share else 0.0
