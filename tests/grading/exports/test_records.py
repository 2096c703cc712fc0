"""results.json, gradebook.csv, and text that wants to be more than text."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

import pytest

from tilelab.base import text
from tilelab.score import records
from tilelab.score.records import CriterionResult, Result
from tilelab.screens import score


def result(student: str, score: float | None, lab: str = "diff") -> Result:
    verdict = "infra_error" if score is None else "graded"
    return Result(student, lab, verdict, score, 100, "ab", [], ["a message"])


def gradebook(tmp_path: Path, labs: list[str], results: list[Result]) -> list[list[str]]:
    path = tmp_path / "gradebook.csv"
    records.write_gradebook(path, labs, results)
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
    assert gradebook(tmp_path, ["diff", "nbody"], results) == [
        ["student", "diff", "nbody", "total"],
        ["amber", "60", "37.5", "97.5"],
        ["basil", "0", "", ""],
    ]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_is_a_formula(tmp_path: Path, start: str) -> None:
    name = start + 'HYPERLINK("http://x","y")'
    rows = gradebook(tmp_path, ["diff"], [result(name, 1)])
    assert rows[1][0] == "'" + name


@pytest.mark.parametrize("name", ['a"b', "a,b", "a;b", "a\nb", "a\r\nb", "Grüße", "'a", " a"])
def test_cells_survive_a_csv_reader(tmp_path: Path, name: str) -> None:
    assert gradebook(tmp_path, ["diff"], [result(name, 1)])[1][0] == name


def test_results_hold_everything(tmp_path: Path) -> None:
    criterion = CriterionResult("correctness", "partial", 30, 60, ["why"], ("tail",))
    one = Result("amber", "diff", "graded", 30, 100, "ab", [criterion], ["m"], "printed")
    path = tmp_path / "results.json"
    records.write_results(path, {"gpu": None, "backend": "emulator"}, 7, [one])
    data = json.loads(path.read_text())
    assert data == {
        "schema": 1,
        "machine": {"gpu": None, "backend": "emulator"},
        "seed": 7,
        "submissions": [
            {
                "student": "amber",
                "lab": "diff",
                "verdict": "graded",
                "score": 30,
                "max": 100,
                "sha256": "ab",
                "criteria": [
                    {
                        "name": "correctness",
                        "status": "partial",
                        "points": 30,
                        "max": 60,
                        "messages": ["why"],
                    }
                ],
                "messages": ["m"],
            }
        ],
    }


def test_a_file_is_replaced_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "gradebook.csv"
    path.write_text("old")

    def fail(descriptor: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="no space"):
        records.write_gradebook(path, ["diff"], [result("amber", 1)])
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["gradebook.csv"]


def test_control_characters_are_escaped() -> None:
    assert text.printable("a\x1b[31m\x07\x9b\u202eb\ud800\r") == (
        "a\\x1b[31m\\x07\\x9b\\u202eb\\ud800\\r"
    )
    assert text.printable("line\n\ttab Grüße …") == "line\n\ttab Grüße …"
    assert text.one_line("a\nb\tc") == "a\\nb\\tc"


def test_what_was_not_run_is_shown_beside_the_score() -> None:
    criteria = [
        CriterionResult("correctness", "pass", 60, 60),
        CriterionResult("speed", "not_run", 0, 40),
    ]
    graded = Result("amber", "diff", "graded", 60, 100, criteria=criteria)
    assert score.score_text(graded) == "60 / 60 (+40 not run)"
    assert score.score_text(result("amber", 37.5)) == "37.5 / 100"
    assert score.score_text(result("amber", None)) == "not graded"
