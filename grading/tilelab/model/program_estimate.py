"""How long the launches of a program would take, worked out from their machine code."""

from __future__ import annotations

from msgspec import Struct

from tilelab.model.profile import Taken, Triple


class WaitedLine(Struct, frozen=True):
    """A line of the program, and its share in what warps wait for and in the turns of atomics."""

    file: str
    line: int
    text: str
    waits: float
    atomics: float


class WhatIf(Struct, frozen=True):
    """A launch's time if there were plenty of a resource, with this many blocks at once."""

    resource: str
    blocks: int
    milliseconds: float


class OtherBlock(Struct, frozen=True):
    """The occupancy, 0 to 1, with another number of threads in a block."""

    threads: int
    share: float


class EstimatedLaunch(Struct, frozen=True, kw_only=True):
    """The estimated time of one launch of a program, the first of `launches` in its shape.

    They `differ` if others of them had other arguments. Without an estimate, `missing` says why.
    `is_made_up` says that its arrays held made-up data, and `is_managed` that moving managed memory
    is not in its time. `taken` is None if nvcc has no such kernel. `other_blocks` have a higher
    occupancy.
    """

    kernel: str
    grid: Triple
    block: Triple
    dynamic_shared_bytes: int
    launches: int
    differ: bool
    is_made_up: bool
    is_managed: bool
    taken: Taken | None = None
    missing: str | None = None
    milliseconds: float | None = None
    least: float | None = None
    most: float | None = None
    limiter: str = ""
    lines: tuple[WaitedLine, ...] = ()
    other_blocks: tuple[OtherBlock, ...] = ()
    what_if: WhatIf | None = None


class EstimatedProgram(Struct, frozen=True):
    """The estimated times of a program's launches on one GPU. `left_out` more were not recorded."""

    gpu: str
    compared: bool
    launches: tuple[EstimatedLaunch, ...]
    left_out: int
