"""Draws the figure of the lab transpose: the way of a tile, and the banks that it lies in."""

from __future__ import annotations

from tilelab.site.figures.drawing import EMPTY, GLOBAL, HALO, OWN, SHARED, SOFT, Drawing

_CELL = 30
_EDGE = 4  # rows and columns of a tile, and banks
_ROWS, _COLUMNS = 4, 8  # of the input
_TOP = 64
_IN_LEFT, _TILE_LEFT, _OUT_LEFT = 24, 366, 606
_BANKS_TOP = 394
_PLAIN_LEFT, _SPARE_LEFT = 120, 440
# A color per bank.
_BANKS = (HALO, OWN, SHARED, GLOBAL)


def transpose() -> Drawing:
    """Draws the way of a tile through shared memory, and the banks of two tiles."""
    d = Drawing(
        760,
        560,
        "The tile of the lab transpose",
        "Above, a block reads a tile of the input row by row, and writes its columns as rows of "
        "the output, where the tile has another place. Below, the banks of a tile with four "
        "columns: all elements of a column are in one bank. With a spare column they are in four.",
    )
    _input(d)
    _tile(d)
    _output(d)
    _banks(d, _PLAIN_LEFT, _EDGE, "tile[4][4]", "a column: one bank")
    _banks(d, _SPARE_LEFT, _EDGE + 1, "tile[4][5]", "a column: four banks")
    return d


def _input(d: Drawing) -> None:
    d.text(_IN_LEFT, _TOP - 36, "in", code=True)
    d.text(_IN_LEFT + 28, _TOP - 36, "global memory", size=12, color=SOFT)
    for r in range(_ROWS):
        for c in range(_COLUMNS):
            x, y = _IN_LEFT + c * _CELL, _TOP + r * _CELL
            d.cell(x, y, _CELL, SHARED if c >= _EDGE else GLOBAL, _name(r, c))
    middle = _TOP + _CELL / 2
    d.arrow(_IN_LEFT + _COLUMNS * _CELL + 6, middle, _TILE_LEFT - 6, middle)
    d.text(_IN_LEFT + _COLUMNS * _CELL + 8, middle - 10, "a row per warp", size=13, color=SOFT)


def _tile(d: Drawing) -> None:
    d.text(_TILE_LEFT, _TOP - 36, "tile", code=True)
    d.text(_TILE_LEFT + 44, _TOP - 36, "shared memory", size=12, color=SOFT)
    for r in range(_EDGE):
        for c in range(_EDGE):
            colors = HALO if c == 0 else SHARED
            x, y = _TILE_LEFT + c * _CELL, _TOP + r * _CELL
            d.cell(x, y, _CELL, colors, _name(r, _EDGE + c))
    # From below the first column to the row of the output that it becomes.
    out_y = _TOP + (_EDGE + 0.5) * _CELL
    start = (_TILE_LEFT + _CELL / 2, _TOP + _EDGE * _CELL + 6)
    d.arrow(*start, _OUT_LEFT - 6, out_y, via=(_TILE_LEFT + _CELL / 2 + 10, out_y + 2))
    d.text(_TILE_LEFT + 44, out_y + 24, "a column per warp,", size=13, color=SOFT)
    d.text(_TILE_LEFT + 44, out_y + 42, "after the barrier", size=13, color=SOFT)


def _output(d: Drawing) -> None:
    d.text(_OUT_LEFT, _TOP - 36, "out", code=True)
    d.text(_OUT_LEFT + 36, _TOP - 36, "global memory", size=12, color=SOFT)
    for r in range(_COLUMNS):
        for c in range(_ROWS):
            colors = GLOBAL if r < _EDGE else HALO if r == _EDGE else SHARED
            x, y = _OUT_LEFT + c * _CELL, _TOP + r * _CELL
            d.cell(x, y, _CELL, colors, _name(c, r))


def _banks(d: Drawing, left: float, columns: int, name: str, says: str) -> None:
    d.text(left, _BANKS_TOP - 14, name, code=True)
    d.text(left + 96, _BANKS_TOP - 14, "and its banks", size=13, color=SOFT)
    for r in range(_EDGE):
        for c in range(columns):
            bank = (r * columns + c) % _EDGE
            x, y = left + c * _CELL, _BANKS_TOP + r * _CELL
            colors = EMPTY if c == _EDGE else _BANKS[bank]
            d.cell(x, y, _CELL, colors, str(bank), dashed=c == _EDGE)
    d.text(left, _BANKS_TOP + _EDGE * _CELL + 24, says, size=13, color=SOFT)


def _name(r: int, c: int) -> str:
    """The row and the column of the input that an element comes from."""
    return f"{r}{c}"
