"""Typical mistakes, solutions/LAB/mistakes/*.cu. Each names the diagnosis that it must get."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.text import shorten
from tilelab.pipeline import submission
from tilelab.pipeline.session import Session
from tilelab.score.lab import Lab
from tilelab.score.records import Result

ENOUGH = 10

_LENGTH = 500


@dataclass(frozen=True)
class Mistake:
    """A mistake fails `test` with a message that contains `says`."""

    path: Path
    test: str
    says: str


def paths(lab: Lab) -> list[Path]:
    return sorted((lab.solutions / "mistakes").glob("*.cu"))


def read(path: Path) -> Mistake:
    """Reads the head of a mistake. Raises UserError if a line is missing."""
    return Mistake(path, _named(path, "Test"), _named(path, "Says"))


def head_line(path: Path, key: str) -> str | None:
    """The text after `// KEY:` in the comment at the top of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for line in lines:
        if not line.startswith("//"):
            return None
        if match := re.fullmatch(rf"// {key}: (.*\S)\s*", line):
            return match[1]
    return None


def undiagnosed(mistake: Mistake, lab: Lab, session: Session) -> str | None:
    """None if the judge says what the head names, otherwise what it says instead."""
    result = _grade(mistake, lab, session, only_correctness=True)
    if not _is_diagnosed(mistake, result) and result.verdict == "graded":
        result = _grade(mistake, lab, session, only_correctness=False)
    if _is_diagnosed(mistake, result):
        return None
    said = result.messages + [text for row in result.criteria for text in row.messages]
    said = [text for text in said if text.startswith(f"{mistake.test}: ")] or said
    instead = shorten(" | ".join(said) or "nothing", _LENGTH)
    return f"'{mistake.test}' does not say '{mistake.says}'. It says: {instead}"


def _grade(mistake: Mistake, lab: Lab, session: Session, *, only_correctness: bool) -> Result:
    # Most mistakes give wrong results, which one worker is enough to find.
    asked = tuple(
        one
        for one in lab.criteria
        if one.curve is None and not (only_correctness and one.needs is not None)
    )
    return submission.grade(mistake.path, dataclasses.replace(lab, criteria=asked), session)


def _is_diagnosed(mistake: Mistake, result: Result) -> bool:
    return any(
        message.startswith(f"{mistake.test}: ") and mistake.says in message
        for row in result.criteria
        for message in row.messages
    )


def _named(path: Path, key: str) -> str:
    named = head_line(path, key)
    if named is None:
        raise UserError(f"{path} needs a line '// {key}: ...' in the comment at its top")
    return named
