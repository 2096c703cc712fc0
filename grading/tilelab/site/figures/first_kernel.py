"""Draws the figure of the lab first_kernel: the threads of three blocks and their elements."""

from __future__ import annotations

from tilelab.site.figures.drawing import ARROW, EMPTY, GLOBAL, LINE, OWN, SOFT, WARN, Drawing

_CELL = 44
_LEFT = 150
_BLOCK = 4  # threads of a block
_BLOCKS = 3
_N = 10  # elements
_EXAMPLE = 5  # the index of a thread, by which the picture explains the others
_THREADS_TOP, _INPUT_TOP, _OUT_TOP = 92, 206, 292


def first_kernel() -> Drawing:
    """Draws a grid of three blocks over ten elements; two threads have none."""
    d = Drawing(
        760,
        410,
        "The grid of the lab first_kernel",
        "Three blocks of four threads for ten elements. Thread 1 of block 1 has the index "
        "1 * 4 + 1 = 5, loads x[5] and y[5], and stores out[5]. Threads 2 and 3 of block 2 have "
        "the indices 10 and 11, for which there is no element: the guard stops them.",
    )
    _threads(d)
    _arrays(d)
    _example(d)
    _without_element(d)
    return d


def _threads(d: Drawing) -> None:
    _name(d, _THREADS_TOP, "threadIdx.x", "of each thread")
    grid_end = _LEFT + _BLOCKS * _BLOCK * _CELL
    d.bracket(_LEFT + 4, grid_end - 4, 30, "the grid: kernel<<<3, 4>>>")
    for b in range(_BLOCKS):
        x = _LEFT + _BLOCK * _CELL * b
        d.bracket(x + 4, x + _BLOCK * _CELL - 4, _THREADS_TOP - 14, f"block {b}: blockIdx.x = {b}")
        for t in range(_BLOCK):
            has_element = b * _BLOCK + t < _N
            colors = OWN if has_element else EMPTY
            d.cell(x + _CELL * t, _THREADS_TOP, _CELL, colors, str(t), dashed=not has_element)


def _arrays(d: Drawing) -> None:
    _name(d, _INPUT_TOP, "x and y", "device memory")
    _name(d, _OUT_TOP, "out", "device memory")
    for i in range(_N):
        x, color = _LEFT + _CELL * i, ARROW if i == _EXAMPLE else LINE
        middle = x + _CELL / 2
        d.arrow(middle, _THREADS_TOP + _CELL + 4, middle, _INPUT_TOP - 4, color=color)
        d.cell(x, _INPUT_TOP, _CELL, GLOBAL, str(i))
        d.arrow(middle, _INPUT_TOP + _CELL + 4, middle, _OUT_TOP - 4, color=color)
        d.cell(x, _OUT_TOP, _CELL, GLOBAL, str(i))


def _example(d: Drawing) -> None:
    """Says how one thread finds its element."""
    below = _OUT_TOP + _CELL
    d.text(24, below + 32, "thread 1 of block 1:", size=13, color=ARROW)
    index = "i = blockIdx.x * blockDim.x + threadIdx.x = 1 * 4 + 1 = 5"
    d.text(_LEFT + 8, below + 32, index, size=13, color=ARROW, code=True)
    d.text(_LEFT + 8, below + 54, "out[5] = a * x[5] + y[5]", size=13, color=ARROW, code=True)


def _without_element(d: Drawing) -> None:
    """Marks the threads past the end."""
    for i in range(_N, _BLOCKS * _BLOCK):
        x = _LEFT + _CELL * (i + 0.5)
        d.arrow(x, _THREADS_TOP + _CELL + 4, x, _INPUT_TOP + 6, color=WARN, dashed=True)
    left = _LEFT + _CELL * _N
    d.text(left + 6, _INPUT_TOP + 26, "i = 10, 11:", size=13, color=WARN)
    d.text(left + 6, _INPUT_TOP + 44, "no element", size=13, color=WARN)
    d.text(left + 6, _INPUT_TOP + 62, "if (i < n)", size=13, color=WARN, code=True)


def _name(d: Drawing, top: float, array: str, what: str) -> None:
    d.text(24, top + 18, array, code=True)
    d.text(24, top + 36, what, size=12, color=SOFT)
