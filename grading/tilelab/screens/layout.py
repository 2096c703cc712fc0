"""Breaks text into lines between words, and shows lines of source with carets."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from tilelab.model.case import Place

# So much of a long line is shown after its mark.
_AFTER_MARK = 16

_TAB = 4
_WIDTH = 80
_NO_BREAK = "\N{NO-BREAK SPACE}"


def wrapped(
    text: str,
    width: int,
    *,
    first: str = "",
    rest: str = "",
    style: str = "",
    most: int | None = None,
) -> list[Text]:
    """The text as lines of up to `width` columns. A word stays whole, even if it is longer.

    Of more than `most` lines, an ellipsis stands for the others.
    """
    lines = textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
        max_lines=most,
        placeholder=" …",
    )
    return [Text(line.replace(_NO_BREAK, " "), style=style) for line in lines]


def say(console: Console, text: str, *, style: str = "") -> None:
    """Prints a text in lines that fit the terminal, of up to 80 columns."""
    for line in wrapped(text, min(console.width, _WIDTH), style=style):
        console.print(line)


def together(text: str) -> str:
    """The text, in which wrapped() breaks no line."""
    return text.replace(" ", _NO_BREAK)


def cut(text: str, width: int) -> str:
    """The first words of a text that fit, with an ellipsis if there are more."""
    shown = textwrap.shorten(text, width, placeholder=" …") if len(text) > width else text
    return shown.replace(_NO_BREAK, " ")


def cut_left(path: str, width: int) -> str:
    """The last parts of a path that fit, with an ellipsis if there are more."""
    while len(path) > width and "/" in path[2:]:
        path = "…/" + path.removeprefix("…/").split("/", 1)[1]
    return path


def source_lines(
    source: Sequence[str], place: Place, width: int, *, is_end: bool = False
) -> list[Text]:
    """A line of the source, and carets under what happens there. Empty if there is no such line.

    If it `is_end`, that is where the line ends.
    """
    if not 1 <= place.line <= len(source):
        return []
    code = source[place.line - 1].expandtabs(_TAB).rstrip()
    gutter = f"{place.line:>5} | "
    shown = code.strip()
    carets = "^".rjust(len(shown)) if is_end else _carets(shown, place)
    shown, carets = _window(shown, carets, width - len(gutter))
    lines = [Text.assemble((gutter, "dim"), shown)]
    if carets.strip():
        below = " " * (len(gutter) - 2) + "| "
        lines.append(Text.assemble((below, "dim"), (carets.rstrip(), "bold red")))
        says = f" {place.says}" if place.says else ""
        if len(lines[-1]) + len(says) <= width:
            lines[-1].append(says, "red")
        else:
            lines += wrapped(place.says, width, first=below, rest=below, style="red")
    return lines


def _window(code: str, carets: str, room: int) -> tuple[str, str]:
    """The part of a long line that has its first mark."""
    if len(code) <= room:
        return code, carets
    first = len(carets) - len(carets.lstrip())
    end = first + len(carets[first:].split(" ", 1)[0])
    begin = max(min(end + _AFTER_MARK, len(code)) - room, 0) if end >= room else 0
    begin = max(min(begin, first - 1), 0)  # at least where the mark begins is shown
    left, right = "…" if begin else "", "…" if begin + room < len(code) else ""
    kept = slice(begin + len(left), begin + room - len(right))
    return left + code[kept] + right, (" " * len(left) + carets[kept]).ljust(room)


def _carets(code: str, place: Place) -> str:
    """Marks each occurrence of the place's word, or the whole line if there is none."""
    marks = [" "] * len(code)
    for begin, end in place.spans(code):
        marks[begin:end] = ["^", *"~" * (end - begin - 1)]
    return "".join(marks)
