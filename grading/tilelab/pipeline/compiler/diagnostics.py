"""Takes the errors about a submission out of what a compiler prints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tilelab.base.text import shorten
from tilelab.pipeline.compiler import messages

_MOST_CHARACTERS = 300
_NVCC_LINE = re.compile(r"^([\w.]+)\((\d+)\):", re.MULTILINE)
_NO_ERROR = re.compile(r"\b(warning|remark|required from)\b")
_NOTE = re.compile(r"\bnote: ")


@dataclass(frozen=True)
class _Error:
    """An error in the form FILE:LINE: text, and the notes that the compiler adds to it."""

    message: str
    notes: tuple[str, ...]


def errors(output: str, lab: str) -> list[str]:
    """What is wrong in the submission's lines or in the lab's header, each FILE:LINE: text."""
    found = _errors(_NVCC_LINE.sub(r"\1:\2:", output), lab)
    explained = (messages.explained(one.message, one.notes) for one in found)
    return [shorten(one, _MOST_CHARACTERS) for one in explained]


def told_once(errors: Sequence[str]) -> list[str]:
    """The errors without those that the compiler had of an earlier line already."""
    by_text: dict[str, str] = {}
    for error in errors:
        by_text.setdefault(error.partition(": ")[2], error)
    return list(by_text.values())


def places(output: str, lab: str) -> list[str]:
    """The submission's lines that an error in another file goes back to."""
    located = _located(lab)
    lines = [line.rstrip() for line in output.splitlines() if located.match(line)]
    return [shorten(line, _MOST_CHARACTERS) for line in lines if "required from here" in line]


def _errors(output: str, lab: str) -> Iterator[_Error]:
    located = _located(lab)
    message: str | None = None
    notes: list[str] = []
    for line in (one.rstrip() for one in output.splitlines()):
        if _NOTE.search(line):
            notes.append(line)
            continue
        is_ours = located.match(line) and not _NO_ERROR.search(line)
        if not is_ours and " error: " not in line:
            continue
        if message is not None:
            yield _Error(message, tuple(notes))
        message, notes = (line if is_ours else None), []
    if message is not None:
        yield _Error(message, tuple(notes))


def _located(lab: str) -> re.Pattern[str]:
    return re.compile(rf"{lab}\.(cu|h):\d+:")
