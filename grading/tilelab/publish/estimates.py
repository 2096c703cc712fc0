"""Estimates the lab's own kernels, for a copy that lacks their source.

`check` prints the reference solution's estimate anyway.
"""

from __future__ import annotations

from pathlib import Path

from tilelab.estimate import figures
from tilelab.model.lab import Lab
from tilelab.pipeline import estimating
from tilelab.pipeline.estimating import published
from tilelab.pipeline.harness import missing
from tilelab.pipeline.records.toolchain import Toolchain


def estimates(lab: Lab, toolchain: Toolchain) -> dict[Path, bytes]:
    """labs/NAME/reference/estimates.json; none if estimates give no points or cannot be made here.

    Raises InfraError.
    """
    gpu = figures.usual()
    curves = [one.curve for one in lab.criteria if one.estimated and one.curve]
    if gpu is None or not curves or missing.for_estimates():
        return {}
    paths = [lab.reference, *(lab.step(one.half) for one in curves if one.half)]
    times = {path.stem: estimating.of_ours(path, lab, gpu, toolchain) for path in paths}
    return {published.file_of(lab): published.text(times, gpu).encode()}
