"""Gradescope's results.json, as its specification describes it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hostile import TEXTS, graded, refused
from tilelab.base.errors import UserError
from tilelab.exports import gradescope
from tilelab.model.grade import Adjustment, Grade
from tilelab.model.result import CriterionResult, Result, Rung

FORMATS = {"output_format", "test_output_format", "test_name_format"}
TOP = FORMATS | {"visibility", "stdout_visibility", "output", "tests", "extra_data", "leaderboard"}
TEST = {"name", "score", "max_score", "status", "output", "extra_data"}
CRITERIA = [
    CriterionResult("correctness", "pass", 40, 40, []),
    CriterionResult("safety", "partial", 5, 20, ["a race", "another"]),
    CriterionResult("speed", "not_run", 0, 40, ["NOT RUN: no GPU."]),
]


def results(grade: Grade) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(gradescope.text([grade]))
    assert set(data) <= TOP
    assert all(data[key] == "text" for key in FORMATS)
    assert all(set(test) <= TEST for test in data["tests"])
    return data


def test_a_test_per_criterion() -> None:
    data = results(Grade(Result("amber", "diff", "graded", 45, 100, "a", CRITERIA)))
    assert [(test["name"], test["score"], test["max_score"]) for test in data["tests"]] == [
        ("correctness", 40, 40),
        ("safety", 5, 20),
    ]
    assert [test["status"] for test in data["tests"]] == ["passed", "failed"]
    assert data["tests"][1]["output"] == "a race\nanother"
    assert data["visibility"] == "visible" and data["stdout_visibility"] == "hidden"
    # The sum of the tests is the score, so there is no other.
    assert "score" not in data and "leaderboard" not in data


def test_what_was_not_run_is_said_and_costs_nothing() -> None:
    data = results(Grade(Result("amber", "diff", "graded", 45, 100, "a", CRITERIA)))
    assert "speed (40 points, not counted here): NOT RUN" in data["output"]
    assert data["extra_data"]["not_run"] == 40


def test_lateness_is_left_to_gradescope() -> None:
    result = Result("amber", "diff", "graded", 45, 100, "a", CRITERIA)
    late = Grade(result, days_late=2, lost_share=0.5, adjustment=Adjustment(3, "well", "me", ""))
    assert sum(test["score"] for test in results(late)["tests"]) == 48


def test_a_timed_kernel_is_on_the_leaderboard() -> None:
    ladder = (Rung(1.0, "baseline"), Rung(2.5, "your kernel", is_own=True))
    speed = CriterionResult("speed", "pass", 40, 40, [], (), (), ladder)
    data = results(Grade(Result("amber", "diff", "graded", 40, 40, "a", [speed])))
    assert data["leaderboard"] == [{"name": "times the baseline's speed", "value": 2.5}]


def test_a_refused_file_fails_with_its_messages() -> None:
    data = results(refused("line 3: expected ;"))
    (test,) = data["tests"]
    assert (test["score"], test["max_score"], test["status"]) == (0, 60, "failed")
    assert test["output"] == "line 3: expected ;"


def test_a_machine_error_is_no_grade() -> None:
    result = Result("amber", "diff", "infra_error", None, 100, "a", [], ["no disk"])
    with pytest.raises(UserError, match="machine error"):
        gradescope.text([Grade(result)])


def test_a_timeout_is_not_silent() -> None:
    data = json.loads(gradescope.unfinished("diff", 100))
    assert data["tests"][0]["score"] == 0 and data["tests"][0]["max_score"] == 100
    assert "did not finish" in data["output"] and data["output_format"] == "text"


@pytest.mark.parametrize("make", [graded, refused])
@pytest.mark.parametrize("name", TEXTS)
def test_hostile_texts_stay_texts(name: str, make: Any) -> None:
    data = results(make(TEXTS[name]))
    shown = data["output"] + "".join(test["name"] + test["output"] for test in data["tests"])
    assert not {"\x1b", "\r", "\x00", "\u202e"} & set(shown)
    assert len(data["tests"]) == 1 and data["tests"][0]["score"] in (0, 10)
