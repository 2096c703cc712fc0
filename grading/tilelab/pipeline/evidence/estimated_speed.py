"""Estimates a submission's speed for its points, where no GPU measures it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from tilelab.base.errors import InfraError, UserError
from tilelab.base.files import work_folder
from tilelab.estimate import figures
from tilelab.estimate.figures import Figures
from tilelab.model.estimate import EstimatedTime
from tilelab.model.evidence import CriterionEvidence
from tilelab.model.lab import Lab
from tilelab.pipeline import estimating
from tilelab.pipeline.estimating import cross_check
from tilelab.pipeline.harness import missing
from tilelab.pipeline.judge import Workers
from tilelab.pipeline.profiling import profile
from tilelab.pipeline.workers.own import Built


def is_possible() -> bool:
    """Whether this machine has what an estimate needs."""
    return missing.for_estimates() is None and figures.usual() is not None


def estimate(
    text: str, built: Sequence[Built], lab: Lab, seed: int, not_run: str
) -> CriterionEvidence:
    """What an estimate says about a submission that `not_run` says why nobody timed."""
    gpu = figures.usual()
    assert gpu is not None
    try:
        with work_folder() as work:
            found = _estimate(text, built, lab, gpu, seed, work)
    except (InfraError, UserError) as error:
        # The machine's fault costs no points: speed is NOT RUN, as without an estimate.
        found = EstimatedTime(gpu=gpu.name, missing=str(error).rstrip("."))
    return CriterionEvidence(not_run=not_run, estimate=found)


def _estimate(
    text: str, built: Sequence[Built], lab: Lab, gpu: Figures, seed: int, work: Path
) -> EstimatedTime:
    watching = next((one for one in built if one.toolchain.build.is_checked), None)
    if watching is None:
        raise UserError("no checked build observes the launches that it is compared with")
    own = estimating.estimate(text, lab, gpu, watching.toolchain, work)
    found = estimating.beside_ours(own, lab, gpu, watching.toolchain)
    if own.compiled is None:
        return found
    started = Workers({"submission": watching.worker}, watching.source)
    observed = profile.observe(lab, watching.toolchain, started, seed)
    multiprocessors = gpu.values["multiprocessors"]
    problem = cross_check.problem(
        own.compiled, lab, observed, watching.worker, multiprocessors, work
    )
    return replace(found, missing=problem)
