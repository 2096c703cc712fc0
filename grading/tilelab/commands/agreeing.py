"""Asks before grades change."""

from __future__ import annotations

import typer

from tilelab.commands.console import console
from tilelab.record.outcome import Outcome
from tilelab.screens.changes import show_changes


def agree(outcome: Outcome, *, yes: bool) -> bool:
    """Shows the grades that would change, and writes them if that is wanted."""
    if outcome.changes:
        show_changes(console, outcome.changes)
        if not yes and not (console.is_terminal and typer.confirm("Write these grades?")):
            console.print(
                "The old grades stay. To write the new ones, repeat the command with --yes: "
                "nothing is examined again.",
                style="bold yellow",
            )
            return False
    outcome.accept()
    return True
