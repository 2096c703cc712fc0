"""gradebook.csv."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tilelab.exports import gradebook
from tilelab.score.records import Result, Verdict


def result(student: str, score: float | None, lab: str = "diff") -> Result:
    verdict: Verdict = "infra_error" if score is None else "graded"
    return Result(student, lab, verdict, score, 100, "ab", [], ["a message"])


def rows_of(tmp_path: Path, labs: list[str], results: list[Result]) -> list[list[str]]:
    path = tmp_path / "gradebook.csv"
    gradebook.write(path, labs, results)
    data = path.read_bytes()
    assert data.count(b"\r\n") >= 1 and data.endswith(b"\r\n")
    return list(csv.reader(io.StringIO(data.decode(), newline="")))


def test_a_row_per_student(tmp_path: Path) -> None:
    results = [
        result("amber", 60, "diff"),
        result("amber", 37.5, "nbody"),
        result("basil", 0, "diff"),
        result("basil", None, "nbody"),
    ]
    assert rows_of(tmp_path, ["diff", "nbody"], results) == [
        ["student", "diff", "nbody", "total"],
        ["amber", "60", "37.5", "97.5"],
        ["basil", "0", "", ""],
    ]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_is_a_formula(tmp_path: Path, start: str) -> None:
    name = start + 'HYPERLINK("http://x","y")'
    rows = rows_of(tmp_path, ["diff"], [result(name, 1)])
    assert rows[1][0] == "'" + name


@pytest.mark.parametrize("name", ['a"b', "a,b", "a;b", "a\nb", "a\r\nb", "Grüße", "'a", " a"])
def test_cells_survive_a_csv_reader(tmp_path: Path, name: str) -> None:
    assert rows_of(tmp_path, ["diff"], [result(name, 1)])[1][0] == name
