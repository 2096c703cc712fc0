"""The points of a course get into the text of a lab.toml."""

from __future__ import annotations

import tomllib

import pytest
from msgspec.structs import replace

from support import REPO
from tilelab.labs import lab
from tilelab.labs.course import lab_of
from tilelab.labs.lab_file import with_points
from tilelab.model.course import Assignment, Course

TEXT = (REPO / "labs/diff/lab.toml").read_text(encoding="utf-8")


def points_of(text: str) -> dict[str, float]:
    return {name: one["points"] for name, one in tomllib.loads(text)["criteria"].items()}


def test_nothing_changes_with_the_points_of_the_lab() -> None:
    assert with_points(TEXT, lab.load("diff")) == TEXT


@pytest.mark.parametrize("name", ["diff", "derivatives", "pipeline"])
def test_a_criterion_that_is_left_out_has_no_table(name: str) -> None:
    whole = (REPO / f"labs/{name}/lab.toml").read_text(encoding="utf-8")
    of_course = lab_of(Course(assignments={name: Assignment({"speed": 0}, total=10)}), name)
    text = with_points(whole, of_course)
    kept = {one.name: one.points for one in of_course.criteria}
    assert points_of(text) == kept and "speed" not in kept and sum(kept.values()) == 10
    before, after = tomllib.loads(whole), tomllib.loads(text)
    assert {**before, "criteria": 0} == {**after, "criteria": 0}
    for one in kept:
        assert {**before["criteria"][one], "points": 0} == {**after["criteria"][one], "points": 0}
    assert "[criteria.speed]" not in text and "# Speed:" not in text


@pytest.mark.parametrize("points", [55.0, 100 / 3])
def test_only_the_points_of_a_criterion_change(points: float) -> None:
    diff = lab.load("diff")
    criteria = [
        replace(one, points=points) if one.name == "memory" else one for one in diff.criteria
    ]
    text = with_points(TEXT, replace(diff, criteria=tuple(criteria)))
    assert points_of(text) == {**points_of(TEXT), "memory": pytest.approx(points)}
    changed = [a for a, b in zip(TEXT.split("\n"), text.split("\n"), strict=True) if a != b]
    assert changed == ["points = 20"]
