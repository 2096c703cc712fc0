"""What a record notes of a course, so that pages need no course.toml."""

from __future__ import annotations

import contextlib

from tilelab.labs import course as courses
from tilelab.model.course import Course
from tilelab.record.store import Store


def write(record: Store, course: Course) -> None:
    """Notes the title, the time zone and the labs, unless there is no course.toml."""
    if course.path:
        record.configure("labs", ",".join(course.assignments))
        record.configure("title", course.title)
        record.configure("time_zone", str(course.time_zone or ""))


def labs_left_out(record: Store) -> list[str]:
    """The labs with grades that count in no total, because the course does not have them."""
    of_course = (record.setting("labs") or "").split(",")
    return [lab for lab in record.labs() if lab not in of_course] if of_course != [""] else []


def is_left_out(record: Store, course: Course) -> bool:
    """Whether there is no course now, and was one when the record was graded before."""
    return course.path is None and record.setting("title") is not None


def read(record: Store) -> Course:
    """A course with what was noted."""
    title, name = (record.setting(key) or "" for key in ("title", "time_zone"))
    zone = None
    with contextlib.suppress(ValueError):  # a record may come from a system that knows more zones
        zone = courses.zone(name) if name else None
    return Course(title=title, time_zone=zone)
