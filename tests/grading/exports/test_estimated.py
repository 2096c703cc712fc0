"""Nobody takes estimated points for measured ones, whatever the format."""

from __future__ import annotations

import base64
import csv
import io
import json
import xml.etree.ElementTree as ET

from tilelab.exports import filling, github, gradebook, gradescope, junit
from tilelab.model.grade import Grade
from tilelab.model.result import CriterionResult, Result

MESSAGE = "ESTIMATED on an NVIDIA X, not measured: 2.00 times as fast as the baseline."


def grade(student: str, status: str, earned: float = 21) -> Grade:
    speed = CriterionResult("speed", status, earned, 40, [MESSAGE])  # type: ignore[arg-type]
    right = CriterionResult("correctness", "pass", 60, 60)
    return Grade(Result(student, "diff", "graded", 60 + earned, 100, criteria=[right, speed]))


GUESSED, MEASURED = grade("amber", "estimated"), grade("basil", "partial")


def test_results_json_has_the_verdict() -> None:
    assert GUESSED.result.criteria[1].to_json()["status"] == "estimated"


def test_the_gradebook_says_how_many_points() -> None:
    first, second = csv.DictReader(io.StringIO(gradebook.text([GUESSED, MEASURED], {})))
    assert (first["diff"], first["diff max"], first["diff ESTIMATED"]) == ("81", "100", "21")
    assert (second["diff"], second["diff ESTIMATED"]) == ("81", "")
    assert "ESTIMATED" not in gradebook.text([MEASURED], {})


def test_gradescope_names_the_test_so() -> None:
    named = [one["name"] for one in json.loads(gradescope.text([GUESSED]))["tests"]]
    assert named == ["correctness", "speed (ESTIMATED)"]


def test_github_names_the_test_so() -> None:
    encoded = github.text([GUESSED]).removeprefix("result=")
    named = [one["name"] for one in json.loads(base64.b64decode(encoded))["tests"]]
    assert named == ["diff: correctness", "diff: speed (ESTIMATED)"]


def test_junit_names_the_test_so() -> None:
    named = [one.get("name") for one in ET.fromstring(junit.text([GUESSED])).iter("testcase")]
    assert named == ["correctness", "speed (ESTIMATED)"]


def test_a_filled_gradebook_comes_with_a_note() -> None:
    notes = filling._about_points("diff", filling.Column("diff", 100.0), [GUESSED, MEASURED])
    assert notes == [
        "the gradebook cannot show that points are ESTIMATED, not measured, for 1 submission"
    ]
