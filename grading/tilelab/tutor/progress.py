"""A student's progress in a lab: what the last check found, and which hints were given.

It is kept in build/progress/LAB.json, or in the folder that TILELAB_PROGRESS names, so that several
people can share a repository. A check of any file of the lab counts. A file that cannot be read
counts as no progress, and one that cannot be written is skipped: neither ends a command.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from tilelab.base.files import write_atomically
from tilelab.base.repository import BUILD

Outcome = Literal["unchecked", "unbuilt", "failed", "slow", "passed"]

_SCHEMA = 1


@dataclass(frozen=True)
class Progress:
    """The progress in one lab.

    `patterns` are the ids of the failures, and `task` is the task that they point to, if any.
    `waiting` are the criteria that this machine could not run. `given` counts the hints per task.
    `others` are tasks that may be the cause instead, the most plausible first. A submission that is
    "slow" passes everything but speed. `done` counts the tasks that seem finished. `points` are
    those earned and those possible, per criterion that the last graded check could run. `solved`
    stays true once every test of the results has passed.
    """

    outcome: Outcome = "unchecked"
    file: str = ""
    task: int | None = None
    patterns: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    given: dict[int, int] = field(default_factory=dict)
    others: tuple[int, ...] = ()
    done: int = 0
    points: dict[str, tuple[float, float]] = field(default_factory=dict)
    solved: bool = False

    @property
    def is_right(self) -> bool:
        """Whether the last check found nothing wrong, apart from speed."""
        return self.outcome in ("slow", "passed")


def load(lab: str) -> Progress:
    try:
        return _parse(json.loads(_path(lab).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Progress()


def save(lab: str, progress: Progress) -> None:
    path = _path(lab)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"schema": _SCHEMA, **asdict(progress)}, indent=2)
        write_atomically(path, text + "\n")


def _path(lab: str) -> Path:
    folder = os.environ.get("TILELAB_PROGRESS")
    return (Path(folder) if folder else BUILD / "progress") / f"{lab}.json"


def _parse(data: dict[str, Any]) -> Progress:
    task, given = data["task"], data["given"]
    if data["schema"] != _SCHEMA or data["outcome"] not in get_args(Outcome):
        raise ValueError("not ours")
    return Progress(
        outcome=data["outcome"],
        file=_text(data["file"]),
        task=None if task is None else _count(task),
        patterns=_texts(data["patterns"]),
        waiting=_texts(data["waiting"]),
        given={int(number): _count(count) for number, count in given.items()},
        # Files of the first release lack these.
        others=tuple(_count(number) for number in data.get("others", ())),
        done=_count(data.get("done", 0)),
        points={_text(name): _pair(pair) for name, pair in data.get("points", {}).items()},
        solved=data.get("solved") is True,
    )


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError("not ours")
    return value


def _pair(value: Sequence[float]) -> tuple[float, float]:
    earned, possible = value
    return float(earned), float(possible)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("not ours")
    return value


def _texts(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(_text(value) for value in values)
