"""A lab as its lab.toml describes it: criteria, points, limits, hints."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from tilelab.base.errors import UserError
from tilelab.base.repository import IS_COURSE, REPO
from tilelab.base.tables import any_number, flag, number, only, read, table, tables, text, texts

_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class SpeedCurve:
    """Points begin at the speedup `start`, and are full at `full` times the reference's speedup.

    `ladder` are the steps of the lesson, NN_name, which are timed beside a submission. `half` is
    the one that gets half of the points, if any; see score.scale.
    """

    start: float
    full: float
    ladder: tuple[str, ...] = ()
    half: str = ""


Need = Literal["gpu", "checked"]


@dataclass(frozen=True)
class Criterion:
    """A criterion is graded by the judge's tests with the tag `[name]`.

    If it needs "checked", its tests get workers of the checked build, which are observed. If it is
    `estimated`, an estimated time gives its points where no GPU measures one.
    """

    name: str
    points: float
    needs: Need | None = None
    curve: SpeedCurve | None = None
    after: tuple[str, ...] = ()  # criteria that must be passed first
    estimated: bool = False


@dataclass(frozen=True)
class HandoutTask:
    """A task of the handout. `hints` are a nudge, an explanation, and nearly the code."""

    number: int
    title: str
    hints: tuple[str, str, str]


@dataclass(frozen=True)
class Task(HandoutTask):
    """The task of the TODO with the same number in the skeleton.

    `patterns` are the ids of the failures that this task can cause. `code` are regular expressions
    that find its lines in a file without comments and white space; the task is done where the first
    one is found. `undone` are further patterns, which point to the task only until it is done. Only
    failures of tests that have `tests` in their names point to the task, and if all tests that fail
    have it, this task comes first.
    """

    patterns: tuple[str, ...]
    code: tuple[str, ...] = ()
    undone: tuple[str, ...] = ()
    tests: str = ""


@dataclass(frozen=True)
class Condition:
    """When a kernel could be faster: while a metric is below or above a limit, or code is missing.

    `metric` is a name of tutor.counts, `unless` a regular expression like those of a task.
    """

    metric: str = ""
    below: float = -math.inf
    above: float = math.inf
    unless: str = ""


@dataclass(frozen=True)
class SpeedTask(HandoutTask):
    """A task that makes a right kernel faster, and when there is a use for it."""

    when: Condition


@dataclass(frozen=True)
class Estimate:
    """What a time is estimated for: calls of the lab's functions, in C++, and what to call them.

    Arguments that are arrays are written as common/emulator/recording.h declares them.
    """

    problem: str
    calls: tuple[str, ...]


@dataclass(frozen=True)
class Lab:
    """One lab. `seconds` limits each call of the submission, `memory_mib` each process.

    `skeleton_sha256` is intake.checksum() of the skeleton as students get it. They edit the file
    itself.
    `reads_back` says whether host code may copy arrays from the device to the host, and
    `skipped_barriers_fail` whether a barrier that some threads skip, because they have ended, costs
    points of safety.
    """

    name: str
    title: str
    criteria: tuple[Criterion, ...]
    order: float = math.inf  # its place in the course; labs without one come last
    seconds: float = 5.0
    memory_mib: int = 2048
    reads_back: bool = False
    skipped_barriers_fail: bool = False
    hints: dict[str, str] = field(default_factory=dict)
    tasks: tuple[Task, ...] = ()
    speed: tuple[SpeedTask, ...] = ()
    skeleton_sha256: str = ""
    estimate: Estimate | None = None
    learned: str = ""  # what a student who passes has learned, in a sentence or two
    repo: Path = REPO

    @property
    def max_points(self) -> float:
        return sum(criterion.points for criterion in self.criteria)

    @property
    def is_timed(self) -> bool:
        """Whether speed counts. A lab without it has no ladder's times and no challenge either."""
        return any(criterion.curve for criterion in self.criteria)

    @property
    def handout(self) -> Path:
        return self.repo / "labs" / self.name / "README.md"

    @property
    def header(self) -> Path:
        return self.repo / "labs" / self.name / f"{self.name}.h"

    @property
    def skeleton(self) -> Path:
        return self.repo / "labs" / self.name / f"{self.name}.cu"

    @property
    def pristine(self) -> Path:
        """The skeleton as students get it, which nobody edits."""
        return self.skeleton.with_name(".skeleton.cu")

    @property
    def solutions(self) -> Path:
        return self.repo / "solutions" / self.name

    @property
    def ladder(self) -> list[Path]:
        """The ladder steps, NN_name.cu, sorted by number."""
        return sorted((self.solutions / "ladder").glob("*.cu"), key=_step)

    def step(self, name: str) -> Path:
        """A step of the ladder, by its name without ".cu"."""
        return self.solutions / "ladder" / f"{name}.cu"

    @property
    def challengers(self) -> list[Path]:
        """Our own entries for the lab's challenge."""
        return sorted((self.solutions / "challenge").glob("*.cu"))

    @property
    def baseline(self) -> Path:
        return self.repo / "labs" / self.name / "baseline.cu"

    @property
    def reference(self) -> Path:
        """The reference solution, which a copy for students lacks."""
        return self.solutions / f"{self.name}.cu"

    @property
    def figures(self) -> Path:
        """What the reference solution moves, in a copy that lacks the solution itself."""
        return self.repo / "labs" / self.name / "reference" / "figures.txt"


def _step(path: Path) -> tuple[int, str]:
    number = re.match(r"\d+", path.stem)
    return (int(number[0]) if number else 0, path.stem)


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
    return read(repo / "labs" / name / "lab.toml", lambda data: _parse(name, data, repo))


def _parse(name: str, data: dict[str, Any], repo: Path) -> Lab:
    only(
        data,
        "",
        "title",
        "order",
        "learned",
        "skeleton_sha256",
        "limits",
        "criteria",
        "estimate",
        "hints",
        "tasks",
        "speed",
    )
    limits = table(data, "limits")
    only(limits, "limits.", "seconds", "memory_mib", "reads_back", "skipped_barriers_fail")
    criteria = table(data, "criteria")
    if not criteria:
        raise ValueError("it needs at least one [criteria.NAME]")
    memory = number(limits, "limits.", "memory_mib", 2048)
    if memory != int(memory):
        raise ValueError("limits.memory_mib must be a whole number")
    rows = tuple(_criterion(key, table(criteria, key, "criteria.")) for key in criteria)
    _assert_known_after(rows)
    if "estimate" not in data:
        _assert_not_estimated(rows)
    return Lab(
        name=name,
        title=text(data, "", "title"),
        criteria=rows,
        order=any_number(data, "", "order") if "order" in data else math.inf,
        seconds=number(limits, "limits.", "seconds", 5.0),
        memory_mib=int(memory),
        reads_back=flag(limits, "limits.", "reads_back"),
        skipped_barriers_fail=flag(limits, "limits.", "skipped_barriers_fail"),
        hints={key: text(table(data, "hints"), "hints.", key) for key in table(data, "hints")},
        tasks=tuple(_task(position, one) for position, one in enumerate(tables(data, "tasks"), 1)),
        speed=tuple(_speed(position, one) for position, one in enumerate(tables(data, "speed"), 1)),
        skeleton_sha256=text(data, "", "skeleton_sha256") if "skeleton_sha256" in data else "",
        estimate=_estimate(table(data, "estimate")) if "estimate" in data else None,
        learned=text(data, "", "learned") if "learned" in data else "",
        repo=repo,
    )


def _estimate(data: dict[str, Any]) -> Estimate:
    only(data, "estimate.", "problem", "calls")
    calls = texts(data, "estimate.", "calls")
    if not calls:
        raise ValueError("estimate.calls must have at least one call")
    return Estimate(text(data, "estimate.", "problem"), calls)


def _criterion(name: str, data: dict[str, Any]) -> Criterion:
    where = f"criteria.{name}."
    if not _NAME.fullmatch(name):
        raise ValueError(f"criteria.{name}: use lower-case letters, digits and _ in a name")
    known = ("points", "needs", "from", "full", "ladder", "half", "after", "estimated")
    only(data, where, *known)
    needs = data.get("needs")
    if needs is not None and needs not in get_args(Need):
        raise ValueError(f'{where}needs must be "gpu" or "checked"')
    curve = _curve(data, where)
    after = texts(data, where, "after")
    estimated = _estimated(data, where, is_timed=curve is not None, after=after)
    return Criterion(name, number(data, where, "points"), needs, curve, after, estimated)


def _estimated(data: dict[str, Any], where: str, *, is_timed: bool, after: tuple[str, ...]) -> bool:
    value = data.get("estimated", "none")
    if value not in ("none", "points"):
        raise ValueError(f'{where}estimated must be "none" or "points"')
    if value == "none":
        return False
    if not is_timed:
        raise ValueError(f"{where}estimated is for a criterion with {where}from and {where}full")
    if not after:
        raise ValueError(
            f"{where}estimated needs {where}after: the criteria that must be passed first, such as "
            "correctness"
        )
    return True


def _assert_not_estimated(criteria: tuple[Criterion, ...]) -> None:
    for one in criteria:
        if one.estimated:
            raise ValueError(
                f"criteria.{one.name}.estimated needs the table [estimate], which has the calls"
            )


def _curve(data: dict[str, Any], where: str) -> SpeedCurve | None:
    if not any(key in data for key in ("from", "full", "ladder", "half")):
        return None
    if "from" not in data or "full" not in data:
        raise ValueError(f"{where}from and {where}full need each other")
    ladder = texts(data, where, "ladder")
    half = text(data, where, "half") if "half" in data else ""
    if half and half not in ladder:
        raise ValueError(f"{where}half must be one of the steps in {where}ladder")
    return SpeedCurve(number(data, where, "from"), number(data, where, "full"), ladder, half)


def _assert_known_after(criteria: tuple[Criterion, ...]) -> None:
    # A criterion can only depend on others that are not timed.
    untimed = [criterion.name for criterion in criteria if criterion.curve is None]
    for criterion in criteria:
        for other in criterion.after:
            if other not in untimed:
                raise ValueError(
                    f"criteria.{criterion.name}.after: there is no untimed criterion '{other}'"
                )


def _task(position: int, data: dict[str, Any]) -> Task:
    where = f"tasks[{position}]."
    only(data, where, "title", "patterns", "code", "undone", "tests", "hints")
    title, hints = text(data, where, "title"), _hints(data, where)
    code = texts(data, where, "code")
    for one in code:
        _assert_expression(one, f"{where}code")
    patterns, undone = texts(data, where, "patterns"), texts(data, where, "undone")
    tests = text(data, where, "tests") if "tests" in data else ""
    return Task(position, title, hints, patterns, code, undone, tests)


def _speed(position: int, data: dict[str, Any]) -> SpeedTask:
    where = f"speed[{position}]."
    only(data, where, "task", "title", "metric", "below", "above", "unless", "hints")
    task = number(data, where, "task")
    if task != int(task):
        raise ValueError(f"{where}task must be a whole number")
    if ("metric" in data) != ("below" in data or "above" in data):
        raise ValueError(f"{where}metric and {where}below or {where}above need each other")
    if "metric" not in data and "unless" not in data:
        raise ValueError(f"speed[{position}] needs a metric or unless, which say when it is of use")
    unless = text(data, where, "unless") if "unless" in data else ""
    _assert_expression(unless, f"{where}unless")
    when = Condition(
        text(data, where, "metric") if "metric" in data else "",
        any_number(data, where, "below") if "below" in data else -math.inf,
        any_number(data, where, "above") if "above" in data else math.inf,
        unless,
    )
    return SpeedTask(int(task), text(data, where, "title"), _hints(data, where), when)


def _hints(data: dict[str, Any], where: str) -> tuple[str, str, str]:
    hints = texts(data, where, "hints")
    if len(hints) != 3:
        raise ValueError(
            f"{where}hints must have three strings: a nudge, an explanation, nearly the code"
        )
    return hints[0], hints[1], hints[2]


def _assert_expression(pattern: str, where: str) -> None:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{where}: '{pattern}' is not a regular expression: {error}") from error
