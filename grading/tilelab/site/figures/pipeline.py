"""Draws the figure of the lab pipeline: what a block does when, with one slot and with two."""

from __future__ import annotations

from tilelab.site.figures.drawing import EMPTY, HALO, OWN, SHARED, SOFT, Drawing

_LEFT = 96
_COPY, _USE = 108, 60  # how long a copy and the work on a tile take, in pixels
_HEIGHT = 30
_FIRST_TOP, _SECOND_TOP = 84, 236
_TILES = 3


def pipeline() -> Drawing:
    """Draws the time of three tiles, synchronous and in two stages."""
    d = Drawing(
        760,
        420,
        "The two stages of the lab pipeline",
        "Above, a block copies a tile, uses it, and only then copies the next one. Below, it "
        "copies the next tile into the other slot while it uses this one, and is done sooner.",
    )
    _synchronous(d)
    _two_stages(d)
    d.arrow(_LEFT, 388, 728, 388)
    d.text(728, 408, "time", size=12, color=SOFT, anchor="end")
    return d


def _synchronous(d: Drawing) -> None:
    top = _FIRST_TOP
    d.text(24, top - 40, "one tile", code=True)
    d.text(112, top - 40, "copy, wait, use, wait", size=13, color=SOFT)
    _names(d, top, ("copy", "use"))
    x: float = _LEFT
    for tile in range(_TILES):
        d.cell(x, top, _HEIGHT, HALO, f"{tile}", width=_COPY)
        d.cell(x + _COPY, top + _HEIGHT + 6, _HEIGHT, OWN, f"{tile}", width=_USE)
        x += _COPY + _USE


def _two_stages(d: Drawing) -> None:
    top = _SECOND_TOP
    d.text(24, top - 40, "two slots", code=True)
    d.text(112, top - 40, "the next copy is under way while a tile is used", size=13, color=SOFT)
    _names(d, top, ("slot 0", "slot 1", "use"))
    for tile in range(_TILES):
        begin = _LEFT + tile * _COPY
        row = top + (tile % 2) * (_HEIGHT + 6)
        d.cell(begin, row, _HEIGHT, HALO, f"{tile}", width=_COPY)
        # The slot is full as long as its tile is used.
        d.cell(begin + _COPY, row, _HEIGHT, SHARED, f"{tile}", width=_USE)
        d.cell(begin + _COPY, top + 2 * (_HEIGHT + 6), _HEIGHT, OWN, f"{tile}", width=_USE)
    free = _LEFT + _COPY + _USE
    d.cell(free, top, _HEIGHT, EMPTY, width=_COPY - _USE, dashed=True)


def _names(d: Drawing, top: float, names: tuple[str, ...]) -> None:
    for row, name in enumerate(names):
        y = top + row * (_HEIGHT + 6) + _HEIGHT / 2 + 5
        d.text(_LEFT - 10, y, name, size=13, anchor="end")
