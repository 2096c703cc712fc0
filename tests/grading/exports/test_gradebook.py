"""gradebook.csv."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from hostile import TEXTS, graded
from tilelab.exports import gradebook
from tilelab.model.evidence import Verdict
from tilelab.model.grade import Adjustment, Grade
from tilelab.model.result import CriterionResult, Result


def grade(student: str, score: float | None, lab: str = "diff") -> Grade:
    verdict: Verdict = "infra_error" if score is None else "graded"
    return Grade(Result(student, lab, verdict, score, 100, "ab", [], ["a message"]))


def rows_of(grades: list[Grade]) -> list[list[str]]:
    text = gradebook.text(grades, {})
    assert text.count("\r\n") >= 1 and text.endswith("\r\n")
    return list(csv.reader(io.StringIO(text, newline="")))


def test_a_row_per_student() -> None:
    grades = [
        grade("amber", 60, "diff"),
        grade("amber", 37.5, "nbody"),
        grade("basil", 0, "diff"),
        grade("basil", None, "nbody"),
    ]
    assert rows_of(grades) == [
        ["student", "diff", "nbody", "total", "diff max", "nbody max", "total max"],
        ["amber", "60", "37.5", "97.5", "100", "100", "200"],
        ["basil", "0", "", "", "100", "100", "200"],
    ]


def test_the_maximum_leaves_out_what_was_not_run() -> None:
    criteria = [
        CriterionResult("correctness", "pass", 60, 60),
        CriterionResult("speed", "not_run", 0, 40),
    ]
    without_gpu = Grade(Result("amber", "diff", "graded", 60, 100, "ab", criteria))
    rows = rows_of([without_gpu, grade("basil", 60)])
    assert [row[1:] for row in rows[1:]] == [["60", "60", "60", "60"], ["60", "60", "100", "100"]]


@pytest.mark.parametrize("verdict", ["missing", "rejected", "compile_error", "infra_error"])
def test_a_file_that_was_not_tested_has_the_maximum_of_the_others(verdict: Verdict) -> None:
    criteria = [
        CriterionResult("correctness", "partial", 30, 60),
        CriterionResult("speed", "not_run", 0, 40),
    ]
    tested = Grade(Result("amber", "diff", "graded", 30, 100, "ab", criteria))
    score = None if verdict == "infra_error" else 0.0
    untested = Grade(Result("basil", "diff", verdict, score, 100))
    assert [row[3] for row in rows_of([untested, tested])[1:]] == ["60", "60"]
    assert [row[3] for row in rows_of([untested])[1:]] == ["100"]


def test_lateness_and_a_persons_points_count() -> None:
    result = grade("amber", 60).result
    late = Grade(result, days_late=1, lost_share=0.5, adjustment=Adjustment(5, "", "me", ""))
    assert rows_of([late])[1][1] == "35"


def test_the_file_is_the_text(tmp_path: Path) -> None:
    path = tmp_path / "gradebook.csv"
    gradebook.write(path, [grade("amber", 60)], {})
    assert path.read_bytes().decode() == gradebook.text([grade("amber", 60)], {})


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_is_a_formula(start: str) -> None:
    name = start + 'HYPERLINK("http://x","y")'
    assert rows_of([grade(name, 1)])[1][0] == "'" + name


@pytest.mark.parametrize("name", ['a"b', "a,b", "a;b", "a\nb", "a\r\nb", "Grüße", "'a", " a"])
def test_cells_survive_a_csv_reader(name: str) -> None:
    assert rows_of([grade(name, 1)])[1][0] == name


def test_no_hostile_name_changes_a_row() -> None:
    rows = rows_of([graded(text) for text in TEXTS.values()])
    assert len(rows) == 1 + len(TEXTS)
    for row, name in zip(rows[1:], TEXTS.values(), strict=True):
        assert row[0] in (name, f"'{name}") and row[1:] == ["10", "10", "60", "60"]
        assert not row[0].startswith(("=", "+", "-", "@"))
