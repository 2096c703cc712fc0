"""The metrics of a profile that tell what could make a correct kernel faster."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tilelab.estimate import gpus
from tilelab.estimate.occupancy import Block, occupancy
from tilelab.model.profile import Call, Launch

_FEWEST_REGISTERS = 16  # that nvcc gives a thread


@dataclass(frozen=True)
class Metric:
    """A metric, and a sentence that says its value in place of {}."""

    sentence: str
    value: Callable[[Sequence[Call]], float]

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


def _bytes_per_thread(calls: Sequence[Call]) -> float:
    threads = sum(launch.blocks * math.prod(launch.block) for launch in _launches(calls))
    return _ratio(_sum(calls, "global_loads", "bytes_requested"), threads)


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
    "tile_loads_per_result": Metric(
        "Your kernel loads from the tile {} times per result.", _tile_loads_per_result
    ),
    "tile_loads_per_pair": Metric(
        "Your kernel loads from the tile {} times per pair.", _tile_loads_per_pair
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
