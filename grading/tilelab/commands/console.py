"""The console that all commands print to."""

from __future__ import annotations

import shlex
import sys
from contextlib import AbstractContextManager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tilelab.commands.progress_lines import ProgressLines

# The exit status of a command that the machine kept from its work.
MACHINE_ERROR = 3

# No emoji: rich would replace the ":100:" of "diff.cu:100: error" by one.
console = Console(highlight=False, soft_wrap=True, emoji=False)


def has_keyboard() -> bool:
    """Whether somebody can answer. A program may have been started with its input closed."""
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()


def suggest(*words: object) -> None:
    """Says which command usually comes next, so that a shell takes it as it is."""
    console.print(f"Next: ./tilelab {shlex.join(map(str, words))}", markup=False)


def working(doing: str, to: Console = console) -> AbstractContextManager[object]:
    """A line that disappears when it is done, or lines on stderr where there is no terminal."""
    return to.status(f"{doing}...") if to.is_terminal else ProgressLines(doing)


def bars(doing: str) -> Progress:
    """A bar that disappears when it is done, or lines on stderr where there is no terminal."""
    if not console.is_terminal:
        return ProgressLines(doing)
    about = TextColumn("{task.description}", markup=False)
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), about)
    return Progress(*columns, console=console, transient=True)
