"""Draws the figure of the lab reduction: who adds in which round, in two orders."""

from __future__ import annotations

from tilelab.site.figures.drawing import EMPTY, HALO, OWN, SHARED, SOFT, Drawing

_CELL = 40
_COUNT = 8  # elements of a tile, and threads of a block
_WARP = 4
_LEFT = 132
_STEP = 78  # from a round to the next
_FIRST_TOP, _SECOND_TOP = 72, 420
_SAYS_LEFT = _LEFT + _COUNT * _CELL + 28

# A slot of the tile that gets a sum, and the other that is added to it.
Addition = tuple[int, int]


def reduction() -> Drawing:
    """Draws the rounds of a block whose threads add neighbors, and of one that halves its tile."""
    d = Drawing(
        760,
        736,
        "The tile of the lab reduction",
        "A tile of eight elements is added up in three rounds, by warps of four threads. Above, "
        "every second thread adds its neighbor, then every fourth: both warps are busy in two "
        "rounds. Below, the first threads add the second half of the tile to the first: the "
        "second warp is done after the load.",
    )
    neighbors = [[(0, 1), (2, 3), (4, 5), (6, 7)], [(0, 2), (4, 6)], [(0, 4)]]
    halves = [[(0, 4), (1, 5), (2, 6), (3, 7)], [(0, 2), (1, 3)], [(0, 1)]]
    _rounds(d, _FIRST_TOP, "every second thread adds its neighbor", neighbors)
    _rounds(d, _SECOND_TOP, "the first threads add the second half", halves)
    return d


def _rounds(d: Drawing, top: float, title: str, rounds: list[list[Addition]]) -> None:
    d.text(24, top - 40, title, bold=True)
    for warp in range(_COUNT // _WARP):
        left = _LEFT + warp * _WARP * _CELL
        d.bracket(left + 4, left + _WARP * _CELL - 4, top - 10, f"warp {warp}")
    d.text(24, top + 26, "tile", code=True)
    values = list(range(_COUNT))
    _row(d, top, values, set(values))
    for number, additions in enumerate(rounds):
        y = top + (number + 1) * _STEP
        for to, other in additions:
            values[to] += values[other]
            _arrow(d, y, other, to)
            _arrow(d, y, to, to)
        d.text(24, y + 26, f"round {number + 1}", size=13, color=SOFT)
        _row(d, y, values, {to for to, _ in additions})
        busy = sorted({to // _WARP for to, _ in additions})
        says = "warps 0 and 1 add" if len(busy) > 1 else "warp 0 adds"
        d.text(_SAYS_LEFT, y + 26, says, size=13, color=SOFT)


def _row(d: Drawing, y: float, values: list[int], fresh: set[int]) -> None:
    """Draws the tile, with what was just stored in color."""
    is_loaded = len(fresh) == _COUNT
    for slot, value in enumerate(values):
        own = OWN if slot // _WARP == 0 else HALO
        colors = SHARED if is_loaded else own if slot in fresh else EMPTY
        label = str(value) if slot in fresh else ""
        d.cell(_LEFT + slot * _CELL, y, _CELL, colors, label)


def _arrow(d: Drawing, y: float, start: int, end: int) -> None:
    x1, x2 = (_LEFT + (slot + 0.5) * _CELL for slot in (start, end))
    d.arrow(x1, y - _STEP + _CELL + 4, x2 + (4 if start > end else 0), y - 3)
