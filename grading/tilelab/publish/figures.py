"""Measures what a reference solution moves, for a copy of the labs that lacks the solution.

A test of memory draws the size of its problem, so the figures are measured at every size that it
can draw, or at many of them. They are numbers that `check` prints anyway.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from tilelab.base.files import write_atomically
from tilelab.model.lab import Lab
from tilelab.pipeline import judge
from tilelab.pipeline.judge import Workers
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.pipeline.workers import own

SIZES_PER_DRAW = 500
# Where a test draws several numbers, each combination of them is a size: our labs have fewer, so
# that a student's check compares with the very number of `grade`.
_ENOUGH = 1000
_SEED = 1  # of the data; what a kernel moves hardly depends on it


def figures(lab: Lab, toolchain: Toolchain, sizes_per_draw: int = SIZES_PER_DRAW) -> str:
    """The text of labs/NAME/reference/figures.txt; "" if no test compares with the reference.

    Kept in the build folder, because measuring takes minutes. Raises InfraError.
    """
    worker = own.own_worker(lab.reference, lab, toolchain)
    kept = toolchain.folder / "figures" / f"{_key(worker, lab, toolchain, sizes_per_draw)}.txt"
    if not kept.is_file():
        kept.parent.mkdir(exist_ok=True)
        lines = sorted(set(_measured(lab, toolchain, worker, sizes_per_draw)))
        write_atomically(kept, "".join(f"{line}\n" for line in lines))
    return kept.read_text(encoding="utf-8")


def _measured(lab: Lab, tool: Toolchain, worker: Path, sizes_per_draw: int) -> Iterator[str]:
    programs = Workers({"submission": worker})
    for criterion in (one for one in lab.criteria if one.needs == "checked"):
        found: frozenset[str] = frozenset()
        for count in _counts(sizes_per_draw):
            judged = judge.run(lab, tool, criterion.name, programs, _SEED, sizes_per_draw=count)
            before, found = found, frozenset(judged.figures)
            # Most tests compare with nothing, and others soon have every size.
            if len(found) == len(before) or len(_sizes(found)) >= _ENOUGH:
                break
        yield from found


def _counts(most: int) -> Iterator[int]:
    """Four times as many each time: how many sizes that makes is known afterwards."""
    count = 2
    while count < most:
        yield count
        count *= 4
    yield most


def _sizes(figures: Iterable[str]) -> frozenset[str]:
    """A figure is a function, its sizes, the metric and a number."""
    return frozenset(line.rsplit(" ", 2)[0] for line in figures)


def _key(worker: Path, lab: Lab, toolchain: Toolchain, sizes_per_draw: int) -> str:
    made_of = worker.read_bytes() + toolchain.judge_program(lab.name).read_bytes()
    return f"{lab.name}-{sizes_per_draw}-{hashlib.sha256(made_of).hexdigest()[:16]}"
