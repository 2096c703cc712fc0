"""Draws the figure of the lab histogram: bins for each block, and a bank for each lane."""

from __future__ import annotations

from tilelab.site.figures.drawing import GLOBAL, HALO, OWN, SHARED, SOFT, Drawing

_CELL = 30
_VALUES = 8  # that a byte can have
_LANES = 4  # of a warp, and banks
_BYTES = ((1, 5, 1, 2), (7, 1, 3, 3))  # of each block
_TOP, _BINS_TOP, _COUNTS_TOP = 64, 168, 272
_LEFTS = (40, 420)
_BANKS_TOP = 420
_ONE_LEFT, _COPIES_LEFT = 40, 420
# A color per bank.
_BANKS = (HALO, OWN, SHARED, GLOBAL)


def histogram() -> Drawing:
    """Draws two blocks with their bins, and the banks of one set of bins and of four."""
    d = Drawing(
        760,
        720,
        "The bins of the lab histogram",
        "Above, two blocks count their bytes in bins of their own, and add them to the counts. "
        "Below, the banks that four lanes want: in one set of bins, three lanes want the same "
        "bank. With a copy of the bins for each lane, each lane has a bank to itself.",
    )
    for number, left in enumerate(_LEFTS):
        _block(d, number, left)
    _counts(d)
    _one_set(d)
    _copies(d)
    return d


def _block(d: Drawing, number: int, left: float) -> None:
    d.text(left, _TOP - 14, "in", code=True)
    d.text(left + 28, _TOP - 14, f"the share of block {number}", size=13, color=SOFT)
    for k, value in enumerate(_BYTES[number]):
        d.cell(left + k * _CELL, _TOP, _CELL, GLOBAL, str(value))
    d.text(left, _BINS_TOP - 14, "bins", code=True)
    d.text(left + 46, _BINS_TOP - 14, "shared memory", size=12, color=SOFT)
    for value in range(_VALUES):
        count = _BYTES[number].count(value)
        d.cell(left + value * _CELL, _BINS_TOP, _CELL, SHARED, str(count))
    middle = left + 2 * _CELL
    d.arrow(middle, _TOP + _CELL + 6, middle, _BINS_TOP - 30)
    d.text(middle + 14, _TOP + _CELL + 26, "an atomic addition per byte", size=13, color=SOFT)
    end = 230 + _VALUES * _CELL * (0.25 + 0.5 * number)
    d.arrow(left + 4 * _CELL, _BINS_TOP + _CELL + 6, end, _COUNTS_TOP - 30)


def _counts(d: Drawing) -> None:
    left = 230
    d.text(left, _COUNTS_TOP - 14, "counts", code=True)
    d.text(left + 66, _COUNTS_TOP - 14, "global memory", size=12, color=SOFT)
    for value in range(_VALUES):
        count = sum(share.count(value) for share in _BYTES)
        d.cell(left + value * _CELL, _COUNTS_TOP, _CELL, GLOBAL, str(count))
        d.text(
            left + (value + 0.5) * _CELL,
            _COUNTS_TOP + _CELL + 18,
            str(value),
            size=12,
            color=SOFT,
            anchor="middle",
        )
    d.text(left + _VALUES * _CELL + 14, _COUNTS_TOP + 20, "once per block", size=13, color=SOFT)


def _one_set(d: Drawing) -> None:
    d.text(_ONE_LEFT, _BANKS_TOP - 14, "bins[8]", code=True)
    d.text(_ONE_LEFT + 76, _BANKS_TOP - 14, "in four banks, by color", size=13, color=SOFT)
    for value in range(_VALUES):
        y = _BANKS_TOP + value * _CELL
        d.text(_ONE_LEFT, y + 20, str(value), size=12, color=SOFT)
        d.cell(_ONE_LEFT + 20, y, _CELL, _BANKS[value % _LANES], str(value % _LANES))
        lanes = [str(k) for k, byte in enumerate(_BYTES[0]) if byte == value]
        if lanes:
            name = "lane " if len(lanes) == 1 else "lanes "
            d.arrow(_ONE_LEFT + 110, y + _CELL / 2, _ONE_LEFT + 56, y + _CELL / 2)
            d.text(_ONE_LEFT + 118, y + 20, name + ", ".join(lanes), size=13)
    below = _BANKS_TOP + _VALUES * _CELL + 24
    d.text(_ONE_LEFT, below, "three lanes want bank 1", size=13, color=SOFT)


def _copies(d: Drawing) -> None:
    d.text(_COPIES_LEFT, _BANKS_TOP - 14, "bins[8][4]", code=True)
    d.text(_COPIES_LEFT + 100, _BANKS_TOP - 14, "a column for each lane", size=13, color=SOFT)
    for value in range(_VALUES):
        y = _BANKS_TOP + value * _CELL
        d.text(_COPIES_LEFT, y + 20, str(value), size=12, color=SOFT)
        for lane in range(_LANES):
            x = _COPIES_LEFT + 20 + lane * _CELL
            label = "+1" if _BYTES[0][lane] == value else ""
            d.cell(x, y, _CELL, _BANKS[lane], label)
    below = _BANKS_TOP + _VALUES * _CELL + 24
    d.text(_COPIES_LEFT, below, "lane l is in bank l, whatever its byte is", size=13, color=SOFT)
