"""The accesses of a trace, one for each thread, with the names that the file has for them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from tilelab.model.picture import DrawnCall, DrawnLaunch, Step
from tilelab.model.profile import Triple
from tilelab.picture.run import Side
from tilelab.picture.text import element_bytes

_LANES = 32


@dataclass(frozen=True)
class Array:
    """An array of a call or a tile. `columns` is the length of a row of a tile, or 0."""

    name: str
    element_bytes: int
    columns: int
    is_shared: bool

    def place(self, element: int) -> str:
        """An element as the file calls it: in[7], tile[1][3]."""
        return self.name + "".join(f"[{one}]" for one in self.indices(element))

    def indices(self, element: int) -> tuple[int, ...]:
        return divmod(element, self.columns) if self.columns else (element,)


@dataclass(frozen=True)
class Access:
    """What a thread loads or stores at once: `count` elements from `first` on."""

    kind: str
    line: int
    array: Array
    block: tuple[int, ...]
    thread: tuple[int, ...]
    first: int
    count: int

    @property
    def elements(self) -> range:
        return range(self.first, self.first + self.count)


@dataclass(frozen=True)
class Seen:
    """A launch of a call, with all of its accesses, and the barriers at which each block waits."""

    call: DrawnCall
    launch: DrawnLaunch
    change: str  # what makes the blocks small, if anything does
    accesses: tuple[Access, ...]
    barriers: dict[tuple[int, ...], int]

    @property
    def where(self) -> str:
        """For which launch a question asks."""
        several = len(self.call.launches) > 1
        kernel = f", in launch {self.call.launches.index(self.launch) + 1}" if several else ""
        return f"{self.call.call}{f' with {self.change}' if self.change else ''}{kernel}"

    @property
    def blocks(self) -> list[tuple[int, ...]]:
        return [_place(i, self.launch.grid) for i in range(math.prod(self.launch.grid))]


def of(side: Side, file: str) -> Iterator[Seen]:
    """The launches of a file whose traces are complete. `file` is what the traces call it."""
    for call in side.calls:
        for launch in call.launches:
            if launch.trace.complete and launch.launches == 1 and not call.failure:
                yield _seen(side, call, launch, file)


def _seen(side: Side, call: DrawnCall, launch: DrawnLaunch, file: str) -> Seen:
    known = {one.name: Array(one.name, one.element_bytes, 0, False) for one in call.inputs}
    known |= {one.name: Array(one.name, one.element_bytes, 0, False) for one in call.outputs}
    tiles = {
        one.name: Array(one.name, size, one.columns, True)
        for one in side.shared
        if (size := element_bytes(one.type))
    }
    named = [
        (tiles if one.space == "shared" else known if one.space == "global" else {}).get(one.name)
        for one in launch.trace.arrays
    ]
    accesses: list[Access] = []
    barriers: dict[tuple[int, ...], int] = {}
    for step in launch.trace.steps:
        place = launch.trace.places[step.place]
        block = _place(step.block, launch.grid)
        if step.barrier:
            barriers[block] = barriers.get(block, 0) + 1
        elif place.file == file:
            accesses += _of_step(step, place.line, block, launch.block, named)
    return Seen(call, launch, side.change, tuple(accesses), barriers)


def _of_step(
    step: Step, line: int, block: tuple[int, ...], shape: Triple, named: list[Array | None]
) -> Iterator[Access]:
    if step.lanes is None or step.arrays is None or step.offsets is None or step.warp is None:
        return
    for kind, arrays, offsets in _sides(step):
        for lane, number, offset in zip(step.lanes, arrays, offsets, strict=True):
            array = named[number]
            if array is not None and offset >= 0:
                thread = _place(step.warp * _LANES + lane, shape)
                count = max((step.bytes or 0) // array.element_bytes, 1)
                first = offset // array.element_bytes
                yield Access(kind, line, array, block, thread, first, count)


def _sides(step: Step) -> Iterator[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    """What a step does, and where. An asynchronous copy loads and stores."""
    is_copy = step.from_offsets is not None
    if is_copy:
        yield "load", step.from_arrays or (), step.from_offsets or ()
    yield "store" if is_copy else step.kind, step.arrays or (), step.offsets or ()


def _place(number: int, shape: Triple) -> tuple[int, ...]:
    """The index of a thread or block, in as many directions as there are."""
    x, y, z = number % shape[0], number // shape[0] % shape[1], number // (shape[0] * shape[1])
    if shape[2] > 1:
        return x, y, z
    return (x, y) if shape[1] > 1 else (x,)
