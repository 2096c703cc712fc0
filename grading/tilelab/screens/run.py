"""Prints what was found in a program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console

from tilelab.base.text import one_line
from tilelab.screens.profile import show_launches

Json = dict[str, Any]

_MOST = 20


def show_findings(console: Console, findings: Sequence[Json] | None) -> None:
    """Prints a line for each finding: mistakes first, then notes."""
    if findings is None:
        console.print("tilelab: the program ended without a report of what was found")
        return
    mistakes = [one for one in findings if not one["note"]]
    notes = [one for one in findings if one["note"]]
    for one in [*mistakes, *notes][:_MOST]:
        console.print(f"tilelab: {one_line(one['text'])}", markup=False)
    if len(findings) > _MOST:
        console.print(f"tilelab: {len(findings) - _MOST} more findings")
    if not mistakes:
        console.print("tilelab: no mistakes found")


def show_counts(console: Console, launches: Sequence[Json]) -> None:
    """Prints what the launches did with memory."""
    show_launches(console, launches, None)
