"""Writes the plots of measured times, if matplotlib is installed."""

from __future__ import annotations

import importlib
import io
from pathlib import Path

from tilelab.bench import ladder, results_file, roofline, scaling, short_svg

# The same numbers make the same file. Words stay words, because outlines of letters take far more
# room than the data.
_NOTHING = dict.fromkeys(("Date", "Creator", "Format", "Type"))
_SVG = {"svg.hashsalt": "tilelab", "svg.fonttype": "none"}


def write(results: Path) -> list[Path]:
    """Writes the SVGs into the folder of the results, or nothing if matplotlib is not installed."""
    try:
        figure = importlib.import_module("matplotlib.figure")
        importlib.import_module("matplotlib").rcParams.update(_SVG)
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
        written_as = io.StringIO()
        drawing.savefig(written_as, format="svg", metadata=_NOTHING, bbox_inches="tight")
        path.write_text(short_svg.of(written_as.getvalue()), encoding="utf-8")
        written.append(path)
    return written
