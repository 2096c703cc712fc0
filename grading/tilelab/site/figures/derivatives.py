"""Draws the figure of the lab derivatives: a tile of large pencils with its halo."""

from __future__ import annotations

from collections.abc import Sequence

from tilelab.site.figures.drawing import ARROW, HALO, OWN, SHARED, SOFT, WARN, Drawing

_COLUMNS, _CELL = 16, 16
_HALO, _ROWS = 4, 12
_LEFT, _TOP = 110, 74
_BOTTOM = _TOP + (2 * _HALO + _ROWS) * _CELL
_LEGEND = 572


def derivatives() -> Drawing:
    """Draws a tile of large pencils along y with its halo, and what one thread reads from it."""
    d = Drawing(
        760,
        470,
        "The tile of the lab derivatives",
        "A tile holds 64 points along y of 32 pencils side by side along x, and a halo of four "
        "points before and four after them. A point's derivative needs the four points above and "
        "the four below it. A row of the tile is contiguous in memory.",
    )
    _tile(d)
    _names(d)
    _point(d)
    _request(d)
    d.text(_LEFT, _BOTTOM + 28, "72 rows loaded for 64 points: 1.125 loads per point", size=13)
    note = "The figure shows fewer rows and columns than a tile has."
    d.text(_LEFT, _BOTTOM + 48, note, size=12, color=SOFT)
    return d


def _tile(d: Drawing) -> None:
    for r in range(_HALO + _ROWS + _HALO):
        colors = SHARED if _HALO <= r < _HALO + _ROWS else HALO
        for c in range(_COLUMNS):
            x, y = _LEFT + c * _CELL, _TOP + r * _CELL
            d.box(x, y, _CELL, _CELL, colors, round_by=1, line=0.7)


def _names(d: Drawing) -> None:
    right = _LEFT + _COLUMNS * _CELL
    d.bracket(_LEFT, right, _TOP - 14, "x: 32 pencils, contiguous in memory")
    y_axis = _LEFT - 34
    d.arrow(y_axis, _TOP, y_axis, _BOTTOM, color=SOFT)
    d.text(y_axis - 14, (_TOP + _BOTTOM) / 2 + 5, "y", color=SOFT, anchor="middle")
    points, after = _TOP + _HALO * _CELL, _BOTTOM - _HALO * _CELL
    d.side_bracket(right + 14, _TOP, points, ["halo: 4 points before"])
    d.side_bracket(right + 14, points, after, ["64 points: get a derivative", ""])
    d.side_bracket(right + 14, after, _BOTTOM, ["halo: 4 points after"])


def _point(d: Drawing) -> None:
    """Draws one point and its neighbors."""
    column, row = 10, _HALO + 1
    for distance in range(-_HALO, _HALO + 1):
        colors, line = (("#ffffff", WARN), 2.0) if distance else (OWN, 2.4)
        x, y = _LEFT + column * _CELL, _TOP + (row + distance) * _CELL
        d.box(x, y, _CELL, _CELL, colors, round_by=1, line=line)
    words = ("a point needs four", "neighbors on either side,", "here some from the halo")
    _legend(d, 138, ("#ffffff", WARN), words, line=2.0)


def _request(d: Drawing) -> None:
    """Draws what one warp loads with one request."""
    y = _TOP + (_HALO + _ROWS - 3) * _CELL
    d.box(_LEFT, y, _COLUMNS * _CELL, _CELL, ("none", ARROW), round_by=2, line=2.4)
    words = ("a warp loads a row:", "four sectors of 32 bytes,", "all of them used")
    _legend(d, 266, ("none", ARROW), words, line=2.4)


def _legend(
    d: Drawing, top: float, colors: tuple[str, str], words: Sequence[str], *, line: float
) -> None:
    d.box(_LEGEND - 26, top, 14, 14, colors, line=line)
    for number, part in enumerate(words):
        d.text(_LEGEND, top + 12 + 18 * number, part, size=13, color=SOFT)
