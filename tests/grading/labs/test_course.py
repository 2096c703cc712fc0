"""course.toml: points, deadlines, extensions, late policy."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from tilelab.base.errors import UserError
from tilelab.labs import course
from tilelab.labs.course import lab_of
from tilelab.model.course import Course

TEXT = """
title = "GPU programming"
time_zone = "Europe/Berlin"
roster = "roster.csv"
[late]
percent_per_day = 10
most_days = 3
grace_minutes = 15
[labs.diff]
deadline = 2027-03-28T01:30:00
[labs.nbody]
[labs.nbody.points]
correctness = 55
[extensions.0042]
diff = 2027-03-30T23:59:00
"""


@pytest.fixture
def spring(tmp_path: Path) -> Course:
    return loaded(tmp_path, TEXT)


def loaded(folder: Path, text: str) -> Course:
    path = folder / "course.toml"
    path.write_text(text)
    return course.load(path)


def utc(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text + "+00:00")


def test_points_of_the_course_replace_those_of_the_lab(spring: Course) -> None:
    points = {one.name: one.points for one in lab_of(spring, "nbody").criteria}
    assert points == {"correctness": 55, "safety": 10, "memory": 20, "speed": 30}
    assert lab_of(spring, "diff").max_points == 100


def worth(course: Course, name: str = "diff") -> dict[str, float]:
    return {one.name: one.points for one in lab_of(course, name).criteria}


def test_a_criterion_without_points_is_left_out(tmp_path: Path) -> None:
    found = loaded(tmp_path, "[labs.diff.points]\nspeed = 0\n")
    assert worth(found) == {"correctness": 40, "safety": 10, "memory": 20}
    assert lab_of(found, "diff").max_points == 70 and not lab_of(found, "diff").is_timed


def test_what_only_left_out_criteria_come_after_can_be_left_out(tmp_path: Path) -> None:
    found = loaded(tmp_path, "[labs.diff.points]\ncorrectness = 0\nsafety = 0\nspeed = 0\n")
    assert worth(found) == {"memory": 20}


def test_points_are_scaled_to_a_total(tmp_path: Path) -> None:
    found = loaded(tmp_path, "[labs.diff]\ntotal = 10\n")
    assert worth(found) == {"correctness": 4, "safety": 1, "memory": 2, "speed": 3}
    assert all(isinstance(one, int) for one in worth(found).values())


@pytest.mark.parametrize("total", [1, 7, 33.33, 100, 99999])
def test_scaled_points_have_two_decimals_and_add_up_to_the_total(
    tmp_path: Path, total: float
) -> None:
    text = f"[labs.diff]\ntotal = {total}\n[labs.diff.points]\nspeed = 0\nmemory = 33\n"
    found = worth(loaded(tmp_path, text))
    assert set(found) == {"correctness", "safety", "memory"}
    assert round(sum(found.values()), 9) == total
    assert all(round(one, 2) == one for one in found.values())
    assert found["memory"] == pytest.approx(total * 33 / 83, abs=0.01)


def test_a_roster_lies_beside_the_course(spring: Course, tmp_path: Path) -> None:
    assert spring.rosters == (tmp_path / "roster.csv",)


def test_there_may_be_several_rosters(tmp_path: Path) -> None:
    several = loaded(tmp_path, 'roster = ["a.csv", "b/c.csv"]\n')
    assert several.rosters == (tmp_path / "a.csv", tmp_path / "b" / "c.csv")
    for wrong in ("1", "[1]", '[""]', '""', "{}", "[[]]"):
        with pytest.raises(UserError, match="must be the name of a file, or a list of such names"):
            loaded(tmp_path, f"roster = {wrong}\n")


def test_times_by_hand_are_of_a_student_and_a_lab(tmp_path: Path) -> None:
    found = loaded(tmp_path, "[submitted.amber]\ndiff = 2027-03-02T08:00:00+01:00\n")
    assert found.submitted == {("amber", "diff"): utc("2027-03-02T07:00:00")}
    with pytest.raises(UserError, match=r"unknown key submitted\.amber\.dif.*Did you mean diff"):
        loaded(tmp_path, "[submitted.amber]\ndif = 2027-03-02T08:00:00+01:00\n")


@pytest.mark.parametrize(
    ("submitted", "days"),
    [
        ("2027-03-28T00:30:00", 0),  # the deadline
        ("2027-03-28T00:45:00", 0),  # the end of the grace
        ("2027-03-28T00:45:01", 1),
        # In the night of the deadline the clocks go forward, so this day has 23 hours.
        ("2027-03-28T23:45:00", 1),
        ("2027-03-28T23:45:01", 2),
    ],
)
def test_a_day_late_begins_after_the_grace(spring: Course, submitted: str, days: int) -> None:
    assert spring.days_late("amber", "diff", utc(submitted)) == days


@pytest.mark.parametrize(
    ("zone", "submitted", "days"),
    [
        ("Europe/Berlin", "2026-10-25T22:58:00", 1),  # 23:58 there, 25 hours after the deadline
        ("Europe/Berlin", "2026-10-25T22:59:01", 2),
        ("Europe/Berlin", "2026-10-26T22:59:00", 2),
        ("America/New_York", "2026-10-25T21:59:00", 1),  # the clocks stay as they are
        ("America/New_York", "2026-10-25T21:59:01", 2),
    ],
)
def test_a_day_ends_at_the_same_time_on_the_clock(
    tmp_path: Path, zone: str, submitted: str, days: int
) -> None:
    text = f'time_zone = "{zone}"\n[labs.diff]\ndeadline = 2026-10-24T21:59:00Z\n'
    assert loaded(tmp_path, text).days_late("amber", "diff", utc(submitted)) == days


def test_a_time_that_the_clocks_show_twice_is_the_one_that_helps_the_student(
    tmp_path: Path,
) -> None:
    time = "diff = 2026-10-25T02:30:00\n"
    deadline = "[labs.diff]\ndeadline = 2026-10-24T23:59:00\n"
    tables = f"{deadline}[extensions.amber]\n{time}[submitted.amber]\n{time}"
    text = f'time_zone = "Europe/Berlin"\n{tables}'
    found = loaded(tmp_path, text)
    assert found.extensions["amber", "diff"] == utc("2026-10-25T01:30:00")
    assert found.submitted["amber", "diff"] == utc("2026-10-25T00:30:00")


def test_the_first_late_minutes_are_a_day_even_while_the_clocks_go_back(tmp_path: Path) -> None:
    text = 'time_zone = "Europe/Berlin"\n[labs.diff]\ndeadline = 2026-10-25T00:50:00Z\n'
    found = loaded(tmp_path, text)
    assert found.days_late("amber", "diff", utc("2026-10-25T00:50:00")) == 0
    assert found.days_late("amber", "diff", utc("2026-10-25T01:10:00")) == 1


def test_an_extension_is_a_later_deadline_of_one_student(spring: Course) -> None:
    submitted = utc("2027-03-30T21:59:00")
    assert spring.days_late("0042", "diff", submitted) == 0
    assert spring.days_late("amber", "diff", submitted) == 3


def test_what_lateness_takes(spring: Course) -> None:
    assert [spring.lost_share(days) for days in range(5)] == pytest.approx([0, 0.1, 0.2, 0.3, 1])


@pytest.mark.parametrize("year", ["0001", "1969", "9990", "9999"])
@pytest.mark.parametrize("zone", ["", "Z", "-08:00"])
@pytest.mark.parametrize("table", ["labs.diff", "extensions.amber", "submitted.amber"])
def test_a_year_of_which_no_clock_knows_is_one_line(
    year: str, zone: str, table: str, tmp_path: Path
) -> None:
    key = "deadline" if table == "labs.diff" else "diff"
    before = "[labs.diff]\ndeadline = 2027-03-01T00:00:00Z\n" if "ext" in table else ""
    text = f'time_zone = "Europe/Berlin"\n{before}[{table}]\n{key} = {year}-12-31T23:59:00{zone}\n'
    with pytest.raises(UserError, match=rf"{table}.{key}: the year \d+ is too far away. Write one"):
        loaded(tmp_path, text)


def test_the_last_years_can_be_counted_with(tmp_path: Path) -> None:
    late = "[late]\npercent_per_day = 1\nmost_days = 1\ngrace_minutes = 1_000_000\n"
    text = f'time_zone = "Pacific/Auckland"\n{late}[labs.diff]\ndeadline = 9989-12-31T23:59:00\n'
    assert loaded(tmp_path, text).days_late("amber", "diff", utc("2027-03-01T00:00:00")) == 0
    with pytest.raises(UserError, match="grace_minutes must be a number of minutes, at most"):
        loaded(tmp_path, text.replace("1_000_000", "1_000_001"))


@pytest.mark.parametrize(
    ("points", "says"),
    [
        ("1e300", "must be a number of points, at most 1,000,000"),
        (f"1{'0' * 400}", "must be a number of points, at most 1,000,000"),
        ("inf", "must be a number of points, at most 1,000,000"),
        ("0.001", "has more than two decimals"),
    ],
)
def test_points_of_a_rubric_are_points(points: str, says: str, tmp_path: Path) -> None:
    text = '[rubric.good]\ntext = "Good"\npoints = {}\n'
    with pytest.raises(UserError, match=f"rubric.good.points {says}"):
        loaded(tmp_path, text.format(points))
    assert loaded(tmp_path, text.format("-1.25")).rubric["good"].points == -1.25


def test_without_a_deadline_nothing_is_late(spring: Course) -> None:
    assert spring.days_late("amber", "nbody", utc("2030-01-01T00:00:00")) == 0
    assert spring.days_late("amber", "diff", None) == 0


def test_without_a_late_policy_nothing_is_lost(tmp_path: Path) -> None:
    found = loaded(tmp_path, "[labs.diff]\ndeadline = 2027-03-01T00:00:00Z\n")
    assert found.days_late("amber", "diff", utc("2027-03-01T00:00:01")) == 1
    assert found.lost_share(1) == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_another_encoding_is_one_line_and_a_byte_order_mark_is_none(
    encoding: str, tmp_path: Path
) -> None:
    path = tmp_path / "course.toml"
    path.write_bytes('title = "GPU für Anfänger"\r\n'.encode(encoding))
    if encoding.startswith("utf-8"):
        assert course.load(path).title == "GPU für Anfänger"
    else:
        with pytest.raises(UserError, match=r"course\.toml is not UTF-8: save it as UTF-8"):
            course.load(path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[labs.dif]", "labs.dif: there is no such lab; the labs are"),
        ("[labs.diff]\ndeadline = 2027-03-01T00:00:00", "labs.diff.deadline needs a time zone"),
        (
            'time_zone = "Europe/Berlin"\n[labs.diff]\ndeadline = 2027-03-28T02:30:00',
            "labs.diff.deadline: there is no 02:30 on 2027-03-28 in Europe/Berlin",
        ),
        ("[labs.diff]\ndeadline = 2027-03-01", "must be a date with a time"),
        ('time_zone = "Europe/Berlyn"', "does not know 'Europe/Berlyn'"),
        ('time_zone = "../etc"', "does not know '../etc'"),
        (
            "[late]\npercent_per_day = 200\nmost_days = 3",
            "percent_per_day must be greater than 0 and at most 100",
        ),
        (
            "[late]\npercent_per_day = 20",
            "late.most_days is missing: it must be a whole number of days",
        ),
        (
            "[labs.diff]\ndeadline = 2027-03-02T00:00:00Z\n"
            "[extensions.amber]\ndiff = 2027-03-01T23:59:59Z",
            "extensions.amber.diff ends before the deadline of the lab",
        ),
        *(
            (
                f"{labs}[extensions.amber]\ndiff = 2027-03-01T23:59:59Z",
                "extensions.amber.diff: diff has no deadline to extend. Set it in [labs.diff]",
            )
            for labs in ("", "[labs.diff]\n", "[labs.diff]\ntotal = 20\n")
        ),
        ("[labs.diff]\npints = 3", "unknown key labs.diff.pints"),
        ("[labs.diff.points]\nspeed = -3", "labs.diff.points.speed must be a number"),
        (
            "[labs.diff.points]\nsped = 3",
            "unknown key labs.diff.points.sped; expected one of correct",
        ),
        ("[labs.diff]\ntotal = 0", "labs.diff.total must be a number that is 1 or greater"),
        ("[labs.diff]\ntotal = 33.333", "labs.diff.total must have no more than two decimals"),
        (
            "[labs.diff.points]\nmemory = 33.333",
            "labs.diff.points.memory must have no more than two decimals",
        ),
        (
            "[labs.diff.points]\ncorrectness = 0",
            "labs.diff.points.correctness must be greater than 0, because speed counts only",
        ),
        (
            "[labs.first_kernel.points]\ncorrectness = 0\nsafety = 0\nmemory = 0",
            "labs.first_kernel.points: at least one criterion needs points",
        ),
        (
            "[extensions.amber]\ndif = 2027-03-01T00:00:00Z",
            "unknown key extensions.amber.dif; expected one of",
        ),
        (
            "[labs.nbody]\n[extensions.amber]\ndiff = 2027-03-01T00:00:00Z",
            "unknown key extensions.amber.diff; expected one of nbody",
        ),
        ("extensions = 3", "extensions must be a table"),
        ("[extensions]\namber = 3", "extensions.amber must be a table"),
    ],
)
def test_a_mistake_is_one_line_that_names_the_file(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(UserError) as error:
        loaded(tmp_path, text)
    assert str(tmp_path / "course.toml") in str(error.value) and says in str(error.value)
    assert "\n" not in str(error.value)
