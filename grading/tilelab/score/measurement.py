"""Refuses times that cannot be."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from tilelab.base.errors import InfraError
from tilelab.model.measurement import Interval, Measurement


def of(measurements: Mapping[str, Measurement], problem: str) -> Measurement:
    """The measurement of a problem. Raises InfraError if it is missing or impossible."""
    if problem not in measurements:
        raise InfraError(f"the judge's times cannot be used (there are none of '{problem}').")
    found = measurements[problem]
    if any(not (math.isfinite(one) and one > 0) for one in _positive(found)):
        raise InfraError("the judge's times cannot be used (one is not a positive number).")
    if any(not one.low <= one.value <= one.high for one in _intervals(found)):
        raise InfraError("the judge's times cannot be used (an interval does not hold its median).")
    return found


def _positive(found: Measurement) -> Iterator[float]:
    """What has to be greater than 0."""
    for timing in found.timings.values():
        yield timing.ms
    for one in _intervals(found):
        yield from (one.low, one.value, one.high)
    if found.peak:
        yield from (found.peak.amount, found.peak.ms)
    if found.work:
        yield found.work.bytes
        if found.work.operations != 0:
            yield found.work.operations


def _intervals(found: Measurement) -> Iterator[Interval]:
    for timing in found.timings.values():
        yield timing.speedup
        if timing.share_of_peak:
            yield timing.share_of_peak
