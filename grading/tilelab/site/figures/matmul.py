"""Draws the figure of the lab matmul: the tiles of a block, and the patch of a thread."""

from __future__ import annotations

from collections.abc import Callable

from tilelab.site.figures.drawing import EMPTY, GLOBAL, OWN, SHARED, SOFT, Drawing

_CELL = 22
_EDGE = 8  # rows and columns of a matrix
_TILE = 4  # rows and columns of a tile, and of a thread's place among others
_PATCH = 2  # rows and columns of a thread's patch
_TOP, _LEFT = 56, 24
_NEXT = _EDGE * _CELL + 44  # from one matrix to the next
_RIGHT = 500  # where the patch is
_BLOCK = 40  # the edge of its cells


def matmul() -> Drawing:
    """Draws the tiles that make a tile of c, and how a thread combines what it reads."""
    d = Drawing(
        760,
        500,
        "The tiles of the lab matmul",
        "On the left, a block makes a tile of c. It loads a tile of a and a tile of b, adds up "
        "what they contribute, and goes on, to the right in a and down in b. On the right, a "
        "thread reads two elements of a column of a's tile and two of a row of b's, and combines "
        "each with each in registers.",
    )
    _matrix(d, _LEFT + _NEXT, _TOP, "b", lambda r, c: c >= _TILE, lambda r, c: r < _TILE)
    _matrix(d, _LEFT, _TOP + _NEXT, "a", lambda r, c: r >= _TILE, lambda r, c: c < _TILE)
    _result(d, _LEFT + _NEXT, _TOP + _NEXT)
    across, down = (_TILE + 0.2) * _CELL, (_EDGE - 0.2) * _CELL
    middle = (_TILE + _EDGE) / 2 * _CELL
    a_top, b_left = _TOP + _NEXT, _LEFT + _NEXT
    d.arrow(_LEFT + across, a_top + middle, _LEFT + down, a_top + middle)
    d.arrow(b_left + middle, _TOP + across, b_left + middle, _TOP + down)
    _patch(d)
    return d


Inside = Callable[[int, int], bool]


def _matrix(d: Drawing, left: float, top: float, name: str, strip: Inside, tile: Inside) -> None:
    """Draws a factor: the strip that the block needs, and the tile of this round in it."""
    d.text(left, top - 12, name, code=True)
    d.text(left + 16, top - 12, "global memory", size=12, color=SOFT)
    for r in range(_EDGE):
        for c in range(_EDGE):
            colors = EMPTY if not strip(r, c) else SHARED if tile(r, c) else GLOBAL
            d.cell(left + c * _CELL, top + r * _CELL, _CELL, colors, "")


def _result(d: Drawing, left: float, top: float) -> None:
    d.text(left, top - 12, "c", code=True)
    d.text(left + 16, top - 12, "one block's tile", size=12, color=SOFT)
    for r in range(_EDGE):
        for c in range(_EDGE):
            colors = OWN if r >= _TILE and c >= _TILE else EMPTY
            d.cell(left + c * _CELL, top + r * _CELL, _CELL, colors, "")


def _patch(d: Drawing) -> None:
    """Draws a column of a's tile and a row of b's, and the results of one thread."""
    corner_x, corner_y = _RIGHT + 1.5 * _BLOCK, _TOP + 2.5 * _BLOCK
    d.text(corner_x, _TOP + 24, "row i of b's tile", size=13, color=SOFT)
    d.text(_RIGHT, corner_y + _TILE * _BLOCK + 24, "column i of a's tile", size=13, color=SOFT)
    for k in range(_TILE):
        d.cell(corner_x + k * _BLOCK, corner_y - 1.5 * _BLOCK, _BLOCK, SHARED, f"b{k}")
        d.cell(_RIGHT, corner_y + k * _BLOCK, _BLOCK, SHARED, f"a{k}")
    for r in range(_TILE):
        for c in range(_TILE):
            is_own = r < _PATCH and c < _PATCH
            words = f"a{r}b{c}" if is_own else ""
            x, y = corner_x + c * _BLOCK, corner_y + r * _BLOCK
            d.cell(x, y, _BLOCK, OWN if is_own else EMPTY, words)
    below = corner_y + _TILE * _BLOCK
    d.text(_RIGHT, below + 56, "A thread with a patch of 2 x 2", size=13, color=SOFT)
    d.text(_RIGHT, below + 74, "reads 4 numbers for 4 results,", size=13, color=SOFT)
    d.text(_RIGHT, below + 92, "one with 8 x 8 reads 16 for 64.", size=13, color=SOFT)
