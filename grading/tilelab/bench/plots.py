"""Writes the plots of measured times, if matplotlib is installed."""

from __future__ import annotations

import importlib
from pathlib import Path

from tilelab.bench import ladder, results_file, roofline, scaling


def write(results: Path) -> list[Path]:
    """Writes the SVGs into the folder of the results, or nothing if matplotlib is not installed."""
    try:
        figure = importlib.import_module("matplotlib.figure")
        importlib.import_module("matplotlib").rcParams["svg.hashsalt"] = "tilelab"
    except ImportError:
        return []
    labs = results_file.load(results)
    drawings = {"roofline": roofline.draw(figure, labs)}
    for lab, one in labs.items():
        drawings[lab] = ladder.draw(figure, one)
        drawings[f"{lab}_n"] = scaling.draw(figure, one)
    written = []
    for of, drawing in drawings.items():
        if drawing is None:
            continue
        path = results_file.plot(results, of)
        path.parent.mkdir(exist_ok=True)
        # Without a date, so that the same numbers make the same file.
        drawing.savefig(path, metadata={"Date": None}, bbox_inches="tight")
        written.append(path)
    return written
