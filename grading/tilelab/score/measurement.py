"""Reads times of kernels as the judge wrote them, and refuses those that cannot be."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tilelab.base.errors import InfraError
from tilelab.model.measurement import Interval, Measurement, Peak, Timing, Work


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
