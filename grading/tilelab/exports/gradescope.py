"""Gradescope's results.json: what its autograder's container hands over about one submission.

Lateness is Gradescope's own business, so what a late file loses here is not taken off.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from tilelab.base.errors import UserError
from tilelab.base.text import points, printable
from tilelab.model.grade import Grade
from tilelab.model.result import CriterionResult

# Gradescope takes the text about a whole submission for HTML unless it is told otherwise.
_PLAIN = {"output_format": "text", "test_output_format": "text", "test_name_format": "text"}


def text(grades: Sequence[Grade]) -> str:
    """The file for the one submission. Raises UserError if it has no grade: 0 would be wrong."""
    [grade] = grades
    if grade.result.score is None:
        raise UserError(
            f"{grade.result.student}/{grade.result.lab} has no grade because of a machine error, "
            "and Gradescope has no other word for that than no results.json: grade it again"
        )
    return _json(_results(grade))


def unfinished(lab: str, max_points: float) -> str:
    """The file to write before grading starts. It stays if Gradescope stops the container."""
    says = (
        f"Grading {lab} did not finish in the time that Gradescope allows. Ask your instructor "
        "for a longer limit, or to run the autograder again."
    )
    test = {"name": lab, "score": 0, "max_score": max_points, "output": says}
    return _json({**_PLAIN, "output": says, "tests": [test]})


def _results(grade: Grade) -> dict[str, Any]:
    result = grade.result
    ran = [one for one in result.criteria if one.status != "not_run"]
    tests = [_test(one) for one in ran] or [_refused(grade)]
    tests += [_by_hand(points, text) for points, text in _hands(grade)]
    lines = [*result.messages, *(_left_out(one) for one in result.criteria if one not in ran)]
    record = {"lab": result.lab, "verdict": result.verdict, "sha256": result.sha256}
    shown: dict[str, Any] = {
        **_PLAIN,
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "output": printable("\n".join(lines)),
        "tests": tests,
        "extra_data": {**record, "not_run": grade.not_run},
    }
    speedup = _speedup(result.criteria)
    if speedup is not None:
        shown["leaderboard"] = [{"name": "times the baseline's speed", "value": speedup}]
    return shown


def _test(criterion: CriterionResult) -> dict[str, Any]:
    return {
        "name": criterion.title,
        "score": criterion.points,
        "max_score": criterion.max,
        "status": "failed" if criterion.falls_short else "passed",
        "output": printable("\n".join(criterion.messages)),
        "extra_data": {"status": criterion.status},
    }


def _hands(grade: Grade) -> Iterator[tuple[float, str]]:
    """What people gave or took, and why."""
    if grade.adjustment:
        yield grade.adjustment.points, grade.adjustment.comment
    for one in grade.remarks:
        yield one.points, f"Line {one.line}: {one.text}" if one.line else one.text


def _by_hand(points: float, text: str) -> dict[str, Any]:
    return {"name": "points added by a person", "score": points, "output": printable(text)}


def _refused(grade: Grade) -> dict[str, Any]:
    """The one test of a file that never got to the tests."""
    says = printable("\n".join(grade.result.messages))
    return {
        "name": f"{grade.result.lab}: {grade.result.verdict.replace('_', ' ')}",
        "score": grade.result.score,
        "max_score": grade.result.max,
        "status": "failed",
        "output": says,
    }


def _left_out(criterion: CriterionResult) -> str:
    """A test without points would look failed, so what was not run is a line."""
    says = " ".join(criterion.messages)
    return f"{criterion.name} ({points(criterion.max)} points, not counted here): {says}"


def _speedup(criteria: list[CriterionResult]) -> float | None:
    own = (rung for one in criteria for rung in one.ladder if rung.is_own)
    return next((round(rung.speedup, 3) for rung in own), None)


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, indent=2) + "\n"
