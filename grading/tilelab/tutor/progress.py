"""A student's progress in a lab: what the last check found, and which hints were given.

It is kept in build/progress/LAB.json, or in the folder that TILELAB_PROGRESS names, so that several
people can share a repository. A check of any file of the lab counts. A file that cannot be read
counts as no progress, and one that cannot be written is skipped: neither ends a command.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct, to_builtins

from tilelab.base.files import write_atomically
from tilelab.base.records import decoded
from tilelab.base.repository import BUILD
from tilelab.model.failure import Cause

T = TypeVar("T")

Outcome = Literal["unchecked", "unbuilt", "failed", "slow", "passed"]

_Count = Annotated[int, Meta(ge=0)]


class Progress(Struct, frozen=True):
    """The progress in one lab.

    `patterns` are the ids of the failures, and `task` is the task that they point to, if any. If
    there is none, they are the names of hints, see hint_key() of the model. `waiting` are the
    criteria that this machine could not run. `given` counts the hints per task. `others` are tasks
    that may be the cause instead, the most plausible first. A submission that is "slow" passes
    everything but speed. `done` counts the tasks that seem finished. `points` are those earned and
    those possible, per criterion that the last graded check could run. `solved` stays true once
    every test of the results has passed. `causes` are the confirmed cause of the failures, or those
    of which one is. `cause_given` counts their hints, and they were `cause_checked` again since the
    last of them.
    """

    outcome: Outcome = "unchecked"
    file: str = ""
    task: _Count | None = None
    patterns: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    given: dict[int, _Count] = {}
    others: tuple[_Count, ...] = ()
    done: _Count = 0
    points: dict[str, tuple[float, float]] = {}
    solved: bool = False
    causes: tuple[Cause, ...] = ()
    cause_given: _Count = 0
    cause_checked: bool = False

    @property
    def is_right(self) -> bool:
        """Whether the last check found nothing wrong, apart from speed."""
        return self.outcome in ("slow", "passed")


class _Schema(Struct, frozen=True):
    schema: Literal[1]


def load(lab: str) -> Progress:
    return read(_file(lab), _parsed, Progress)


def save(lab: str, progress: Progress) -> None:
    write(_file(lab), json.dumps({"schema": 1, **to_builtins(progress)}, indent=2))


def read(file: str, parse: Callable[[bytes], T], nothing: Callable[[], T]) -> T:
    """What a file of this name in the folder holds, `nothing` if it cannot be read."""
    try:
        return parse((folder() / file).read_bytes())
    except (OSError, ValueError, RecursionError):
        return nothing()


def write(file: str, text: str) -> None:
    """Keeps a text in the folder, if it can be written."""
    path = folder() / file
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text + "\n")


def folder() -> Path:
    """Where everything about a student's progress is kept."""
    named = os.environ.get("TILELAB_PROGRESS")
    return Path(named) if named else BUILD / "progress"


def _file(lab: str) -> str:
    return f"{lab}.json"


def _parsed(text: bytes) -> Progress:
    decoded(text, _Schema)
    return decoded(text, Progress)
