"""Functions that draw the figures of the handouts and of the architecture page."""

from __future__ import annotations

from collections.abc import Callable

from tilelab.site.figures.architecture import architecture
from tilelab.site.figures.derivatives import derivatives
from tilelab.site.figures.diff import diff
from tilelab.site.figures.drawing import Drawing
from tilelab.site.figures.first_kernel import first_kernel
from tilelab.site.figures.histogram import histogram
from tilelab.site.figures.matmul import matmul
from tilelab.site.figures.nbody import nbody
from tilelab.site.figures.nearest_neighbor import nearest_neighbor
from tilelab.site.figures.pipeline import pipeline
from tilelab.site.figures.reduction import reduction
from tilelab.site.figures.transpose import transpose

FIGURES: dict[str, Callable[[], Drawing]] = {
    "first_kernel": first_kernel,
    "diff": diff,
    "transpose": transpose,
    "reduction": reduction,
    "nearest_neighbor": nearest_neighbor,
    "matmul": matmul,
    "nbody": nbody,
    "histogram": histogram,
    "derivatives": derivatives,
    "pipeline": pipeline,
    "architecture": architecture,
}
