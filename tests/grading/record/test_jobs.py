"""Which labs a class is graded in."""

from __future__ import annotations

import datetime
from pathlib import Path

from tilelab.model.course import Assignment, Course
from tilelab.pipeline import class_folder
from tilelab.record import jobs

_NOW = datetime.datetime.now(datetime.UTC)
_PAST, _FUTURE = (_NOW + datetime.timedelta(days=days) for days in (-1, 1))


def names(folder: Path, labs: list[str], **deadlines: datetime.datetime | None) -> list[str]:
    course = Course(assignments={name: Assignment({}, when) for name, when in deadlines.items()})
    found = class_folder.read_class(folder)
    return [job.lab.name for job in jobs.of_class(folder, found, course, labs, [])]


def test_a_lab_that_is_not_due_and_that_nobody_handed_in_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "amber").mkdir()
    (tmp_path / "amber" / "diff.cu").touch()
    assert names(tmp_path, [], diff=_FUTURE, nbody=_FUTURE) == ["diff"]
    assert names(tmp_path, ["nbody"], diff=_FUTURE, nbody=_FUTURE) == ["nbody"]
    for due in (_PAST, None):
        assert names(tmp_path, [], diff=_FUTURE, nbody=due) == ["diff", "nbody"]


def test_if_none_is_due_nobody_has_any(tmp_path: Path) -> None:
    (tmp_path / "amber").mkdir()
    assert names(tmp_path, [], diff=_FUTURE, nbody=_FUTURE) == ["diff", "nbody"]


def test_only_what_is_left_out_is_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "amber").mkdir()
    found = class_folder.read_class(tmp_path)
    for due, left_out in ((_PAST, ["nbody"]), (_FUTURE, [])):
        course = Course(assignments={"diff": Assignment({}, due), "nbody": Assignment({}, _FUTURE)})
        assert jobs.not_due(course, found) == left_out
