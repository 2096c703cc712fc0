"""Times of kernels on a GPU, as the judge measured them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tilelab.base.errors import InfraError


@dataclass(frozen=True)
class Interval:
    """A median and its 95% interval."""

    low: float
    value: float
    high: float


@dataclass(frozen=True)
class Timing:
    """The times of one worker, in median milliseconds per launch, and their ratios per round.

    `ms` is measured by the judge's clock over batches, `device_ms` by device events in the same
    batches, `cold_ms` over single launches with nothing in the L2 cache, and `warm_ms` by the
    judge's clock over the shorter batches before (None in older records).
    """

    ms: float
    device_ms: float
    cold_ms: float
    warm_ms: float | None
    speedup: Interval
    share_of_peak: Interval | None


@dataclass(frozen=True)
class Work:
    """The work of a problem: `n` elements, operations, bytes to and from memory.

    A kernel that only moves data has 0 operations.
    """

    n: int
    operations: float
    bytes: float


@dataclass(frozen=True)
class Peak:
    """The least time of a problem: `ms` milliseconds at the hardware's peak.

    The problem needs at least `amount` bytes, reads of bytes, or instructions, as `of` says.
    """

    of: str
    amount: float
    ms: float


@dataclass(frozen=True)
class Measurement:
    """The times of all workers of one run.

    `clock`, "judge" or "device", is the clock behind the peak and the ratios. `work` is known only
    for the lab's own kernels.
    """

    rounds: int
    discarded: int
    sm_mhz: int
    clock: str
    timings: dict[str, Timing]
    peak: Peak | None = None
    work: Work | None = None

    def timing(self, name: str) -> Timing:
        """The times of a worker. Raises InfraError if it was not timed."""
        if name not in self.timings:
            raise InfraError(f"the judge did not time the {name}.")
        return self.timings[name]

    def milliseconds(self, name: str) -> float:
        """The time of one launch of a worker, by `clock`."""
        timing = self.timings[name]
        return timing.ms if self.clock == "judge" else timing.device_ms


def read(measurements: Mapping[str, Any], problem: str) -> Measurement:
    """The measurement of a problem. Raises InfraError if it is missing or impossible."""
    try:
        data = measurements[problem]
        return Measurement(
            rounds=int(data["rounds"]),
            discarded=int(data["discarded"]),
            sm_mhz=int(data["sm_mhz"]),
            clock=data["clock"],
            timings={name: _timing(timing) for name, timing in data["timings"].items()},
            peak=_peak(data["peak"]) if "peak" in data else None,
            work=_work(data["work"]) if "work" in data else None,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InfraError(f"the judge's times cannot be used ({error!r}).") from error


def _peak(data: Mapping[str, Any]) -> Peak:
    return Peak(str(data["of"]), _positive(data["amount"]), _positive(data["ms"]))


def _work(data: Mapping[str, Any]) -> Work:
    return Work(int(data["n"]), _not_negative(data["operations"]), _positive(data["bytes"]))


def _timing(data: Mapping[str, Any]) -> Timing:
    share = data.get("share_of_peak")
    return Timing(
        ms=_positive(data["ms"]),
        device_ms=float(data["device_ms"]),
        cold_ms=float(data["cold_ms"]),
        warm_ms=float(data["warm_ms"]) if "warm_ms" in data else None,
        speedup=_interval(data["speedup"]),
        share_of_peak=None if share is None else _interval(share),
    )


def _interval(data: list[Any]) -> Interval:
    low, value, high = (_positive(one) for one in data)
    if not low <= value <= high:
        raise ValueError(f"{data} is not an interval")
    return Interval(low, value, high)


def _not_negative(value: Any) -> float:
    return 0.0 if value == 0 else _positive(value)


def _positive(value: Any) -> float:
    number = float(value)
    if not (math.isfinite(number) and number > 0):
        raise ValueError(f"{value} is not a positive number")
    return number
