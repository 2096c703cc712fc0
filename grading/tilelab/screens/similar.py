"""Prints which files of a lab are alike."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tilelab.base.text import one_line
from tilelab.similar.pairs import Alike

# More do not help: they are mostly the same files again.
_MOST = 50


def show_alike(
    console: Console, lab: str, files: int, pairs: Sequence[Alike], groups: Sequence[list[str]]
) -> None:
    """The groups of one text first, then a row per pair."""
    if not pairs and not groups:
        console.print(f"{lab}: no two of {files} files are alike.", markup=False)
        return
    console.print(f"{lab}, {files} files:", style="bold", markup=False)
    for group in groups:
        names = ", ".join(map(one_line, group))
        console.print(f"  the same, apart from names and comments: {names}", markup=False)
    if pairs:
        table = Table(show_edge=False, pad_edge=False)
        for name in ("Share", "Of passages", "Students", "Lines of each"):
            table.add_column(name, justify="right" if name in ("Share", "Of passages") else "left")
        for pair in pairs[:_MOST]:
            students = Text("\n".join(map(one_line, pair.students)))
            lines = Text("\n".join(map(ranges, pair.lines)))
            table.add_row(f"{pair.share:.0%}", str(pair.passages), students, lines)
        console.print(table)
    if len(pairs) > _MOST:
        console.print(f"  ... and {len(pairs) - _MOST} more pairs")


def ranges(lines: frozenset[int]) -> str:
    """Line numbers as people write them: 3-9, 12."""
    parts: list[list[int]] = []
    for line in sorted(lines):
        if parts and line == parts[-1][1] + 1:
            parts[-1][1] = line
        else:
            parts.append([line, line])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in parts)
