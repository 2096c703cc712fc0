"""Turns evidence into a result, by the points of the lab. Nothing is run for that."""

from __future__ import annotations

from collections.abc import Mapping

from tilelab.base.errors import InfraError
from tilelab.base.text import printable
from tilelab.model import evidence as evidences
from tilelab.model.evidence import CriterionEvidence, Evidence
from tilelab.model.lab import Criterion, Lab
from tilelab.model.result import CriterionResult, Result
from tilelab.score import measurement, scoring


def of(evidence: Evidence, lab: Lab, student: str = "", *, released: bool = False) -> Result:
    """The result of a student whose file this evidence is about.

    `released` is for times that look impossible; see scoring.from_speed().
    """
    if evidence.verdict != "graded":
        return _without_tests(evidence, lab, student)
    try:
        criteria = _criteria(evidence, lab, released)
    except InfraError as error:
        failed = evidences.infra_error(printable(str(error)), evidence.sha256)
        return _without_tests(failed, lab, student)
    return Result(
        student,
        lab.name,
        "graded",
        round(sum(criterion.points for criterion in criteria), 2),
        lab.max_points,
        evidence.sha256,
        criteria,
        list(evidence.messages),
        printed=evidence.printed,
        errors=evidence.errors,
        remark=evidence.remark,
        source=evidence.source,
        estimate=next((one.estimate for one in evidence.tested.values() if one.estimate), None),
        calls=evidence.calls,
    )


def of_criterion(
    criterion: Criterion, tested: CriterionEvidence, lab: Lab, *, released: bool = False
) -> CriterionResult:
    """The result of one criterion. Raises InfraError if its times cannot be used."""
    if tested.not_run and tested.estimate and criterion.estimated and criterion.curve:
        return scoring.from_estimate(
            criterion, criterion.curve, tested.estimate, tested.not_run, released=released
        )
    if tested.not_run:
        return scoring.not_run(criterion, tested.not_run)
    if criterion.curve is None or tested.falls_short:
        return scoring.from_cases(criterion, tested.cases, lab)
    speed = measurement.of(tested.times, "speed")
    notes = [note for case in tested.cases for note in case.texts]
    return scoring.from_speed(criterion, criterion.curve, speed, notes, released=released)


def _without_tests(evidence: Evidence, lab: Lab, student: str) -> Result:
    score = None if evidence.verdict == "infra_error" else 0.0
    unjudged = sum(one.points for one in lab.criteria if one.name in evidence.tested)
    return Result(
        student,
        lab.name,
        evidence.verdict,
        score,
        lab.max_points - unjudged,
        evidence.sha256,
        messages=list(evidence.messages),
        source=evidence.source,
    )


def _criteria(evidence: Evidence, lab: Lab, released: bool) -> list[CriterionResult]:
    results = []
    for criterion in lab.criteria:
        tested = evidence.tested.get(criterion.name)
        missed = first_missed(criterion, evidence.tested)
        if missed and not (tested and tested.not_run and not tested.estimate):
            why = f"Counts only after every test of {missed} passes."
            results.append(scoring.failed(criterion, why))
        elif tested is None:
            results.append(
                scoring.not_run(criterion, "was not part of the lab when it was graded.")
            )
        else:
            results.append(of_criterion(criterion, tested, lab, released=released))
    return results


def first_missed(criterion: Criterion, tested: Mapping[str, CriterionEvidence]) -> str | None:
    """The first criterion that this one depends on and that has not been passed."""
    return next(
        (name for name in criterion.after if name in tested and tested[name].falls_short), None
    )
