"""Typical mistakes, solutions/LAB/mistakes/*.cu. Each names the diagnosis that it must get."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from tilelab.base.errors import UserError
from tilelab.base.heads import head_line
from tilelab.base.text import shorten
from tilelab.model.lab import Lab
from tilelab.model.result import Result
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session
from tilelab.tutor import advice
from tilelab.tutor.progress import Progress

ENOUGH = 10

_LENGTH = 500

_TASKS = re.compile(r"[1-9]\d*( or [1-9]\d*)?")


@dataclass(frozen=True)
class Mistake:
    """A mistake fails `test` with a message that contains `says`.

    The hint is of one of its `tasks`, if it names any.
    """

    path: Path
    test: str
    says: str
    tasks: tuple[int, ...] = ()


def paths(lab: Lab) -> list[Path]:
    return sorted((lab.solutions / "mistakes").glob("*.cu"))


def read(path: Path) -> Mistake:
    """Reads the head of a mistake. Raises UserError if a line is missing."""
    tasks = head_line(path, "Task")
    if tasks is not None and not _TASKS.fullmatch(tasks):
        raise UserError(f"{path}: '// Task: {tasks}' must be a number, or two with 'or' between")
    numbers = tuple(int(number) for number in (tasks or "").split(" or ") if number)
    return Mistake(path, _named(path, "Test"), _named(path, "Says"), numbers)


def problem(mistake: Mistake, lab: Lab, session: Session) -> str | None:
    """None if the judge says what the head names and the hint is of the right task."""
    said: str | None = None
    # Most mistakes give wrong results, which one worker is enough to find.
    for only_correctness in (True, False) if gives_wrong_results(mistake, lab) else (False,):
        result = _grade(mistake, lab, session, only_correctness=only_correctness)
        said = _undiagnosed(mistake, result) or _misdirected(mistake, lab, result)
        if said is None or result.verdict != "graded":
            break
    return said


def gives_wrong_results(mistake: Mistake, lab: Lab) -> bool:
    """Whether its test is one of correctness, as far as the judge's text says."""
    judge = lab.repo / "tests" / "labs" / lab.name / "judge.cpp"
    text = judge.read_text(encoding="utf-8")
    tags = re.search(rf'TEST_CASE\("{re.escape(mistake.test)}",\s*"(.*?)"', text)
    return tags is None or "[correctness]" in tags[1]


def _undiagnosed(mistake: Mistake, result: Result) -> str | None:
    if any(
        message.startswith(f"{mistake.test}: ") and mistake.says in message
        for row in result.criteria
        for message in row.messages
    ):
        return None
    said = result.messages + [text for row in result.criteria for text in row.messages]
    said = [text for text in said if text.startswith(f"{mistake.test}: ")] or said
    instead = shorten(" | ".join(said) or "nothing", _LENGTH)
    return f"'{mistake.test}' does not say '{mistake.says}'. It says: {instead}"


def _misdirected(mistake: Mistake, lab: Lab, result: Result) -> str | None:
    text = mistake.path.read_text(encoding="utf-8")
    state = advice.after_check(result, lab, mistake.path.name, text, Progress())
    if not mistake.tasks or state.task in mistake.tasks:
        return None
    wanted = " or ".join(map(str, mistake.tasks))
    return f"its hint is of task {state.task or 'none'}, not of task {wanted}"


def _grade(mistake: Mistake, lab: Lab, session: Session, *, only_correctness: bool) -> Result:
    asked = tuple(
        one
        for one in lab.criteria
        if one.curve is None and not (only_correctness and one.needs is not None)
    )
    return submission.grade(mistake.path, replace(lab, criteria=asked), session)


def _named(path: Path, key: str) -> str:
    named = head_line(path, key)
    if named is None:
        raise UserError(f"{path} needs a line '// {key}: ...' in the comment at its top")
    return named
