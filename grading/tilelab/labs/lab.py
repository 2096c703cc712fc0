"""Finds the labs, and reads their lab.toml."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct, field, structs

from tilelab.base.errors import UserError
from tilelab.base.fields import Finite, Positive, Text, Texts
from tilelab.base.repository import IS_COURSE, REPO
from tilelab.base.tables import read
from tilelab.base.text import checksum, one_line, shorten
from tilelab.model.lab import (
    Criterion,
    Estimate,
    Lab,
    Limits,
    Need,
    SpeedCurve,
    SpeedTask,
    Task,
    TaskTable,
)

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_SHOWN = 100  # characters of an expression, and of what is wrong with it

NO_COURSE = "there is no course in this folder. Change to your copy of its repository"


def all_labs(repo: Path = REPO) -> list[str]:
    """The names of the labs that can be graded, sorted."""
    return sorted(path.parent.name for path in repo.glob("labs/*/lab.toml"))


def course(repo: Path = REPO) -> list[Lab]:
    """All labs that can be read, in the order of the course."""
    return sorted(_read_all(repo)[0], key=lambda lab: lab.order)


def unreadable(repo: Path = REPO) -> dict[str, str]:
    """What is wrong with each lab.toml that cannot be read. The other labs work without it."""
    return _read_all(repo)[1]


def _read_all(repo: Path) -> tuple[list[Lab], dict[str, str]]:
    labs, wrong = [], {}
    for name in all_labs(repo):
        try:
            labs.append(load(name, repo))
        except UserError as error:
            wrong[name] = str(error)
    return labs, wrong


def load(name: str, repo: Path = REPO) -> Lab:
    """Reads labs/NAME/lab.toml. Raises UserError with one line that says what is wrong in it."""
    if not IS_COURSE and repo == REPO:
        raise UserError(NO_COURSE)
    known = all_labs(repo)
    if not _NAME.fullmatch(name) or name not in known:
        raise UserError(f"there is no lab '{name}'; the labs are: {', '.join(known) or 'none'}")
    path = repo / "labs" / name / "lab.toml"
    return read(path, _File, lambda file: _lab(name, file, repo))


class _Criterion(Struct, frozen=True, forbid_unknown_fields=True):
    points: Positive
    needs: Annotated[Need, Meta(description='must be "gpu" or "checked"')] | None = None
    start: Positive | None = field(name="from", default=None)
    full: Positive | None = None
    ladder: Texts = ()
    half: Text = ""
    after: Texts = ()
    estimated: Annotated[
        Literal["none", "points"], Meta(description='must be "none" or "points"')
    ] = "none"


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    title: Text
    order: Finite = math.inf
    learned: Text = ""
    skeleton_sha256: Text = ""  # nothing reads it: the copy of the skeleton says it
    limits: Limits = Limits()
    criteria: dict[str, _Criterion] = {}
    estimate: Estimate | None = None
    hints: dict[str, Text] = {}
    tasks: tuple[TaskTable, ...] = ()
    speed: tuple[SpeedTask, ...] = ()


def _lab(name: str, file: _File, repo: Path) -> Lab:
    if not file.criteria:
        raise ValueError("it needs at least one [criteria.NAME]")
    criteria = tuple(_criterion(key, one) for key, one in file.criteria.items())
    _assert_known_after(criteria)
    if file.estimate is None:
        _assert_not_estimated(criteria)
    _assert_tasks_work(file)
    tasks = enumerate(file.tasks, 1)
    found = Lab(
        name=name,
        title=file.title,
        criteria=criteria,
        order=file.order,
        hints=file.hints,
        tasks=tuple(Task(number=number, **structs.asdict(one)) for number, one in tasks),
        speed=file.speed,
        estimate=file.estimate,
        learned=file.learned,
        repo=repo,
        **structs.asdict(file.limits),
    )
    return structs.replace(found, skeleton_sha256=_checksum(found.pristine))


def _checksum(skeleton: Path) -> str:
    try:
        return checksum(skeleton.read_text(encoding="utf-8-sig", errors="replace"))
    except OSError:  # `verify` says that it is missing
        return ""


def _criterion(name: str, one: _Criterion) -> Criterion:
    if not _NAME.fullmatch(name):
        raise ValueError(f"criteria.{name}: use lower-case letters, digits and _ in a name")
    where = f"criteria.{name}."
    curve = _curve(one, where)
    if estimated := one.estimated == "points":
        _assert_can_be_estimated(where, curve, one.after)
    return Criterion(name, one.points, one.needs, curve, one.after, estimated)


def _curve(one: _Criterion, where: str) -> SpeedCurve | None:
    if one.start is None and one.full is None and not (one.ladder or one.half):
        return None
    if one.start is None or one.full is None:
        raise ValueError(f"{where}from and {where}full need each other")
    if one.half and one.half not in one.ladder:
        raise ValueError(f"{where}half must be one of the steps in {where}ladder")
    return SpeedCurve(one.start, one.full, one.ladder, one.half)


def _assert_can_be_estimated(where: str, curve: SpeedCurve | None, after: Sequence[str]) -> None:
    if curve is None:
        raise ValueError(f"{where}estimated is for a criterion with {where}from and {where}full")
    if not after:
        raise ValueError(
            f"{where}estimated needs {where}after: the criteria that must be passed first, such as "
            "correctness"
        )


def _assert_not_estimated(criteria: Sequence[Criterion]) -> None:
    for one in criteria:
        if one.estimated:
            raise ValueError(
                f"criteria.{one.name}.estimated needs the table [estimate], which has the calls"
            )


def _assert_known_after(criteria: Sequence[Criterion]) -> None:
    # A criterion can only depend on others that are not timed.
    untimed = [criterion.name for criterion in criteria if criterion.curve is None]
    for criterion in criteria:
        for other in criterion.after:
            if other not in untimed:
                raise ValueError(
                    f"criteria.{criterion.name}.after: there is no untimed criterion '{other}'"
                )


def _assert_tasks_work(file: _File) -> None:
    for number, task in enumerate(file.tasks, 1):
        for pattern in task.code:
            _assert_expression(pattern, f"tasks[{number}].code")
    for number, one in enumerate(file.speed, 1):
        where = f"speed[{number}]"
        if bool(one.metric) != (one.below > -math.inf or one.above < math.inf):
            raise ValueError(f"{where}.metric and {where}.below or {where}.above need each other")
        if not (one.metric or one.unless):
            raise ValueError(f"{where} needs a metric or unless, which say when it is of use")
        _assert_expression(one.unless, f"{where}.unless")


def _assert_expression(pattern: str, where: str) -> None:
    said = f"{where}: '{one_line(shorten(pattern, _SHOWN))}' is not a regular expression: "
    try:
        with warnings.catch_warnings():
            # What Python warns of now, it will read in another way later.
            warnings.simplefilter("error")
            re.compile(pattern)
    except Warning as warning:
        raise ValueError(f"{said}{str(warning).lower()}; put a backslash before it") from warning
    except (re.error, OverflowError, ValueError) as error:
        raise ValueError(f"{said}{one_line(shorten(str(error), _SHOWN))}") from error
    except RecursionError as error:
        raise ValueError(f"{said}it has too many parentheses within others") from error
