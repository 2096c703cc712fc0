"""A lab as its lab.toml describes it: criteria, points, limits, hints."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from tilelab.errors import UserError

REPO = Path(__file__).resolve().parents[2]

_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class SpeedCurve:
    """Speed-up at which points begin, and share of the reference's speed-up that earns them all."""

    start: float
    full: float


Need = Literal["gpu", "emulator"]


@dataclass(frozen=True)
class Criterion:
    """A row of the score: the judge's tests with the tag `[name]`.

    What needs the emulator is watched by it: its tests get workers of the checked build.
    """

    name: str
    points: float
    needs: Need | None = None
    curve: SpeedCurve | None = None
    after: tuple[str, ...] = ()  # criteria that must be passed first


@dataclass(frozen=True)
class Task:
    """TODO `number` of the skeleton, task `number` of the handout.

    `hints` go from a nudge over an explanation to nearly the code. `patterns` are those of the
    failures that come from this task.
    """

    number: int
    title: str
    hints: tuple[str, str, str]
    patterns: tuple[str, ...]


@dataclass(frozen=True)
class Lab:
    """One lab. `seconds` is per call of the submission, `memory_mib` per process."""

    name: str
    title: str
    criteria: tuple[Criterion, ...]
    seconds: float = 5.0
    memory_mib: int = 2048
    hints: dict[str, str] = field(default_factory=dict)
    tasks: tuple[Task, ...] = ()
    repo: Path = REPO

    @property
    def max_points(self) -> float:
        return sum(criterion.points for criterion in self.criteria)

    @property
    def header(self) -> Path:
        return self.repo / "labs" / self.name / f"{self.name}.h"

    @property
    def skeleton(self) -> Path:
        return self.repo / "labs" / self.name / f"{self.name}.cu"

    @property
    def baseline(self) -> Path:
        return self.repo / "labs" / self.name / "baseline.cu"

    @property
    def reference(self) -> Path:
        return self.repo / "solutions" / self.name / f"{self.name}.cu"


def all_labs(repo: Path = REPO) -> list[str]:
    """The names of the labs that can be graded, sorted."""
    return sorted(path.parent.name for path in repo.glob("labs/*/lab.toml"))


def load(name: str, repo: Path = REPO) -> Lab:
    """Reads labs/NAME/lab.toml. Raises UserError with one line that says what is wrong in it."""
    known = all_labs(repo)
    if not _NAME.fullmatch(name) or name not in known:
        raise UserError(f"there is no lab '{name}'; the labs are: {', '.join(known) or 'none'}")
    path = repo / "labs" / name / "lab.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UserError(f"{path}: {error}") from error
    try:
        return _parse(name, data, repo)
    except ValueError as error:
        raise UserError(f"{path}: {error}") from error


def _parse(name: str, data: dict[str, Any], repo: Path) -> Lab:
    _only(data, "", "title", "limits", "criteria", "hints", "tasks")
    limits = _table(data, "limits")
    _only(limits, "limits.", "seconds", "memory_mib")
    criteria = _table(data, "criteria")
    if not criteria:
        raise ValueError("needs at least one [criteria.NAME]")
    memory = _number(limits, "limits.", "memory_mib", 2048)
    if memory != int(memory):
        raise ValueError("limits.memory_mib must be a whole number")
    rows = tuple(_criterion(key, _table(criteria, key, "criteria.")) for key in criteria)
    _assert_known_after(rows)
    return Lab(
        name=name,
        title=_text(data, "", "title"),
        criteria=rows,
        seconds=_number(limits, "limits.", "seconds", 5.0),
        memory_mib=int(memory),
        hints={key: _text(_table(data, "hints"), "hints.", key) for key in _table(data, "hints")},
        tasks=_tasks(data),
        repo=repo,
    )


def _criterion(name: str, data: dict[str, Any]) -> Criterion:
    where = f"criteria.{name}."
    if not _NAME.fullmatch(name):
        raise ValueError(f"criteria.{name}: a name is made of lower-case letters, digits and _")
    _only(data, where, "points", "needs", "from", "full", "after")
    needs = data.get("needs")
    if needs is not None and needs not in get_args(Need):
        raise ValueError(f'{where}needs can only be "gpu" or "emulator"')
    if ("from" in data) != ("full" in data):
        raise ValueError(f"{where}from and {where}full belong together")
    curve = None
    if "from" in data:
        curve = SpeedCurve(_number(data, where, "from"), _number(data, where, "full"))
    after = _texts(data, where, "after")
    return Criterion(name, _number(data, where, "points"), needs, curve, after)


def _assert_known_after(criteria: tuple[Criterion, ...]) -> None:
    # Only what is timed comes after the others.
    untimed = [criterion.name for criterion in criteria if criterion.curve is None]
    for criterion in criteria:
        for other in criterion.after:
            if other not in untimed:
                raise ValueError(
                    f"criteria.{criterion.name}.after: there is no untimed criterion '{other}'"
                )


def _tasks(data: dict[str, Any]) -> tuple[Task, ...]:
    tables = data.get("tasks", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise ValueError("tasks must be tables: [[tasks]]")
    return tuple(_task(number, table) for number, table in enumerate(tables, 1))


def _task(number: int, data: dict[str, Any]) -> Task:
    where = f"tasks[{number}]."
    _only(data, where, "title", "hints", "patterns")
    hints = _texts(data, where, "hints")
    if len(hints) != 3:
        raise ValueError(f"{where}hints must be three: a nudge, an explanation, nearly the code")
    title = _text(data, where, "title")
    return Task(number, title, (hints[0], hints[1], hints[2]), _texts(data, where, "patterns"))


def _only(data: dict[str, Any], where: str, *known: str) -> None:
    for key in data:
        if key not in known:
            raise ValueError(f"unknown key {where}{key}; known are {', '.join(known)}")


def _table(data: dict[str, Any], key: str, where: str = "") -> dict[str, Any]:
    value = data.get(key, {})
    if not isinstance(value, dict):
        raise ValueError(f"{where}{key} must be a table")
    return value


def _text(data: dict[str, Any], where: str, key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value:
        raise ValueError(f"{where}{key} must be a text")
    return value


def _texts(data: dict[str, Any], where: str, key: str) -> tuple[str, ...]:
    values = data.get(key, [])
    if not isinstance(values, list) or not all(isinstance(v, str) and v for v in values):
        raise ValueError(f"{where}{key} must be a list of texts")
    return tuple(values)


def _number(data: dict[str, Any], where: str, key: str, default: float | None = None) -> float:
    value = data.get(key, default)
    # bool is an int to Python, but `points = true` is a mistake; so are inf and nan.
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e9:
        raise ValueError(f"{where}{key} must be a number above 0")
    return value
