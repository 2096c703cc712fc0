"""Plots of measured times: each step of a ladder against the GPU's own limit, and against n."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from tilelab import bench, bench_tables, measurement
from tilelab.measurement import Measurement

_BAR_INCHES = 0.28
_WIDTH_INCHES = 7.0


def write(results: Path) -> list[Path]:
    """Writes an SVG per lab beside the results file: nothing where matplotlib is not installed."""
    try:
        figure = importlib.import_module("matplotlib.figure")
        importlib.import_module("matplotlib").rcParams["svg.hashsalt"] = "tilelab"
    except ImportError:
        return []
    written = []
    for lab, one in bench.load(results).items():
        found = {title: measurement.read(one["problems"], title) for title in one["problems"]}
        with_limit = {title: it for title, it in found.items() if it.floor_ms is not None}
        if not with_limit:
            continue
        path = results.with_name(f"{results.stem}_{lab}.svg")
        # Without a date, so that the same figures make the same file.
        _ladder(figure, with_limit).savefig(path, metadata={"Date": None}, bbox_inches="tight")
        written.append(path)
    return written


def _ladder(figure: Any, problems: dict[str, Measurement]) -> Any:
    """A group of bars per problem: the share of the limit that each kernel reaches."""
    bars = sum(len(found.timings) for found in problems.values())
    height = 1.0 + _BAR_INCHES * bars + 0.6 * len(problems)
    drawing = figure.Figure(figsize=(_WIDTH_INCHES, height), layout="constrained")
    rows = [len(found.timings) for found in problems.values()]
    all_axes = drawing.subplots(len(problems), 1, squeeze=False, height_ratios=rows)[:, 0]
    for axes, (title, found) in zip(all_axes, problems.items(), strict=True):
        names = sorted(found.timings, key=bench_tables.place, reverse=True)
        shares = [_percent(found, name) for name in names]
        axes.barh([name.replace("_", " ") for name in names], shares, color="#76b900")
        axes.axvline(100, color="black", linewidth=1)
        axes.set_title(f"{title}: % of {bench_tables.limit(found)}", loc="left", fontsize=10)
        axes.tick_params(labelsize=8)
        for position, share in enumerate(shares):
            axes.annotate(f" {share:.0f}%", (share, position), va="center", fontsize=7)
    return drawing


def _percent(found: Measurement, name: str) -> float:
    share = found.timings[name].share_of_floor
    return 100 * share.value if share else 0.0
