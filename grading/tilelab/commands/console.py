"""Where all commands print."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

# "diff.cu:100: error" would hold the name of an emoji.
console = Console(highlight=False, soft_wrap=True, emoji=False)


def bars(doing: str) -> Progress:
    """A progress bar that vanishes in the end."""
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True)
