"""Results on the screen."""

from __future__ import annotations

import io

from rich.console import Console

from tilelab.labs import lab
from tilelab.model.grade import Grade
from tilelab.model.result import CriterionResult, Result
from tilelab.screens import results

GUESSED = Result(
    *("amber", "diff", "graded", 81, 100),
    criteria=[
        CriterionResult("correctness", "pass", 60, 60),
        CriterionResult("speed", "estimated", 21, 40),
    ],
)


def test_what_was_not_run_is_shown_beside_the_score() -> None:
    criteria = [
        CriterionResult("correctness", "pass", 60, 60),
        CriterionResult("speed", "not_run", 0, 40),
    ]
    graded = Result("amber", "diff", "graded", 60, 100, criteria=criteria)
    assert results.score_text(graded) == "60 / 60 (+40 not run)"
    assert results.score_text(Result("amber", "diff", "graded", 37.5, 100)) == "37.5 / 100"
    assert results.score_text(Result("amber", "diff", "infra_error", None, 100)) == "not graded"


def test_points_from_an_estimate_are_marked() -> None:
    assert results.score_text(GUESSED) == "81 / 100 (21 of them ESTIMATED)"
    console = Console(width=100, file=io.StringIO())
    results.show_class(console, [lab.load("diff")], [Grade(GUESSED), Grade(GUESSED, None, 1, 0.5)])
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "~40.5* / 100" in shown
    assert "~ has points that are ESTIMATED, not measured, for speed." in shown
    console = Console(width=100, file=io.StringIO())
    results.show_class(console, [lab.load("diff")], [Grade(GUESSED)])
    assert "~81 / 100" in console.file.getvalue()  # type: ignore[attr-defined]
