"""Functions that draw the figures of the handouts and of the architecture page."""

from __future__ import annotations

from collections.abc import Callable

from tilelab.site.figures.architecture import architecture
from tilelab.site.figures.derivatives import derivatives
from tilelab.site.figures.diff import diff
from tilelab.site.figures.drawing import Drawing
from tilelab.site.figures.first_kernel import first_kernel
from tilelab.site.figures.nbody import nbody
from tilelab.site.figures.nearest_neighbor import nearest_neighbor
from tilelab.site.figures.transpose import transpose

FIGURES: dict[str, Callable[[], Drawing]] = {
    "first_kernel": first_kernel,
    "diff": diff,
    "transpose": transpose,
    "nearest_neighbor": nearest_neighbor,
    "nbody": nbody,
    "derivatives": derivatives,
    "architecture": architecture,
}
