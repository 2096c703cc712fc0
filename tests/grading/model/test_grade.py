"""Grades: what counts of a result."""

from __future__ import annotations

import pytest

from tilelab.model.grade import Adjustment, Grade
from tilelab.model.result import CriterionResult, Result


def graded(score: float | None) -> Result:
    criteria = [CriterionResult("speed", "not_run", 0, 40)]
    return Result("amber", "diff", "graded" if score else "infra_error", score, 100, "", criteria)


def changed(points: float) -> Adjustment:
    return Adjustment(points, "why", "ada", "2027-03-01T00:00:00Z")


@pytest.mark.parametrize(
    ("score", "lost", "added", "counts"),
    [
        (60.0, 0.0, None, 60.0),
        (60.0, 0.25, None, 45.0),
        (60.0, 0.25, 5.0, 50.0),  # a person's points are not late
        (60.0, 0.0, -70.0, 0.0),
        (None, 0.0, None, None),
        (None, 0.0, 70.0, 70.0),
    ],
)
def test_the_points_that_count(
    score: float | None, lost: float, added: float | None, counts: float | None
) -> None:
    adjustment = None if added is None else changed(added)
    assert Grade(graded(score), lost_share=lost, adjustment=adjustment).score == counts


def test_points_that_were_not_run() -> None:
    assert Grade(graded(60)).not_run == 40
