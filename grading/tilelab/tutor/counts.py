"""The metrics of a profile: they tell what could make a kernel faster, and what to predict."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from tilelab.estimate import gpus
from tilelab.estimate.occupancy import Block, occupancy
from tilelab.model.profile import Call, Launch

_FEWEST_REGISTERS = 16  # that nvcc gives a thread


@dataclass(frozen=True)
class Metric:
    """A metric, and a sentence that says its value in place of {}.

    One that is about accesses of a `kind` has no value where there are none.
    """

    sentence: str
    value: Callable[[Sequence[Call]], float]
    kind: str = ""

    def is_counted(self, calls: Sequence[Call]) -> bool:
        return not self.kind or _sum(calls, self.kind, "requests") > 0

    def says(self, calls: Sequence[Call]) -> str:
        return self.sentence.format(f"{self.value(calls):.1f}".rstrip("0").rstrip("."))


def _launches(calls: Sequence[Call]) -> Iterator[Launch]:
    for call in calls:
        yield from call.launches


def _sum(calls: Sequence[Call], kind: str, key: str) -> float:
    """Of all blocks: in a large launch not all of them are observed."""
    counts = (
        getattr(launch.totals[kind], key) * launch.blocks / launch.observed_blocks
        for launch in _launches(calls)
        if launch.observed_blocks and kind in launch.totals
    )
    return float(sum(counts))


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _bytes_per_load(calls: Sequence[Call]) -> float:
    loads = "global_loads"
    return _ratio(_sum(calls, loads, "bytes_requested"), _sum(calls, loads, "thread_accesses"))


def _blocks(calls: Sequence[Call]) -> float:
    return float(sum(launch.blocks for launch in _launches(calls)))


def _started(calls: Sequence[Call]) -> float:
    """The launches of a call."""
    return float(sum(launch.launches for launch in _launches(calls)))


def _threads(calls: Sequence[Call]) -> float:
    return float(sum(launch.blocks * math.prod(launch.block) for launch in _launches(calls)))


def _bytes_per_thread(calls: Sequence[Call]) -> float:
    return _ratio(_sum(calls, "global_loads", "bytes_requested"), _threads(calls))


def _loads_per_thread(calls: Sequence[Call]) -> float:
    return _ratio(_sum(calls, "global_loads", "thread_accesses"), _threads(calls))


def _stores_per_thread(calls: Sequence[Call]) -> float:
    return _ratio(_sum(calls, "global_stores", "thread_accesses"), _threads(calls))


def _per_request(kind: str, key: str, calls: Sequence[Call]) -> float:
    return _ratio(_sum(calls, kind, key), _sum(calls, kind, "requests"))


def _shared_bytes(calls: Sequence[Call]) -> float:
    """Of a block, in the launch whose blocks have most."""
    return float(max((launch.shared_bytes for launch in _launches(calls)), default=0))


def _tile_loads(calls: Sequence[Call]) -> float:
    return _sum(calls, "shared_loads", "thread_accesses")


def _tile_loads_per_result(calls: Sequence[Call]) -> float:
    return _ratio(_tile_loads(calls), _sum(calls, "global_stores", "thread_accesses"))


def _tile_loads_per_pair(calls: Sequence[Call]) -> float:
    # A call is shown as "nbody_step(float4[2000], ...".
    sizes = [re.search(r"\[(\d+)\]", call.call) for call in calls]
    return _ratio(_tile_loads(calls), sum(int(size[1]) ** 2 for size in sizes if size))


def _occupancy(calls: Sequence[Call]) -> float:
    """The share of a multiprocessor's warps for which a launch leaves room, of the worst launch."""
    return min((_room(launch) for launch in _launches(calls)), default=1.0)


def _room(launch: Launch) -> float:
    """Without nvcc, registers are not known. They may leave room for even fewer."""
    if launch.resources:
        return min(one.occupancy.share for one in launch.resources)
    block = Block(math.prod(launch.block), _FEWEST_REGISTERS, launch.shared_bytes)
    return occupancy(block, gpus.DEFAULT.multiprocessor).share


METRICS = {
    "bytes_per_load": Metric(
        "A load of your kernel brings {} bytes on average; it could bring 16.", _bytes_per_load
    ),
    "bytes_per_thread": Metric(
        "Each thread of your kernel loads {} bytes in all, so no more can be in flight at a time.",
        _bytes_per_thread,
    ),
    "blocks": Metric("Your call starts {} blocks.", _blocks),
    "launches": Metric("Your call makes {} launches.", _started),
    "threads": Metric("Your call starts {} threads.", _threads),
    "loads_per_thread": Metric(
        "Each thread of your kernel makes {} loads of global memory.", _loads_per_thread
    ),
    "stores_per_thread": Metric(
        "Each thread of your kernel makes {} stores to global memory.", _stores_per_thread
    ),
    "sectors_per_load": Metric(
        "A request of your kernel to load takes {} sectors.",
        partial(_per_request, "global_loads", "sectors"),
        "global_loads",
    ),
    "sectors_per_store": Metric(
        "A request of your kernel to store takes {} sectors.",
        partial(_per_request, "global_stores", "sectors"),
        "global_stores",
    ),
    "wavefronts_per_tile_load": Metric(
        "A request of your kernel to load from the tile takes {} wavefronts.",
        partial(_per_request, "shared_loads", "wavefronts"),
        "shared_loads",
    ),
    "wavefronts_per_tile_store": Metric(
        "A request of your kernel to store to the tile takes {} wavefronts.",
        partial(_per_request, "shared_stores", "wavefronts"),
        "shared_stores",
    ),
    "wavefronts_per_shared_atomic": Metric(
        "A request of your kernel to add in shared memory takes {} wavefronts.",
        partial(_per_request, "shared_atomics", "wavefronts"),
        "shared_atomics",
    ),
    "shared_bytes": Metric("A block of your kernel has {} bytes of shared memory.", _shared_bytes),
    "tile_loads_per_result": Metric(
        "Your kernel loads from the tile {} times per result.",
        _tile_loads_per_result,
        "shared_loads",
    ),
    "tile_loads_per_pair": Metric(
        "Your kernel loads from the tile {} times per pair.",
        _tile_loads_per_pair,
        "shared_loads",
    ),
    "occupancy": Metric(
        "Blocks like yours leave room for {} of a multiprocessor's threads: more than that cannot "
        "be its occupancy.",
        _occupancy,
    ),
}


def find(name: str, calls: Sequence[Call]) -> Metric | None:
    """The metric of this name: one of these, or one that the lab's tests have reported."""
    if name in METRICS:
        return METRICS[name]
    reported = [call.metrics[name] for call in calls if name in call.metrics]
    if not reported:
        return None
    # Less is better, so the largest value says what is left to do.
    worst = max(one.value for one in reported)
    unit = reported[0].unit.replace("{", "{{").replace("}", "}}")
    return Metric(f"Your kernel has {{}} {unit}.", lambda _: worst)
