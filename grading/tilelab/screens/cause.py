"""The cause of a failure on the screen: where to look, and what to ask oneself there."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from tilelab.model.case import Place
from tilelab.model.cause import Cause, Causes
from tilelab.screens.layout import source_lines, wrapped

_INDENT = "  "


def lines(causes: Causes, source: Sequence[str], width: int) -> list[Text]:
    """The causes, none if there are none."""
    if not causes.found:
        return []
    return [
        *wrapped(_headline(causes.found), width, style="bold cyan"),
        *(line for one in causes.found for line in _of_one(one, source, width)),
    ]


def _headline(found: Sequence[Cause]) -> str:
    if len(found) > 1:
        places = " or ".join(f"line {one.line}" for one in found)
        return f"Cause: either {places}. A small change in one of them makes all tests pass."
    if not found[0].is_all:
        return (
            f"One cause: line {found[0].line}. A small change there fixes the first failure. "
            "Something else still fails."
        )
    return f"Cause: line {found[0].line}. A small change there makes all tests pass."


def _of_one(one: Cause, source: Sequence[str], width: int) -> list[Text]:
    return [
        *source_lines(source, Place(one.line, one.word), width),
        *wrapped(one.asks, width, first=_INDENT, rest=_INDENT),
    ]
