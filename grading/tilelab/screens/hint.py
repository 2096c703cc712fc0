"""Prints what `tilelab hint` says."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from tilelab.screens.layout import wrapped


def show_hint(console: Console, lines: Sequence[str]) -> None:
    """Prints the lines, broken between words. What follows a break is indented like its line."""
    for line in lines:
        text = line.lstrip()
        indent = line[: len(line) - len(text)]
        rest = indent + "  " if text.startswith("- ") else indent
        for one in wrapped(text, console.width, first=indent, rest=rest) or [Text()]:
            console.print(one)
