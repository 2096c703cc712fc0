"""What the judge measured of kernels on a GPU, read from its metrics."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tilelab.base.errors import InfraError

_OF_ALL = (
    *("rounds", "discarded", "sm_mhz", "clock", "floor_of", "floor_amount", "floor_ms"),
    *("n", "operations", "bytes"),
)


@dataclass(frozen=True)
class Interval:
    """A median and its 95% interval."""

    low: float
    value: float
    high: float


@dataclass(frozen=True)
class Timing:
    """One worker: median milliseconds per launch, and ratios round by round.

    `ms` is the judge's clock over batches, `device_ms` the events' beside it, `cold_ms` that of
    launches alone with nothing in the L2 cache.
    """

    ms: float
    device_ms: float
    cold_ms: float
    speedup: Interval
    share_of_floor: Interval | None


@dataclass(frozen=True)
class Work:
    """What a problem needs: `n` elements, operations of arithmetic, bytes to and from memory."""

    n: int
    operations: float
    bytes: float


@dataclass(frozen=True)
class Measurement:
    """All workers timed in one run. `floor_ms` is what the machine itself needs at least.

    `clock`, "judge" or "device", is whose time it and the ratios are made of. `floor_amount` counts
    what `floor_of` names; it and `work` are missing in older files, `work` also where it is graded.
    """

    rounds: int
    discarded: int
    sm_mhz: int
    clock: str
    floor_of: str | None
    floor_ms: float | None
    timings: dict[str, Timing]
    floor_amount: float | None = None
    work: Work | None = None

    def milliseconds(self, name: str) -> float:
        """One launch of a worker, by `clock`."""
        timing = self.timings[name]
        return timing.ms if self.clock == "judge" else timing.device_ms


def read(metrics: Mapping[str, Any], title: str) -> Measurement:
    """The measurement of this title. Raises InfraError if it is missing or cannot be."""
    try:
        data = metrics[title]
        return Measurement(
            rounds=int(data["rounds"]),
            discarded=int(data["discarded"]),
            sm_mhz=int(data["sm_mhz"]),
            clock=data.get("clock", "judge"),
            floor_of=data.get("floor_of"),
            floor_ms=_positive(data["floor_ms"]) if "floor_ms" in data else None,
            timings={name: _timing(data[name]) for name in data if name not in _OF_ALL},
            floor_amount=_positive(data["floor_amount"]) if "floor_amount" in data else None,
            work=_work(data) if "operations" in data else None,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InfraError(f"the judge's times cannot be used ({error!r}).") from error


def _work(data: Mapping[str, Any]) -> Work:
    return Work(int(data["n"]), _positive(data["operations"]), _positive(data["bytes"]))


def _timing(data: Mapping[str, Any]) -> Timing:
    share = data.get("share_of_floor")
    return Timing(
        ms=_positive(data["ms"]),
        device_ms=float(data["device_ms"]),
        cold_ms=float(data["cold_ms"]),
        speedup=_interval(data["speedup"]),
        share_of_floor=None if share is None else _interval(share),
    )


def _interval(data: list[Any]) -> Interval:
    low, value, high = (_positive(one) for one in data)
    if not low <= value <= high:
        raise ValueError(f"{data} is no interval")
    return Interval(low, value, high)


def _positive(value: Any) -> float:
    number = float(value)
    if not (math.isfinite(number) and number > 0):
        raise ValueError(f"{value} is no amount")
    return number
