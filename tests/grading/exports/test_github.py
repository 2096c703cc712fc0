"""The output of a step for GitHub Classroom's reporter, by the rules of the runner's log."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pytest

from hostile import TEXTS, graded, refused
from tilelab.exports import github
from tilelab.model.grade import Grade
from tilelab.model.result import CriterionResult, Result

TEST = {"name", "status", "score", "message", "test_code", "filename", "line_no", "duration"}
CRITERIA = [
    CriterionResult("correctness", "pass", 40, 40, []),
    CriterionResult("safety", "partial", 2.5, 20, ["a race"]),
    CriterionResult("speed", "not_run", 0, 40, ["NOT RUN: no GPU."]),
]


def result(*grades: Grade) -> dict[str, Any]:
    name, _, value = github.text(grades).partition("=")
    assert name == "result" and re.fullmatch(r"[A-Za-z0-9+/=]+\n", value)
    data: dict[str, Any] = json.loads(base64.b64decode(value))
    assert set(data) == {"version", "status", "max_score", "tests"} and data["version"] == 1
    assert all(set(test) == TEST for test in data["tests"])
    return data


def commands(log: str) -> list[str]:
    """The lines of a log that the runner obeys."""
    lines = re.split(r"\r\n|\r|\n", log)
    return [line for line in lines if line.lstrip().startswith("::") or "##[" in line]


def log_of(data: dict[str, Any]) -> str:
    """What the reporter prints: a line per name, message and code."""
    return "\n".join(
        text
        for test in data["tests"]
        for text in (test["name"], test["message"], test["test_code"])
    )


def test_a_test_per_criterion() -> None:
    data = result(Grade(Result("amber", "diff", "graded", 42.5, 100, "a", CRITERIA)))
    assert data["status"] == "fail" and data["max_score"] == 60
    assert [(test["name"], test["status"], test["score"]) for test in data["tests"]] == [
        ("diff: correctness", "pass", 40),
        ("diff: safety", "fail", 2.5),
    ]
    assert data["tests"][1]["message"] == "a race"


def test_the_reporter_adds_up_the_final_score() -> None:
    whole = Result("amber", "diff", "graded", 42.5, 100, "a", CRITERIA)
    late = Grade(whole, days_late=1, lost_share=0.2)
    assert sum(test["score"] for test in result(late)["tests"]) == late.score == 34


def test_a_machine_error_is_an_error_and_no_points() -> None:
    broken = Grade(Result("amber", "diff", "infra_error", None, 100, "a", [], ["no disk"]))
    data = result(broken, Grade(Result("amber", "nbody", "graded", 40, 40, "a", CRITERIA[:1])))
    assert data["status"] == "error" and data["max_score"] == 40


@pytest.mark.parametrize("make", [graded, refused])
@pytest.mark.parametrize("name", TEXTS)
def test_no_text_of_a_student_is_a_command(name: str, make: Any) -> None:
    data = result(make(TEXTS[name]))
    assert commands(log_of(data)) == []
    assert data["status"] == "fail" and sum(test["score"] for test in data["tests"]) in (0, 10)


def test_commands_stay_readable() -> None:
    assert commands(TEXTS["command"]) and commands(TEXTS["old command"])
    assert github.harmless(
        "std::min failed\n  ::error::x"
    ) == "std::min failed\n  ::error::x".replace("  ::", "  \\::")
    assert github.harmless("##[error]x") == "#\\#[error]x"
