"""One failure on the screen: what is wrong, where, what was expected, a hint, and the cause."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from rich.text import Text

from tilelab.base.text import of_lines
from tilelab.model.case import Place
from tilelab.model.failure import Cause, Causes, Failure
from tilelab.model.lab import Lab
from tilelab.screens.layout import cut, source_lines, together, wrapped
from tilelab.tutor import fitting
from tilelab.tutor.code import code_of

_INDENT = "  "

_JUDGED_FILE = re.compile(r"(?<!\w)\w+\.cu(?=:\d)")


def in_own_file(says: str, file: str) -> str:
    """The sentence with the name of the student's file: the judge knows another one."""
    return _JUDGED_FILE.sub(lambda _: Path(file).name, says)


def sentence(failure: Failure) -> str:
    """What is wrong: 'out is wrong at 1 of 2 elements.'"""
    return failure.details.summary or failure.message


def headline(failure: Failure) -> str:
    """The same, with inputs: 'Wrong result for n = 2: out is wrong at 1 of 2 elements.'"""
    details = failure.details
    says = sentence(failure)
    different = dict.fromkeys(one for one in details.inputs if not says.startswith(one))
    inputs = ", ".join(map(together, different))
    if details.element:
        says = f"Wrong result{f' for {inputs}' if inputs else ''}: {says}"
        inputs = ""
    count = together(f"in {failure.count} tests") if failure.count > 1 else ""
    remarks = ", ".join(filter(None, (inputs, count)))
    return f"{says} ({remarks})" if remarks else says


def in_full(failure: Failure, file: str, source: Sequence[str], width: int) -> list[Text]:
    """The failure with its lines of source and values."""
    return [
        *wrapped(in_own_file(headline(failure), file), width, style="bold red"),
        *_places(failure.details.places, file, source, width),
        *_values(failure, width),
        *_store(failure, file, source, width),
    ]


def in_brief(failure: Failure, file: str) -> str:
    where = f"line {failure.line}: " if failure.line else ""
    return f"Also: {where}{in_own_file(headline(failure), file)}"


def _store(failure: Failure, file: str, source: Sequence[str], width: int) -> list[Text]:
    """Where the wrong value was stored, if nothing else says where to look."""
    store = failure.details.store
    if store is None or failure.details.places:
        return []
    return _places([store], file, source, width)


def _places(places: Sequence[Place], file: str, source: Sequence[str], width: int) -> list[Text]:
    lines: list[Text] = []
    shown: list[int] = []
    for place in places:
        # Two threads that race in one line share its picture.
        if place.line in shown:
            lines += wrapped(place.says, width, first="      | ", rest="      | ", style="red")
        else:
            lines += source_lines(source, place, width)
        shown.append(place.line)
    return [Text(f"{_INDENT}{file}:{shown[0]}", style="cyan"), *lines] if shown else []


def _values(failure: Failure, width: int) -> list[Text]:
    details = failure.details
    if not details.element:
        return []
    room = width - len(_INDENT) - len("expected ")
    return [
        Text(f"{_INDENT}{details.element}"),
        Text(f"{_INDENT}expected {cut(details.expected, room)}", style="green"),
        Text(f"{_INDENT}got      {cut(details.got, room)}", style="red"),
    ]


def hint(failure: Failure, lab: Lab, source: Sequence[str], width: int) -> list[Text]:
    """The lab's hint for this failure, unless the file does already what it says."""
    text = "\n".join(source)
    says = fitting.hint(failure, lab, text)
    if not says or code_of(text).shows(says):
        return []
    return wrapped(f"Hint: {says}", width, first=_INDENT, rest=f"{_INDENT}      ")


def cause_lines(causes: Causes, source: Sequence[str], width: int) -> list[Text]:
    """The causes, none if there are none."""
    if not causes.found:
        return []
    return [
        *wrapped(_headline_of_causes(causes.found), width, style="bold cyan"),
        *(line for one in causes.found for line in _of_cause(one, source, width)),
    ]


def _headline_of_causes(found: Sequence[Cause]) -> str:
    places = " or ".join(of_lines(one.lines) for one in found)
    either, there = ("either ", "in one place") if len(found) > 1 else ("", "there")
    several = any(one.others for one in found)
    change = f"Small changes {there}" if several else f"A small change {there}"
    if found[0].is_all:
        makes = "make" if several else "makes"
        return f"Cause: {either}{places}. {change} {makes} all tests pass."
    if found[0].with_another:
        return (
            f"One of several causes: {places}. With {change.lower()} and another one elsewhere, "
            "the first failure is gone. Other tests may still fail."
        )
    fixes = "fix" if several else "fixes"
    return (
        f"One cause: {either}{places}. {change} {fixes} the first failure. "
        "Other tests may still fail."
    )


def _of_cause(one: Cause, source: Sequence[str], width: int) -> list[Text]:
    places = [Place(line, one.word if line == one.line else "") for line in one.lines]
    return [
        *(line for place in places for line in source_lines(source, place, width)),
        *wrapped(one.asks, width, first=_INDENT, rest=_INDENT),
    ]
