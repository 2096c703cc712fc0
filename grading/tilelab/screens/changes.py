"""Prints the grades that would change."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tilelab.base.text import points
from tilelab.record.outcome import Change


def show_changes(console: Console, changes: Sequence[Change]) -> None:
    """Prints a row per grade, largest loss first."""
    count = f"{len(changes)} grades" if len(changes) > 1 else "One grade"
    console.print(f"{count} would change although the files have not:", style="bold")
    table = Table(show_edge=False, pad_edge=False)
    for title in ("Student", "Lab", "Before", "After", "", "What changed"):
        table.add_column(title, justify="right" if title in ("Before", "After", "") else "left")
    for change in sorted(changes, key=_difference):
        result = change.after.grade.result
        table.add_row(
            escape(result.student),
            result.lab,
            _score(change.before.score),
            _score(change.after.grade.score),
            f"{_difference(change):+g}",
            ", ".join(change.why),
        )
    console.print(table)


def _difference(change: Change) -> float:
    return round((change.after.grade.score or 0) - (change.before.score or 0), 2)


def _score(score: float | None) -> str:
    return "" if score is None else points(score)
