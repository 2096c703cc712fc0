"""Times a submission on a GPU, for its points."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tilelab.pipeline import judge, workers
from tilelab.pipeline.judge import Workers
from tilelab.pipeline.toolchain import Toolchain
from tilelab.pipeline.workers import Built
from tilelab.score import measurement, scoring
from tilelab.score.lab import Criterion, Lab
from tilelab.score.records import CriterionResult


@dataclass(frozen=True)
class Timed:
    """The result of the criterion speed, and the speedup that was measured for it."""

    result: CriterionResult
    speedup: float | None  # None if the measurement did not finish


def grade(
    criterion: Criterion, one: Built, lab: Lab, seed: int, *, released: bool = False
) -> Timed:
    """Grades speed. Measures a second time if the first one leaves the points open.

    `released` is for times that look impossible; see scoring.from_speed().
    """
    assert criterion.curve is not None
    if why := workers.missing_for_speed(lab, criterion.curve.ladder):
        return Timed(scoring.not_run(criterion, why), None)
    timed = _time_once(criterion, one, lab, seed, released)
    if timed.result.status != "not_run":
        return timed
    return _time_once(criterion, one, lab, seed, released)


def _time_once(criterion: Criterion, one: Built, lab: Lab, seed: int, released: bool) -> Timed:
    assert criterion.curve is not None
    tool = one.toolchain
    programs = {"submission": one.worker, "peaks": tool.peaks}
    programs |= workers.own_workers(one, lab)
    programs |= workers.ladder_workers(one, lab, criterion.curve.ladder)
    judgment = judge.run(lab, tool, criterion.name, Workers(programs), seed)
    if not all(case.passed for case in judgment.cases):
        return Timed(scoring.from_cases(criterion, judgment.cases, lab), None)
    notes = [note for case in judgment.cases for note in case.texts]
    speed = measurement.read(judgment.measurements, "speed")
    result = scoring.from_speed(criterion, criterion.curve, speed, notes, released=released)
    return Timed(result, speed.timings["submission"].speedup.value)


def grade_own(path: Path, lab: Lab, toolchain: Toolchain, seed: int) -> Timed:
    """Grades the speed of one of the lab's own files, whose worker is built only once.

    Raises InfraError.
    """
    (criterion,) = (one for one in lab.criteria if one.curve)
    worker = workers.own_worker(path, lab, toolchain, toolchain.fast)
    return grade(criterion, Built(toolchain, toolchain.fast, worker, path), lab, seed)
