"""Results on the screen."""

from __future__ import annotations

import io

import pytest
from msgspec.structs import replace
from rich.console import Console

from tilelab.labs import lab
from tilelab.model.grade import Grade
from tilelab.model.result import CriterionResult, Result, Status
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


@pytest.mark.parametrize("rest", ["not_run", "estimated", "fail"])
def test_a_lab_that_was_estimated_for_some_files_is_named(rest: Status) -> None:
    other = Result(*("basil", "diff", "graded", 60, 100), criteria=[*GUESSED.criteria[:1]])
    row = CriterionResult("speed", rest, 0, 40)
    others = [Grade(replace(other, criteria=[*other.criteria, row]))] * 2
    console = Console(width=200, file=io.StringIO())
    results.show_mixed(console, [Grade(GUESSED), *others])
    says = "diff: speed is ESTIMATED for 1 file, and NOT RUN for 2, so they are out of different"
    assert (says in console.file.getvalue()) == (rest == "not_run")  # type: ignore[attr-defined]
