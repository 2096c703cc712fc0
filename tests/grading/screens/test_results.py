"""Results on the screen."""

from __future__ import annotations

from tilelab.score.records import CriterionResult, Result
from tilelab.screens import results


def test_what_was_not_run_is_shown_beside_the_score() -> None:
    criteria = [
        CriterionResult("correctness", "pass", 60, 60),
        CriterionResult("speed", "not_run", 0, 40),
    ]
    graded = Result("amber", "diff", "graded", 60, 100, criteria=criteria)
    assert results.score_text(graded) == "60 / 60 (+40 not run)"
    assert results.score_text(Result("amber", "diff", "graded", 37.5, 100)) == "37.5 / 100"
    assert results.score_text(Result("amber", "diff", "infra_error", None, 100)) == "not graded"
