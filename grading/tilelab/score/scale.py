"""The scale of speed: which speedup over the baseline gets which share of the points."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from tilelab.base.errors import InfraError
from tilelab.model.lab import SpeedCurve
from tilelab.model.measurement import Measurement
from tilelab.model.result import Rung

# The lesson's step and a student's kernel that does the same differ by some noise.
_SHARE_OF_STEP = 0.95

# If half of the points lay closer to their start, noise would decide over too many of them.
_LEAST_RATIO = 1.1


@dataclass(frozen=True)
class Scale:
    """Speedups over the baseline at which points start, are half, and are full."""

    start: float
    half: float
    full: float

    def share(self, speedup: float) -> float:
        """The share of the points. It is logarithmic on either side of `half`."""
        if speedup <= self.start:
            return 0.0
        if speedup >= self.full:
            return 1.0
        if speedup <= self.half:
            return math.log(speedup / self.start) / math.log(self.half / self.start) / 2
        return 0.5 + math.log(speedup / self.half) / math.log(self.full / self.half) / 2


def measured(curve: SpeedCurve, speed: Measurement) -> Scale:
    """The scale on this GPU, from the speedups of the lab's own kernels in the same run.

    Raises InfraError if the reference solution itself is too slow for points: such a run measured
    the machine, not the submission.
    """
    return of(curve, {name: speed.timing(name).speedup.value for name in depends_on(curve)})


def depends_on(curve: SpeedCurve) -> list[str]:
    """The lab's own kernels whose speedups make the scale."""
    return ["reference", *([curve.half] if curve.half else [])]


def of(curve: SpeedCurve, speedups: Mapping[str, float]) -> Scale:
    """The scale that follows from speedups, wherever they come from. Raises InfraError likewise."""
    best = speedups["reference"]
    full = curve.full * best
    if not full > curve.start:
        raise InfraError(
            f"speed cannot be graded here, because the reference solution was only {best:.2f} "
            "times as fast as the baseline. Is something else using the GPU?"
        )
    half = math.sqrt(curve.start * full)
    if curve.half:
        step = _SHARE_OF_STEP * speedups[curve.half]
        half = min(half, max(step, _LEAST_RATIO * curve.start))
    return Scale(curve.start, half, full)


def ladder(curve: SpeedCurve, scale: Scale, speed: Measurement) -> tuple[Rung, ...]:
    """The submission between the lab's own kernels and the marks of the scale, slowest first."""

    def rung(worker: str, name: str, is_own: bool = False) -> Rung:
        return Rung(speed.timing(worker).speedup.value, name, is_own)

    rungs = [
        rung("baseline", "baseline"),
        *(rung(step, f"ladder step {step}") for step in curve.ladder),
        Rung(scale.half, "half of the points"),
        Rung(scale.full, "all points"),
        rung("reference", "reference solution"),
        rung("submission", "your kernel", is_own=True),
    ]
    return tuple(sorted(rungs, key=lambda one: one.speedup))
