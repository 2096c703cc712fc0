"""A page with two files side by side, in which the lines that both have are marked."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tilelab.base.text import one_line, printable, shorten
from tilelab.similar.pairs import Alike

CAUTION = (
    "Likeness proves nothing: a short lab has few good answers, and lectures show some of them. "
    "Read both files, and talk to both students, before you conclude anything."
)

# Bytes of HTML per file. Two files and the rest take less than a megabyte.
_MOST = 450_000

# Of a longer line, the beginning is shown.
_LONGEST = 400

# Unmarked lines that are shown on each side of marked ones, if not all fit.
_AROUND = 5

# The number of a line, and a space.
_NUMBER = 5

_STYLE = """
:root { color-scheme: light dark; font-family: sans-serif; }
body { margin: 1rem; }
.files { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
.files > section { overflow-x: auto; min-width: 0; }
pre { line-height: 1.35; margin: 0; }
mark { background: color-mix(in srgb, gold 35%, transparent); color: inherit; display: block; }
@media (prefers-color-scheme: dark) {
  mark { background: color-mix(in srgb, gold 16%, transparent); }
}
"""


def text(lab: str, pair: Alike, sources: Mapping[str, str]) -> str:
    """The page. It needs no network, and runs nothing."""
    title = f"{lab}: {' and '.join(map(one_line, pair.students))}"
    files = "".join(
        f"<section>{_heading(student)}<pre>{_file(sources[student], lines)}</pre></section>"
        for student, lines in zip(pair.students, pair.lines, strict=True)
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{html.escape(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{html.escape(title)}</h1>
<p>The smaller file has {pair.passages} passages of its own. {pair.share:.0%} of them are in the
other one too: the marked lines.</p>
<p>{CAUTION}</p>
<main class="files">{files}</main>
</body>
</html>
"""


def is_one(page: str) -> bool:
    """Whether a file is such a page."""
    return '<main class="files">' in page


def is_about(page: str, student: str) -> bool:
    """Whether a file is such a page, and one about this student."""
    return is_one(page) and _heading(student) in page


def _heading(student: str) -> str:
    return f"<h2>{html.escape(one_line(student))}</h2>"


def _file(source: str, marked: frozenset[int]) -> str:
    lines = source.removesuffix("\n").split("\n")
    shown: Sequence[int] = range(1, len(lines) + 1)
    if _size(html.escape(source)) + _NUMBER * len(lines) > _MOST:
        near = {line + by for line in marked for by in range(-_AROUND, _AROUND + 1)}
        shown = [number for number in shown if number in near]
    rows = ((number, _row(number, lines[number - 1], number in marked)) for number in shown)
    return "".join(_fitting(rows, len(lines)))


def _fitting(rows: Iterable[tuple[int, str]], count: int) -> Iterator[str]:
    """The rows, as many as fit, with a word where lines are left out."""
    last = used = 0
    for number, row in rows:
        piece = f"{_gap(number - last - 1)}{row}" if number > last + 1 else row
        used += _size(piece)
        if used > _MOST:
            break
        yield piece
        last = number
    if last < count:
        yield _gap(count - last)


def _size(row: str) -> int:
    return len(row.encode("utf-8", "surrogatepass"))


def _gap(count: int) -> str:
    return f"<i>{count} lines are left out</i>\n"


def _row(number: int, line: str, is_marked: bool) -> str:
    shown = html.escape(f"{number:>{_NUMBER - 1}} {shorten(printable(line), _LONGEST)}\n")
    return f"<mark>{shown}</mark>" if is_marked else shown
