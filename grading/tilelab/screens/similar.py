"""Prints which files of a lab are alike."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tilelab.base.text import one_line
from tilelab.similar.pairs import Alike, Likeness

# More do not help: they are mostly the same files again.
_MOST = 50


def show_likeness(console: Console, lab: str, found: Likeness) -> None:
    """The groups of one text first, then a row per pair."""
    if not found.pairs and not found.groups:
        console.print(f"{lab}: no two of {found.files} files are alike.", markup=False)
        return
    console.print(f"{lab}, {found.files} files:", style="bold", markup=False)
    if found.is_short:
        console.print(
            "  Answers to this lab are short, so independent ones are often alike. Look at names, "
            "comments and mistakes that two of them share.",
            markup=False,
        )
    for group in found.groups:
        names = ", ".join(map(one_line, group.students))
        how = "to the letter" if group.to_the_letter else "apart from names and comments"
        console.print(f"  the same {how}: {names}", markup=False)
    if found.pairs:
        console.print(_table(found.pairs[:_MOST]))
    if len(found.pairs) > _MOST:
        console.print(f"  ... and {len(found.pairs) - _MOST} more pairs")


def _table(pairs: Sequence[Alike]) -> Table:
    table = Table(show_edge=False, pad_edge=False)
    for name in ("Share", "Of passages", "Students", "Lines of each"):
        table.add_column(name, justify="right" if name in ("Share", "Of passages") else "left")
    for pair in pairs:
        students = Text("\n".join(map(one_line, pair.students)))
        lines = Text("\n".join(map(ranges, pair.lines)))
        table.add_row(f"{pair.share:.0%}", str(pair.passages), students, lines)
    return table


def ranges(lines: frozenset[int]) -> str:
    """Line numbers as people write them: 3-9, 12."""
    parts: list[list[int]] = []
    for line in sorted(lines):
        if parts and line == parts[-1][1] + 1:
            parts[-1][1] = line
        else:
            parts.append([line, line])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in parts)
