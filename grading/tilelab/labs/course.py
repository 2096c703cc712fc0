"""Reads a course.toml."""

from __future__ import annotations

import datetime
import zoneinfo
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from tilelab.base.errors import UserError
from tilelab.base.fields import NotNegative, Points, Text
from tilelab.base.repository import REPO
from tilelab.base.tables import assert_known, read
from tilelab.base.text import one_line
from tilelab.labs import lab as labs
from tilelab.labs import points
from tilelab.labs.moments import YEARS, is_near
from tilelab.model.course import Assignment, Course, Late, RubricItem
from tilelab.model.lab import Lab

_Moment = Annotated[
    datetime.datetime,
    Meta(description="must be a date with a time, such as 2027-03-01T23:59:00"),
]


class _Late(Struct, frozen=True, forbid_unknown_fields=True):
    percent_per_day: Annotated[
        Annotated[int, Meta(gt=0, le=100)] | Annotated[float, Meta(gt=0, le=100)],
        Meta(description="must be greater than 0 and at most 100"),
    ]
    most_days: Annotated[int, Meta(ge=0, lt=10**9, description="must be a whole number of days")]
    grace_minutes: Annotated[
        Annotated[int, Meta(ge=0, le=10**6)] | Annotated[float, Meta(ge=0, le=1e6)],
        Meta(description="must be a number of minutes, at most 1,000,000"),
    ] = 0


class _Assignment(Struct, frozen=True, forbid_unknown_fields=True):
    points: dict[str, NotNegative] = {}
    total: (
        Annotated[
            Annotated[int, Meta(ge=1, lt=10**6)] | Annotated[float, Meta(ge=1, lt=1e6)],
            Meta(description="must be a number that is 1 or greater"),
        ]
        | None
    ) = None
    deadline: _Moment | None = None


class _Item(Struct, frozen=True, forbid_unknown_fields=True):
    text: Text
    points: Points = 0


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    title: Text = ""
    time_zone: Text = ""
    roster: Annotated[
        str | tuple[str, ...],
        Meta(description="must be the name of a file, or a list of such names"),
    ] = ()
    late: _Late | None = None
    labs: dict[str, _Assignment] = {}
    extensions: dict[str, dict[str, _Moment]] = {}
    submitted: dict[str, dict[str, _Moment]] = {}
    rubric: dict[str, _Item] = {}


def load(path: Path, repo: Path = REPO) -> Course:
    """Reads a course.toml. Raises UserError with one line that says what is wrong in it."""
    return read(path, _File, lambda file: _course(file, path, repo))


def assert_has(course: Course, names: Iterable[str]) -> None:
    """Raises UserError if --lab names one that a course with labs does not have."""
    for name in names:
        if course.assignments and name not in course.assignments:
            raise UserError(
                f"--lab {one_line(name)}: {course.path} has no such lab; its labs are "
                f"{', '.join(course.assignments)}"
            )


def lab_of(course: Course, name: str, repo: Path = REPO) -> Lab:
    """The lab with the points of a course."""
    return points.of_course(labs.load(name, repo), course.assignments.get(name, Assignment()))


def _course(file: _File, path: Path, repo: Path) -> Course:
    its_zone = zone(file.time_zone) if file.time_zone else None
    known = labs.all_labs(repo)
    for name in file.labs:
        if name not in known:
            raise ValueError(f"labs.{name}: there is no such lab; the labs are {', '.join(known)}")
    assignments = {name: _assignment(one, name, its_zone, repo) for name, one in file.labs.items()}
    extensions = _moments("extensions", file.extensions, its_zone, list(file.labs) or known)
    _assert_extending(extensions, assignments)
    return Course(
        file.title,
        its_zone,
        assignments,
        _late(file.late) if file.late else None,
        extensions,
        _rosters(file.roster, path.parent),
        _moments("submitted", file.submitted, its_zone, known, fold=0),
        path,
        {name: _item(name, one) for name, one in file.rubric.items()},
    )


def zone(name: str) -> datetime.tzinfo:
    """The time zone of this name. Raises ValueError."""
    if name == "UTC":
        return datetime.UTC
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(
            f"time_zone: this system does not know '{name}'. Write a name such as Europe/Berlin, "
            "and install the package tzdata if it is missing"
        ) from error


def _assignment(
    one: _Assignment, name: str, zone: datetime.tzinfo | None, repo: Path
) -> Assignment:
    where = f"labs.{name}."
    deadline = _in_utc(one.deadline, f"{where}deadline", zone) if one.deadline else None
    assignment = Assignment(one.points, deadline, one.total)
    try:
        lab = labs.load(name, repo)
    except UserError:  # a command that needs this lab says why it cannot be read
        return assignment
    assert_known(one.points, f"{where}points.", [criterion.name for criterion in lab.criteria])
    points.assert_usable(lab, assignment, where)
    return assignment


def _late(late: _Late) -> Late:
    grace = datetime.timedelta(minutes=late.grace_minutes)
    return Late(late.percent_per_day / 100, late.most_days, grace)


def _item(name: str, item: _Item) -> RubricItem:
    if round(item.points, 2) != item.points:
        raise ValueError(f"rubric.{name}.points has more than two decimals")
    return RubricItem(item.text, item.points)


def _rosters(named: str | tuple[str, ...], folder: Path) -> tuple[Path, ...]:
    names = (named,) if isinstance(named, str) else named
    if not all(names):
        raise ValueError("roster must be the name of a file, or a list of such names")
    return tuple(folder / name for name in names)


def _assert_extending(
    extensions: Mapping[tuple[str, str], datetime.datetime], assignments: Mapping[str, Assignment]
) -> None:
    for (student, name), until in extensions.items():
        deadline = assignments.get(name, Assignment()).deadline
        if deadline is None:
            # Nobody else could be late.
            raise ValueError(
                f"extensions.{student}.{name}: {name} has no deadline to extend. Set it in "
                f"[labs.{name}]"
            )
        if until < deadline:
            raise ValueError(f"extensions.{student}.{name} ends before the deadline of the lab")


def _moments(
    table: str,
    moments: Mapping[str, Mapping[str, datetime.datetime]],
    zone: datetime.tzinfo | None,
    known: Sequence[str],
    fold: int = 1,
) -> dict[tuple[str, str], datetime.datetime]:
    """A time for each student and lab."""
    for student, per_lab in moments.items():
        assert_known(per_lab, f"{table}.{student}.", known)
    return {
        (student, name): _in_utc(one, f"{table}.{student}.{name}", zone, fold)
        for student, per_lab in moments.items()
        for name, one in per_lab.items()
    }


def _in_utc(
    value: datetime.datetime, where: str, zone: datetime.tzinfo | None, fold: int = 1
) -> datetime.datetime:
    """Two times in one zone would be subtracted as if the clocks never changed.

    Of a time that the clocks show twice, the later one is meant (`fold` of datetime): students have
    until then.
    """
    if not is_near(value):
        raise ValueError(
            f"{where}: the year {value.year} is too far away. Write one from {YEARS[0]} to "
            f"{YEARS[-1]}"
        )
    if value.tzinfo is not None:
        return value.astimezone(datetime.UTC)
    if zone is None:
        raise ValueError(f'{where} needs a time zone: set time_zone = "Europe/Berlin", say')
    found = value.replace(tzinfo=zone, fold=fold).astimezone(datetime.UTC)
    if found.astimezone(zone).replace(tzinfo=None) != value:
        raise ValueError(
            f"{where}: there is no {value:%H:%M} on {value:%Y-%m-%d} in {zone}, because the clocks "
            "go forward. Write a time before or after that"
        )
    return found
