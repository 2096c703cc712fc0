"""Draws the figure of the lab nbody: what a thread reads once serves four pairs."""

from __future__ import annotations

from tilelab.site.figures.drawing import ARROW, OWN, SHARED, SOFT, Drawing

_THREADS = 4  # with the same bodies
_BODIES = "abcd"
_CELL = 30
_LEFT, _PITCH = 152, 150
_WIDE = len(_BODIES) * _CELL
_TILE_TOP, _BODIES_TOP, _SUMS_TOP = 62, 158, 226
_BARRIER, _RESULTS_TOP = 286, 352
_READ = 1  # the slot of its quarter that each thread reads now


def nbody() -> Drawing:
    """Draws four threads with the same bodies, each of which takes a quarter of the tile."""
    d = Drawing(
        760,
        424,
        "Register reuse in the lab nbody",
        "Four threads keep the same four bodies and four sums in registers. Each of them goes "
        "through a quarter of the tile, and what it reads from a slot serves four pairs. After a "
        "barrier each thread adds up the four sums of one body.",
    )
    _name(d, _TILE_TOP, "tile", "shared memory")
    _name(d, _BODIES_TOP, "bodies", "registers")
    _name(d, _SUMS_TOP, "sums", "registers")
    _name(d, _RESULTS_TOP, "total", "per thread")
    for thread in range(_THREADS):
        _thread(d, thread)
    d.line(_LEFT - 4, _BARRIER, 736, _BARRIER, color=ARROW)
    d.text(24, _BARRIER + 5, "__syncthreads()", size=12, color=ARROW, code=True)
    for thread in range(_THREADS):
        _result(d, thread)
    words = "through shared memory, thread 0 adds the four sums of a, thread 1 those of b ..."
    d.text(_LEFT, _RESULTS_TOP + _CELL + 24, words, size=13, color=SOFT)
    return d


def _x(thread: int, cell: float = 0) -> float:
    return _LEFT + thread * _PITCH + cell * _CELL


def _thread(d: Drawing, thread: int) -> None:
    """Draws a quarter of the tile, and the registers of the thread that takes it."""
    left = _x(thread)
    d.bracket(left + 3, left + _WIDE - 3, _TILE_TOP - 12, f"for thread {thread}")
    for cell, body in enumerate(_BODIES):
        x, middle = _x(thread, cell), _x(thread, cell + 0.5)
        d.cell(x, _TILE_TOP, _CELL, SHARED)
        d.cell(x, _BODIES_TOP, _CELL, OWN, body)
        d.cell(x, _SUMS_TOP, _CELL, OWN, body)
        d.arrow(_x(thread, _READ + 0.5), _TILE_TOP + _CELL + 3, middle, _BODIES_TOP - 4)
        d.arrow(middle, _BODIES_TOP + _CELL + 3, middle, _SUMS_TOP - 4)


def _result(d: Drawing, thread: int) -> None:
    d.cell(_x(thread), _RESULTS_TOP, _CELL, OWN, _BODIES[thread], width=_WIDE)
    # Only the sums of one body: those of all four would cross each other.
    start = (_x(thread, 0.5), _SUMS_TOP + _CELL + 3)
    d.arrow(*start, _x(0, 1 + 0.6 * thread), _RESULTS_TOP - 4)


def _name(d: Drawing, top: float, what: str, where: str) -> None:
    d.text(24, top + 13, what, code=True)
    d.text(24, top + 30, where, size=12, color=SOFT)
