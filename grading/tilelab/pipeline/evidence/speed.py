"""Times a submission on a GPU, for its points."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tilelab.model.evidence import CriterionEvidence
from tilelab.model.lab import Criterion, Lab
from tilelab.model.result import CriterionResult
from tilelab.pipeline import judge
from tilelab.pipeline.judge import Workers
from tilelab.pipeline.records.stages import Worker
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.pipeline.workers import own
from tilelab.score import measurement, results


@dataclass(frozen=True)
class Timed:
    """The result of the criterion speed, and the speedup that was measured for it."""

    result: CriterionResult
    speedup: float | None  # None if the measurement did not finish


def measure(criterion: Criterion, worker: Worker, lab: Lab, seed: int) -> CriterionEvidence:
    """Times a submission, a second time if the first one leaves the points open.

    Raises InfraError.
    """
    assert criterion.curve is not None
    if why := own.missing_for_speed(lab, criterion.curve.ladder):
        return CriterionEvidence(not_run=why)
    timed = _time_once(criterion, worker, lab, seed)
    if results.of_criterion(criterion, timed, lab).status != "not_run":
        return timed
    return _time_once(criterion, worker, lab, seed)


def _time_once(criterion: Criterion, worker: Worker, lab: Lab, seed: int) -> CriterionEvidence:
    assert criterion.curve is not None
    tool = worker.toolchain
    programs = {"submission": worker.program, "peaks": tool.peaks}
    programs |= own.own_workers(lab, tool)
    programs |= own.ladder_workers(lab, tool, criterion.curve.ladder)
    judgment = judge.run(lab, tool, criterion.name, Workers(programs), seed)
    return CriterionEvidence(tuple(judgment.cases), judgment.measurements)


def grade_own(path: Path, lab: Lab, toolchain: Toolchain, seed: int) -> Timed:
    """Grades the speed of one of the lab's own files, whose worker is built only once.

    Raises InfraError.
    """
    (criterion,) = (one for one in lab.criteria if one.curve)
    worker = Worker(toolchain, own.own_worker(path, lab, toolchain), path)
    timed = measure(criterion, worker, lab, seed)
    result = results.of_criterion(criterion, timed, lab)
    if timed.falls_short or timed.not_run:
        return Timed(result, None)
    speed = measurement.of(timed.times, "speed")
    return Timed(result, speed.timings["submission"].speedup.value)
