"""Draws the figure of the lab diff: a row, the tile of one block, and the results."""

from __future__ import annotations

from tilelab.site.figures.drawing import ARROW, GLOBAL, HALO, OWN, SHARED, SOFT, WARN, Drawing

_CELL = 40
_ROW = (12, 7, 9, 4, 30, 31, 28, 5, 8, 8, 3, 1)
_LEFT = 140
_BLOCK = 4  # threads of a block
_TILE_LEFT = _LEFT + _BLOCK * _CELL  # below the elements of block 1
_NOTES = _TILE_LEFT + _BLOCK * _CELL + 16
_ROW_TOP, _TILE_TOP, _OUT_TOP = 62, 186, 322


def diff() -> Drawing:
    """Draws a row, the tile of one block, and the neighbor across the block's edge."""
    d = Drawing(
        760,
        400,
        "The tile of the lab diff",
        "A block of four threads loads its four elements of the row into a tile in shared memory. "
        "Each thread subtracts its left neighbor's slot from its own; thread 0 takes its left "
        "neighbor, which belongs to the block before, from global memory.",
    )
    _row(d)
    _tile(d)
    _results(d)
    _edge(d)
    return d


def _row(d: Drawing) -> None:
    _name(d, _ROW_TOP, "in", "global memory")
    for i, value in enumerate(_ROW):
        colors = HALO if i == _BLOCK - 1 else GLOBAL
        d.cell(_LEFT + _CELL * i, _ROW_TOP, _CELL, colors, str(value))
    for b in range(len(_ROW) // _BLOCK):
        x = _LEFT + _BLOCK * _CELL * b
        d.bracket(x + 4, x + _BLOCK * _CELL - 4, _ROW_TOP - 14, f"block {b}")


def _tile(d: Drawing) -> None:
    _name(d, _TILE_TOP, "tile", "shared memory")
    for tx in range(_BLOCK):
        x = _TILE_LEFT + _CELL * tx
        d.arrow(x + _CELL / 2, _ROW_TOP + _CELL + 4, x + _CELL / 2, _TILE_TOP - 4)
        d.cell(x, _TILE_TOP, _CELL, SHARED, str(_ROW[_BLOCK + tx]))
    d.text(_NOTES, 132, "each thread loads one element,", size=13, color=SOFT)
    d.text(_NOTES, 150, "and no thread reads before all", size=13, color=SOFT)
    d.text(_NOTES, 168, "have loaded", size=13, color=SOFT)
    d.line(_LEFT - 4, 258, 736, 258, color=ARROW)
    d.text(24, 263, "__syncthreads()", size=12, color=ARROW, code=True)


def _results(d: Drawing) -> None:
    _name(d, _OUT_TOP, "out", "global memory")
    for tx in range(_BLOCK):
        x = _TILE_LEFT + _CELL * tx
        below, middle = _TILE_TOP + _CELL + 4, x + _CELL / 2
        d.cell(x, _OUT_TOP, _CELL, OWN, str(_ROW[_BLOCK + tx] - _ROW[_BLOCK + tx - 1]))
        d.arrow(middle + 5, below, middle + 5, _OUT_TOP - 4)
        if tx > 0:
            d.arrow(middle + 5 - _CELL, below, middle - 4, _OUT_TOP - 4)
    d.text(_NOTES, 290, "out[i] = tile[tx] - tile[tx - 1]", size=13, code=True)
    d.text(_NOTES, 310, "for all other threads", size=13, color=SOFT)


def _edge(d: Drawing) -> None:
    """Draws what thread 0 reads from the block before."""
    edge, end = _LEFT + (_BLOCK - 0.5) * _CELL, _OUT_TOP + _CELL / 2
    start = (edge, _ROW_TOP + _CELL + 4)
    d.arrow(*start, _TILE_LEFT - 3, end, color=WARN, dashed=True, via=(edge - 6, end + 4))
    d.text(edge - 14, 286, "thread 0: its neighbor", size=13, color=WARN, anchor="end")
    d.text(edge - 14, 304, "belongs to another block", size=13, color=WARN, anchor="end")


def _name(d: Drawing, top: float, array: str, memory: str) -> None:
    d.text(24, top + 18, array, code=True)
    d.text(24, top + 36, memory, size=12, color=SOFT)
