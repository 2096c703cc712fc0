"""Plots time against n, with a line per kernel."""

from __future__ import annotations

from typing import Any

from tilelab.bench import tables
from tilelab.bench.results_file import Timed
from tilelab.score import measurement

_INCHES = (6.0, 3.6)
_MARKERS = {"baseline": "o", "reference": "s"}
_COLORS = {"baseline": "#888888", "reference": "#1f77b4"}
_OF_A_STEP = ("^", "#76b900")


def draw(figure: Any, one: Timed) -> Any | None:
    """Draws the plot. None if no time against n was measured."""
    if not (found := lines(one)):
        return None
    drawing = figure.Figure(figsize=_INCHES, layout="constrained")
    axes = drawing.subplots()
    for name in sorted(found, key=tables.place):
        marker, color = _MARKERS.get(name, _OF_A_STEP[0]), _COLORS.get(name, _OF_A_STEP[1])
        ns, milliseconds = zip(*found[name], strict=True)
        label = name.replace("_", " ")
        axes.loglog(ns, milliseconds, marker=marker, color=color, label=label, markersize=5)
    axes.set_xlabel("n (elements)", fontsize=9)
    axes.set_ylabel("ms per launch", fontsize=9)
    axes.grid(True, which="major", color="#dddddd", linewidth=0.6)
    axes.minorticks_off()
    axes.tick_params(labelsize=8)
    axes.legend(fontsize=8)
    return drawing


def lines(one: Timed) -> dict[str, list[tuple[int, float]]]:
    """Pairs of n and milliseconds for each kernel, sorted by n."""
    metrics = one.scaling
    found: dict[str, list[tuple[int, float]]] = {}
    for title in metrics:
        measured = measurement.of(metrics, title)
        if measured.work is None:
            continue
        for name in measured.timings:
            found.setdefault(name, []).append((measured.work.n, measured.milliseconds(name)))
    return {name: sorted(pairs) for name, pairs in found.items()}
