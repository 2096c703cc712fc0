"""Estimates a submission's speed for its points, where no GPU measures it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from tilelab.base.errors import CompileError, InfraError, UserError
from tilelab.base.files import work_folder
from tilelab.estimate import figures
from tilelab.estimate.figures import Figures
from tilelab.model.estimate import EstimatedTime
from tilelab.model.lab import Lab
from tilelab.pipeline import estimating
from tilelab.pipeline.estimating import cross_check, trial
from tilelab.pipeline.harness import missing
from tilelab.pipeline.judge import Workers, observing
from tilelab.pipeline.records.stages import Inspected, Worker

_SALTS = 1 << 62  # this many


def lacking(lab: Lab) -> str | None:
    """Why no file's time can be estimated on this machine, None if one can."""
    if figures.usual() is None:
        return "this copy of TileLab has no figures of a GPU"
    if lab.estimate is None:
        return "the lab does not say for which problem"
    needed = missing.for_estimates()
    return f"that needs {needed}" if needed else None


def estimate(inspected: Inspected, workers: Sequence[Worker], seed: int) -> EstimatedTime:
    """The time of a submission, or why it cannot be estimated, where none is lacking()."""
    gpu = figures.usual()
    assert gpu is not None, "lacking() says so"
    try:
        with work_folder() as work:
            return _estimate(inspected, workers, gpu, seed, work)
    except (CompileError, InfraError, UserError) as error:
        # The machine's fault costs no points: speed is NOT RUN, as without an estimate.
        return EstimatedTime(gpu=gpu.name, missing=str(error).rstrip("."))


def _estimate(
    inspected: Inspected, workers: Sequence[Worker], gpu: Figures, seed: int, work: Path
) -> EstimatedTime:
    watching = next((one for one in workers if one.toolchain.build.is_checked), None)
    if watching is None:
        raise UserError("no checked build observes the launches that it is compared with")
    lab, toolchain = inspected.lab, watching.toolchain
    own = estimating.estimate(inspected, gpu, toolchain, work, seed % _SALTS + 1)
    found = estimating.beside_ours(own, lab, gpu, toolchain)
    if own.recorder is None:
        return found
    started = Workers({"submission": watching.program}, watching.source)
    observed = observing.observe(lab, toolchain, started, seed)
    multiprocessors = gpu.values["multiprocessors"]
    problem = cross_check.problem(own.recorder, observed, watching.program, multiprocessors, work)
    if problem is None and lab.estimate is not None:
        problem = trial.problem(
            own.recorder, lab.estimate.calls, own.recorded, own.simulated, multiprocessors, work
        )
    return replace(found, missing=problem)
