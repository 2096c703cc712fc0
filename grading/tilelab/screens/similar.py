"""Prints which files of a lab are alike."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tilelab.base.text import counted, listed, listed_few, one_line
from tilelab.similar.pairs import Alike, Likeness

# Of names and of ranges of lines in one place.
_MOST = 20


def show_likeness(console: Console, lab: str, found: Likeness) -> None:
    """The groups of one text first, then a row per pair."""
    if found.silent:
        console.print(
            f"{lab}: {_names(found.silent)}: no code of their own that could be compared, beyond "
            "what all were given and the public solutions.",
            style="dim",
            markup=False,
        )
    if not found.pairs and not found.groups:
        console.print(f"{lab}: {_compared(found)}.", markup=False)
        return
    console.print(f"{lab}, {counted(found.files, 'file')}:", style="bold", markup=False)
    if found.is_short:
        console.print(
            "  Answers to this lab are short, so independent ones are often alike. Look at names, "
            "comments and mistakes that two of them share.",
            markup=False,
        )
    for group in found.groups:
        names = listed(map(one_line, group.students))
        how = "to the letter" if group.to_the_letter else "apart from names and comments"
        console.print(f"  the same {how}: {names}", markup=False)
    if found.pairs:
        console.print(_table(found.pairs))
    if found.more:
        also = f", which are also of {listed(map(one_line, found.also))}" if found.also else ""
        console.print(f"  ... and at least {counted(found.more, 'more pair')}{also}", markup=False)


def _compared(found: Likeness) -> str:
    """What was compared, where nothing is alike."""
    if found.files == 0:
        return "there is no file, so nothing was compared"
    earlier = f"any of {found.earlier} earlier files" if found.earlier > 1 else "the earlier file"
    if found.files == 1:
        alone = "there is only 1 file, so nothing was compared"
        return f"the only file is not like {earlier}" if found.earlier else alone
    also = f", and none is like {earlier}" if found.earlier else ""
    return f"no two of {found.files} files are alike{also}"


def _table(pairs: Sequence[Alike]) -> Table:
    table = Table(show_edge=False, pad_edge=False)
    for name in ("Share", "Of passages", "Students", "Lines of each"):
        table.add_column(name, justify="right" if name in ("Share", "Of passages") else "left")
    for pair in pairs:
        students = Text("\n".join(map(one_line, pair.students)))
        lines = Text("\n".join(map(ranges, pair.lines)))
        table.add_row(f"{pair.share:.0%}", str(pair.passages), students, lines)
    return table


def _names(students: Sequence[str]) -> str:
    return listed_few([one_line(one) for one in students], _MOST)


def ranges(lines: frozenset[int]) -> str:
    """Line numbers as people write them: 3-9, 12."""
    parts: list[list[int]] = []
    for line in sorted(lines):
        if parts and line == parts[-1][1] + 1:
            parts[-1][1] = line
        else:
            parts.append([line, line])
    shown = [str(low) if low == high else f"{low}-{high}" for low, high in parts]
    return ", ".join(shown[:_MOST] + ["..."] * (len(shown) > _MOST))
