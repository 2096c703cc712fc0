"""Draws the figure of the lab nearest_neighbor: tiles pass, and threads keep their own data."""

from __future__ import annotations

from tilelab.site.figures.drawing import (
    ARROW,
    EMPTY,
    GLOBAL,
    HALO,
    OWN,
    SHARED,
    SOFT,
    Drawing,
)

_TILES, _SLOTS = 5, 6
_FILLED = 4  # slots of the last tile that hold an element
_LOADED = 2  # the tile that is in shared memory now
_SIZE, _GAP = 18, 8
_LEFT, _TOP = 150, 66
_WIDE = _SLOTS * _SIZE
_SLOT = 30  # of the tile in shared memory
_SHARED_TOP, _THREADS_TOP, _THREAD_HEIGHT = 176, 262, 46


def nearest_neighbor() -> Drawing:
    """Draws tiles of points that pass, while each thread keeps its query and its best so far."""
    d = Drawing(
        760,
        452,
        "The tile of the lab nearest_neighbor",
        "A block loads the points tile by tile into shared memory. Each thread keeps its own "
        "point and the nearest one so far in registers, and compares with every slot of the "
        "tile before the next tile is loaded. The last tile is not full.",
    )
    _all_tiles(d)
    _tile(d)
    _threads(d)
    d.text(24, d.height - 22, "barrier", size=12, color=ARROW, bold=True)
    when = "once the tile is loaded, and again once every thread is done with it"
    d.text(82, d.height - 22, when, size=12, color=ARROW)
    return d


def _tile_x(t: int) -> float:
    return _LEFT + t * (_WIDE + _GAP)


def _slot_x(s: float) -> float:
    left = _tile_x(_LOADED) + _WIDE / 2 - _SLOTS * _SLOT / 2
    return left + s * _SLOT


def _all_tiles(d: Drawing) -> None:
    d.text(24, _TOP + 8, "points", code=True)
    d.text(24, _TOP + 26, "global memory", size=12, color=SOFT)
    for t in range(_TILES):
        for s in range(_SLOTS):
            is_there = t < _TILES - 1 or s < _FILLED
            colors = (HALO if t == _LOADED else GLOBAL) if is_there else EMPTY
            d.cell(_tile_x(t) + s * _SIZE, _TOP, _SIZE, colors, dashed=not is_there)
        d.bracket(_tile_x(t) + 2, _tile_x(t) + _WIDE - 2, _TOP - 12, f"tile {t}")
    middle_of_last = _tile_x(_TILES - 1) + _WIDE / 2
    d.text(middle_of_last, _TOP + 38, "slots past n", size=12, color=SOFT, anchor="middle")


def _tile(d: Drawing) -> None:
    """Draws the tile that is loaded now, and the direction in which tiles move."""
    for s in range(_SLOTS):
        from_x = _tile_x(_LOADED) + (s + 0.5) * _SIZE
        d.arrow(from_x, _TOP + _SIZE + 4, _slot_x(s + 0.5), _SHARED_TOP - 4)
        d.cell(_slot_x(s), _SHARED_TOP, _SLOT, SHARED)
    d.text(24, _SHARED_TOP + 12, "tile", code=True)
    d.text(24, _SHARED_TOP + 30, "shared memory", size=12, color=SOFT)
    d.text(_tile_x(3) + 50, 132, "each thread loads one", size=13, color=SOFT)
    d.text(_tile_x(1) + 64, 132, "tile by tile", size=13, color=SOFT, anchor="end")
    d.arrow(_tile_x(0) + 10, 146, _tile_x(1) + 66, 146, color=SOFT)


def _threads(d: Drawing) -> None:
    """Draws threads with what stays in their registers. Each reads every slot."""
    for s in range(_SLOTS):
        x = _slot_x(s + 0.5)
        bottom = _THREADS_TOP + 2 * _THREAD_HEIGHT + 31
        d.line(x, _SHARED_TOP + _SLOT + 2, x, bottom, color="#a9cbe9")
    _thread(d, "thread 0", _THREADS_TOP)
    _thread(d, "thread 1", _THREADS_TOP + _THREAD_HEIGHT)
    last = _THREADS_TOP + 2 * _THREAD_HEIGHT + 16
    d.text(_LEFT + 36, last - 5, "...", size=16, color=SOFT)
    _thread(d, f"thread {_SLOTS - 1}", last)
    d.text(_LEFT, _THREADS_TOP - 12, "registers: kept for all tiles", size=12, color=SOFT)
    right = _slot_x(_SLOTS) + 22
    notes = ("every thread goes through", "every slot of the tile", "and keeps the nearest point")
    for number, note in enumerate(notes):
        d.text(right, _THREADS_TOP + 20 + 18 * number, note, size=13, color=SOFT)


def _thread(d: Drawing, name: str, y: float) -> None:
    d.text(24, y + 20, name, code=True)
    d.cell(_LEFT, y, 30, OWN, "query", width=70)
    d.cell(_LEFT + 76, y, 30, OWN, "nearest", width=96)
    for s in range(_SLOTS):
        x = _slot_x(s + 0.5)
        d.parts.append(f'<circle cx="{x:.0f}" cy="{y + 15:.0f}" r="3.4" fill="{SHARED[1]}"/>')
    d.arrow(_slot_x(_SLOTS) - 4, y + 15, _LEFT + 180, y + 15)
