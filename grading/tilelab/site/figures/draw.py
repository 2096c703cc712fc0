"""Draws all figures of the documentation into docs/figures.

PYTHONPATH=grading python3 -P -m tilelab.site.figures.draw
"""

from __future__ import annotations

from collections.abc import Callable

from tilelab.lab import REPO
from tilelab.site.figures.drawing import (
    ARROW,
    EMPTY,
    FRAME,
    GLOBAL,
    HALO,
    OWN,
    SHARED,
    SOFT,
    WARN,
    Drawing,
)

FOLDER = REPO / "docs" / "figures"
CELL = 40


def diff() -> Drawing:
    """A row, the tile of one block, and the neighbour on the other side of the block's edge."""
    d = Drawing(
        760,
        400,
        "The tile of the lab diff",
        "A block of four threads loads its four elements of the row into a tile in shared memory. "
        "Each thread subtracts its left neighbour's slot from its own; thread 0 takes its left "
        "neighbour, which lies in the block before, from global memory.",
    )
    row = [12, 7, 9, 4, 30, 31, 28, 5, 8, 8, 3, 1]
    left, top = 140, 62
    d.text(24, top + 18, "in", code=True)
    d.text(24, top + 36, "global memory", size=12, color=SOFT)
    for i, value in enumerate(row):
        colors = HALO if i == 3 else GLOBAL
        d.cell(left + CELL * i, top, CELL, colors, str(value))
    for b in range(3):
        x = left + 4 * CELL * b
        d.bracket(x + 4, x + 4 * CELL - 4, top - 14, f"block {b}")

    tile_left, tile_top = left + 4 * CELL, 186
    d.text(24, tile_top + 18, "tile", code=True)
    d.text(24, tile_top + 36, "shared memory", size=12, color=SOFT)
    for tx in range(4):
        x = tile_left + CELL * tx
        d.arrow(x + CELL / 2, top + CELL + 4, x + CELL / 2, tile_top - 4)
        d.cell(x, tile_top, CELL, SHARED, str(row[4 + tx]))
    d.text(tile_left + 4 * CELL + 16, 132, "each thread loads one element,", size=13, color=SOFT)
    d.text(tile_left + 4 * CELL + 16, 150, "and nobody reads before all have", size=13, color=SOFT)
    d.line(left - 4, 258, 736, 258, color=ARROW)
    d.text(24, 263, "__syncthreads()", size=12, color=ARROW, code=True)

    out_top = 322
    d.text(24, out_top + 18, "out", code=True)
    d.text(24, out_top + 36, "global memory", size=12, color=SOFT)
    for tx in range(4):
        x = tile_left + CELL * tx
        d.cell(x, out_top, CELL, OWN, str(row[4 + tx] - row[3 + tx]))
        d.arrow(x + CELL / 2 + 5, tile_top + CELL + 4, x + CELL / 2 + 5, out_top - 4)
        if tx > 0:
            d.arrow(x - CELL / 2 + 5, tile_top + CELL + 4, x + CELL / 2 - 4, out_top - 4)
    edge = left + 3.5 * CELL
    d.arrow(
        edge,
        top + CELL + 4,
        tile_left - 3,
        out_top + CELL / 2,
        color=WARN,
        dashed=True,
        via=(edge - 6, out_top + CELL / 2 + 4),
    )
    d.text(edge - 14, 286, "thread 0: its neighbour", size=13, color=WARN, anchor="end")
    d.text(edge - 14, 304, "is in another block's part", size=13, color=WARN, anchor="end")
    d.text(tile_left + 4 * CELL + 16, 290, "out[i] = tile[tx] - tile[tx - 1]", size=13, code=True)
    d.text(tile_left + 4 * CELL + 16, 310, "for all other threads", size=13, color=SOFT)
    return d


def _moving_tile(
    d: Drawing, *, elements: str, own: str, best: str, per_thread: str, last: str
) -> Drawing:
    """A tile that goes along all elements while each thread keeps its own."""
    tiles, slots, size = 5, 6, 18
    left, top, gap = 150, 66, 8
    wide = slots * size

    def tile_x(t: int) -> float:
        return left + t * (wide + gap)

    d.text(24, top + 8, elements, code=True)
    d.text(24, top + 26, "global memory", size=12, color=SOFT)
    filled = 4  # of the last tile
    for t in range(tiles):
        for s in range(slots):
            is_there = t < tiles - 1 or s < filled
            colors = (HALO if t == 2 else GLOBAL) if is_there else EMPTY
            d.cell(tile_x(t) + s * size, top, size, colors, dashed=not is_there)
        d.bracket(tile_x(t) + 2, tile_x(t) + wide - 2, top - 12, f"tile {t}")
    d.text(tile_x(4) + wide / 2, top + 38, last, size=12, color=SOFT, anchor="middle")

    # The tile that is loaded now, and the way of all of them.
    shared_top, slot = 176, 30
    shared_left = tile_x(2) + wide / 2 - slots * slot / 2
    for s in range(slots):
        d.arrow(
            tile_x(2) + (s + 0.5) * size, top + size + 4,
            shared_left + (s + 0.5) * slot, shared_top - 4,
        )  # fmt: skip
        d.cell(shared_left + s * slot, shared_top, slot, SHARED)
    d.text(24, shared_top + 12, "tile", code=True)
    d.text(24, shared_top + 30, "shared memory", size=12, color=SOFT)
    d.text(tile_x(3) + 50, 132, "each thread loads one", size=13, color=SOFT)
    d.text(tile_x(1) + 64, 132, "tile by tile", size=13, color=SOFT, anchor="end")
    d.arrow(tile_x(0) + 10, 146, tile_x(1) + 66, 146, color=SOFT)

    # Threads with what stays in their registers.
    threads_top, row_height = 262, 46
    for s in range(slots):
        x = shared_left + (s + 0.5) * slot
        d.line(x, shared_top + slot + 2, x, threads_top + 2 * row_height + 31, color="#a9cbe9")
    for number, name in enumerate(("thread 0", "thread 1", "thread 5")):
        y = threads_top + number * row_height
        if number == 2:
            y += 16
            d.text(left + 36, y - 5, "...", size=16, color=SOFT)
        d.text(24, y + 20, name, code=True)
        d.cell(left, y, 30, OWN, own, width=70)
        d.cell(left + 76, y, 30, OWN, best, width=96)
        for s in range(slots):
            x = shared_left + (s + 0.5) * slot
            d.parts.append(f'<circle cx="{x:.0f}" cy="{y + 15:.0f}" r="3.4" fill="{SHARED[1]}"/>')
        d.arrow(shared_left + slots * slot - 4, y + 15, left + 180, y + 15)
    d.text(left, threads_top - 12, "registers: stay for the whole way", size=12, color=SOFT)
    right = shared_left + slots * slot + 22
    d.text(right, threads_top + 20, "every thread goes through", size=13, color=SOFT)
    d.text(right, threads_top + 38, "every slot of the tile", size=13, color=SOFT)
    d.text(right, threads_top + 56, per_thread, size=13, color=SOFT)
    d.text(24, d.height - 22, "barrier", size=12, color=ARROW, bold=True)
    d.text(
        82, d.height - 22, "once the tile is loaded, and again once all have gone through it",
        size=12, color=ARROW,
    )  # fmt: skip
    return d


def nearest_neighbor() -> Drawing:
    """Tiles of points go by; each thread keeps its query and its best so far."""
    return _moving_tile(
        Drawing(
            760,
            452,
            "The tile of the lab nearest_neighbor",
            "A block loads the points tile by tile into shared memory. Each thread keeps its own "
            "point and the nearest one so far in registers, and compares with every slot of the "
            "tile before the next tile is loaded. The last tile is not full.",
        ),
        elements="points",
        own="query",
        best="nearest",
        per_thread="and keeps the nearest point",
        last="slots past n",
    )


def nbody() -> Drawing:
    """Tiles of bodies go by; each thread keeps its body and its sum."""
    return _moving_tile(
        Drawing(
            760,
            452,
            "The tile of the lab nbody",
            "A block loads the bodies tile by tile into shared memory. Each thread keeps its own "
            "body and the sum of the pulls in registers, and adds the pull of every slot of the "
            "tile before the next tile is loaded. Empty slots of the last tile get mass 0.",
        ),
        elements="position",
        own="body",
        best="sum",
        per_thread="and adds its pull to the sum",
        last="mass 0",
    )


def derivatives() -> Drawing:
    """A tile of large pencils along y with its halo, and what a thread reads of it."""
    d = Drawing(
        760,
        470,
        "The tile of the lab derivatives",
        "A tile holds 64 points along y of 32 pencils side by side along x, and a halo of four "
        "points before and four after them. A point's derivative needs the four points above and "
        "the four below it. A row of the tile is contiguous in memory.",
    )
    columns, cell = 16, 16
    left, top = 110, 74
    halo, rows = 4, 12
    y_axis = left - 34
    d.bracket(left, left + columns * cell, top - 14, "x: 32 pencils, contiguous in memory")
    for r in range(halo + rows + halo):
        is_halo = r < halo or r >= halo + rows
        for c in range(columns):
            d.box(
                left + c * cell, top + r * cell, cell, cell, HALO if is_halo else SHARED,
                round_by=1, line=0.7,
            )  # fmt: skip
    bottom = top + (2 * halo + rows) * cell
    d.arrow(y_axis, top, y_axis, bottom, color=SOFT)
    d.text(y_axis - 14, (top + bottom) / 2 + 5, "y", color=SOFT, anchor="middle")
    right = left + columns * cell + 14
    d.side_bracket(right, top, top + halo * cell, ["halo: 4 points before"])
    d.side_bracket(
        right, top + halo * cell, top + (halo + rows) * cell, ["64 points: get a derivative", ""]
    )
    d.side_bracket(right, top + (halo + rows) * cell, bottom, ["halo: 4 points after"])

    # One point and its neighbours.
    column, row = 10, halo + 1
    for distance in range(-4, 5):
        colors = OWN if distance == 0 else ("#ffffff", WARN)
        d.box(
            left + column * cell, top + (row + distance) * cell, cell, cell, colors,
            round_by=1, line=2 if distance else 2.4,
        )  # fmt: skip
    # One warp's request.
    warp_row = halo + rows - 3
    d.box(left, top + warp_row * cell, columns * cell, cell, ("none", ARROW), round_by=2, line=2.4)
    text_x = 572
    d.box(text_x - 26, 138, 14, 14, ("#ffffff", WARN), line=2)
    legend = ("a point needs four", "neighbours on either side,", "here some from the halo")
    for number, words in enumerate(legend):
        d.text(text_x, 150 + 18 * number, words, size=13, color=SOFT)
    d.box(text_x - 26, 266, 14, 14, ("none", ARROW), line=2.4)
    legend = ("a warp loads a row:", "four sectors of 32 bytes,", "all of them used")
    for number, words in enumerate(legend):
        d.text(text_x, 278 + 18 * number, words, size=13, color=SOFT)
    d.text(left, bottom + 28, "72 rows loaded for 64 points: 1.125 loads per point", size=13)
    d.text(
        left, bottom + 48, "The figure shows fewer rows and columns than a tile has.",
        size=12, color=SOFT,
    )  # fmt: skip
    return d


def architecture() -> Drawing:
    """The way of a submission through two processes."""
    d = Drawing(
        760,
        430,
        "The way of a submission",
        "The Python side takes a file in, compiles it in a jail, checks the object and links it "
        "with the worker. The judge, which holds no student code, sends secret inputs to the "
        "worker, which holds nothing but student code and a runner, and compares what comes back.",
    )

    def step(x: float, y: float, width: float, words: str, note: str) -> None:
        d.box(x, y, width, 58, GLOBAL, round_by=6)
        d.text(x + width / 2, y + 25, words, anchor="middle", bold=True)
        d.text(x + width / 2, y + 44, note, size=12, color=SOFT, anchor="middle")

    d.text(24, 34, "Python: ./tilelab check, ./tilelab grade", size=13, color=SOFT)
    steps = [
        ("intake", "one text file"),
        ("compile", "in a jail"),
        ("object check", "symbols, sections"),
        ("link", "with the runner"),
    ]
    width, gap = 158, 26
    for number, (words, note) in enumerate(steps):
        x = 24 + number * (width + gap)
        step(x, 48, width, words, note)
        if number:
            d.arrow(x - gap + 2, 77, x - 3, 77)

    d.box(24, 170, 300, 160, OWN, round_by=8)
    d.text(40, 196, "judge", bold=True, size=15)
    judge = (
        "holds no student code",
        "makes secret inputs, keeps the clock",
        "compares what comes back",
        "explains what is wrong",
    )
    for number, words in enumerate(judge):
        d.text(40, 222 + 24 * number, words, size=13)
    d.box(436, 170, 300, 160, HALO, dashed=True, round_by=8)
    d.text(452, 196, "worker", bold=True, size=15)
    worker = (
        "holds student code and a runner",
        "on a GPU, or on the emulator",
        "sees inputs, no expected values",
        "no files, no network, no processes",
    )
    for number, words in enumerate(worker):
        d.text(452, 222 + 24 * number, words, size=13)
    d.text(586, 350, "sandboxed process", size=12, color=SOFT, anchor="middle")
    d.arrow(24 + 3.5 * width + 3 * gap, 108, 24 + 3.5 * width + 3 * gap, 167)
    d.arrow(326, 222, 433, 222)
    d.text(380, 213, "inputs", size=13, color=SOFT, anchor="middle")
    d.arrow(434, 278, 327, 278, color=WARN)
    d.text(380, 269, "bytes", size=13, color=SOFT, anchor="middle")
    d.arrow(174, 332, 174, 364)
    d.box(24, 366, 300, 44, GLOBAL, round_by=6)
    d.text(174, 393, "points by lab.toml, results, reports", anchor="middle", size=13)
    d.parts.insert(0, f'<path d="M 24 138 H 736" stroke="{FRAME}" stroke-width="1"/>')
    d.text(24, 158, "two processes", size=13, color=SOFT)
    return d


FIGURES: dict[str, Callable[[], Drawing]] = {
    "diff": diff,
    "nearest_neighbor": nearest_neighbor,
    "nbody": nbody,
    "derivatives": derivatives,
    "architecture": architecture,
}


def main() -> None:
    for name, draw in FIGURES.items():
        (FOLDER / f"{name}.svg").write_text(draw().svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
