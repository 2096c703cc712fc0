"""What a record notes of a course, and times in the course's zone."""

from __future__ import annotations

import datetime
import zoneinfo
from pathlib import Path

from tilelab.model.course import Course
from tilelab.record.store import Store
from tilelab.report import course_noted, words

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")


def test_the_title_and_the_zone_are_noted(tmp_path: Path) -> None:
    record = Store(tmp_path)
    assert course_noted.read(record) == Course()
    course_noted.write(record, Course("Spring", BERLIN, path=Path("course.toml")))
    assert course_noted.read(record) == Course("Spring", BERLIN)
    course_noted.write(record, Course("Spring", datetime.UTC, path=Path("course.toml")))
    assert course_noted.read(record) == Course("Spring", datetime.UTC)


def test_grading_without_a_course_forgets_nothing(tmp_path: Path) -> None:
    record = Store(tmp_path)
    course_noted.write(record, Course("Spring", BERLIN, path=Path("course.toml")))
    course_noted.write(record, Course())
    assert course_noted.read(record) == Course("Spring", BERLIN)


def test_grading_without_the_course_of_a_record_is_told(tmp_path: Path) -> None:
    record = Store(tmp_path)
    of_course = Course(path=Path("course.toml"))
    assert course_noted.is_left_out(record, Course()) is False
    course_noted.write(record, of_course)
    assert course_noted.is_left_out(record, Course()) is True
    assert course_noted.is_left_out(record, of_course) is False


def test_a_zone_that_this_system_does_not_know_is_left_out(tmp_path: Path) -> None:
    record = Store(tmp_path)
    record.configure("time_zone", "Mars/Olympus")
    assert course_noted.read(record) == Course()


def test_a_moment_is_that_of_the_zone_in_summer_and_winter() -> None:
    assert words.moment_text("2027-03-01T22:59:00+00:00", BERLIN) == "2027-03-01 23:59 CET"
    assert words.moment_text("2027-07-01T22:59:00+00:00", BERLIN) == "2027-07-02 00:59 CEST"
    assert words.moment_text("2027-03-01T22:59:00+00:00", None) == "2027-03-01 22:59 UTC"
