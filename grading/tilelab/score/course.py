"""An instructor's course as its course.toml describes it: labs, points, deadlines, late policy."""

from __future__ import annotations

import dataclasses
import datetime
import zoneinfo
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tilelab.base.repository import REPO
from tilelab.base.tables import number, only, read, table, text
from tilelab.score import lab as labs
from tilelab.score.lab import Lab

_DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Late:
    """What a late file loses: `share_per_day` of its points for each day that has begun.

    After `most_days` it gets none. Within `grace` after the deadline nothing is lost.
    """

    share_per_day: float = 0.0
    most_days: int = 0
    grace: datetime.timedelta = datetime.timedelta()


@dataclass(frozen=True)
class Assignment:
    """A lab of the course: its points per criterion, where they differ, and its deadline."""

    points: dict[str, float] = field(default_factory=dict)
    deadline: datetime.datetime | None = None


@dataclass(frozen=True)
class Course:
    """A course. `assignments` has a lab each, in the order of the file.

    `extensions` has the later deadlines of single students, by student and lab. `roster` is a CSV
    file with a row per student. Times that say no zone are those of `time_zone`.
    """

    title: str = ""
    time_zone: datetime.tzinfo | None = None
    assignments: dict[str, Assignment] = field(default_factory=dict)
    late: Late | None = None  # None: a late file loses nothing
    extensions: dict[tuple[str, str], datetime.datetime] = field(default_factory=dict)
    roster: Path | None = None

    def lab(self, name: str, repo: Path = REPO) -> Lab:
        """The lab with the points of this course."""
        found = labs.load(name, repo)
        points = self.assignments.get(name, Assignment()).points
        criteria = tuple(
            dataclasses.replace(one, points=points.get(one.name, one.points))
            for one in found.criteria
        )
        return dataclasses.replace(found, criteria=criteria)

    def deadline(self, student: str, name: str) -> datetime.datetime | None:
        """When the student has to hand in this lab, if there is a deadline."""
        assignment = self.assignments.get(name, Assignment())
        return self.extensions.get((student, name), assignment.deadline)

    def days_late(self, student: str, name: str, submitted: datetime.datetime | None) -> int:
        """How many days after the deadline and its grace have begun, 0 for a file in time."""
        deadline = self.deadline(student, name)
        if deadline is None or submitted is None:
            return 0
        grace = self.late.grace if self.late else datetime.timedelta()
        over = submitted - (deadline + grace)
        return max(0, -(-over // _DAY))

    def lost_share(self, days: int) -> float:
        """The share of its points that a file loses that is so many days late."""
        if self.late is None or days == 0:
            return 0.0
        return 1.0 if days > self.late.most_days else min(1.0, days * self.late.share_per_day)


def load(path: Path, repo: Path = REPO) -> Course:
    """Reads a course.toml. Raises UserError with one line that says what is wrong in it."""
    return read(path, lambda data: _parse(data, path, repo))


def _parse(data: dict[str, Any], path: Path, repo: Path) -> Course:
    only(data, "", "title", "time_zone", "roster", "late", "labs", "extensions")
    zone = _zone(data)
    assignments = table(data, "labs")
    known = labs.all_labs(repo)
    for name in assignments:
        if name not in known:
            raise ValueError(f"labs.{name}: there is no such lab; the labs are {', '.join(known)}")
    extensions = table(data, "extensions")
    return Course(
        text(data, "", "title") if "title" in data else "",
        zone,
        {
            name: _assignment(table(assignments, name, "labs."), labs.load(name, repo), zone)
            for name in assignments
        },
        _late(table(data, "late")) if "late" in data else None,
        {
            (student, name): _time(one, f"extensions.{student}.{name}", zone)
            for student in extensions
            for name, one in table(extensions, student, "extensions.").items()
        },
        path.parent / text(data, "", "roster") if "roster" in data else None,
    )


def _zone(data: dict[str, Any]) -> datetime.tzinfo | None:
    if "time_zone" not in data:
        return None
    name = text(data, "", "time_zone")
    if name == "UTC":
        return datetime.UTC
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(
            f"time_zone: this system does not know '{name}'. Write a name such as Europe/Berlin, "
            "and install the package tzdata if it is missing"
        ) from error


def _assignment(data: dict[str, Any], lab: Lab, zone: datetime.tzinfo | None) -> Assignment:
    where = f"labs.{lab.name}."
    only(data, where, "points", "deadline")
    points = table(data, "points", where)
    only(points, f"{where}points.", *(one.name for one in lab.criteria))
    deadline = _time(data["deadline"], f"{where}deadline", zone) if "deadline" in data else None
    return Assignment({key: number(points, f"{where}points.", key) for key in points}, deadline)


def _late(data: dict[str, Any]) -> Late:
    only(data, "late.", "percent_per_day", "most_days", "grace_minutes")
    days = number(data, "late.", "most_days")
    if days != int(days):
        raise ValueError("late.most_days must be a whole number")
    percent = number(data, "late.", "percent_per_day")
    if percent > 100:
        raise ValueError("late.percent_per_day must be 100 at most")
    minutes = number(data, "late.", "grace_minutes") if "grace_minutes" in data else 0
    return Late(percent / 100, int(days), datetime.timedelta(minutes=minutes))


def _time(value: object, where: str, zone: datetime.tzinfo | None) -> datetime.datetime:
    """A moment, in UTC: two times in one zone are subtracted as if the clocks never changed."""
    if not isinstance(value, datetime.datetime):
        raise ValueError(f"{where} must be a date with a time, such as 2027-03-01T23:59:00")
    if value.tzinfo is None:
        if zone is None:
            raise ValueError(f'{where} needs a time zone: set time_zone = "Europe/Berlin", say')
        value = value.replace(tzinfo=zone)
    return value.astimezone(datetime.UTC)
