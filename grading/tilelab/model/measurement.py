"""Times of kernels on a GPU, as the judge measured them.

The order of the members is that of the judge's events and of the files that keep them.
"""

from __future__ import annotations

from msgspec import Struct

from tilelab.base.errors import InfraError
from tilelab.base.fields import Number


class Interval(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A median and its 95% interval, [low, value, high]."""

    low: Number
    value: Number
    high: Number


class Timing(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The times of one worker, in median milliseconds per launch, and their ratios per round.

    `ms` is measured by the judge's clock over batches, `device_ms` by device events in the same
    batches, `cold_ms` over single launches with nothing in the L2 cache, and `warm_ms` by the
    judge's clock over the shorter batches before (None in older records).
    """

    ms: Number
    device_ms: Number
    cold_ms: Number
    warm_ms: Number | None = None
    speedup: Interval
    share_of_peak: Interval | None = None


class Work(Struct, frozen=True):
    """The work of a problem: `n` elements, operations, bytes to and from memory.

    A kernel that only moves data has 0 operations.
    """

    n: int
    operations: Number
    bytes: Number


class Peak(Struct, frozen=True):
    """The least time of a problem: `ms` milliseconds at the hardware's peak.

    The problem needs at least `amount` bytes, reads of bytes, or instructions, as `of` says.
    """

    of: str
    amount: Number
    ms: Number


class Run(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a problem was measured.

    `clock`, "judge" or "device", is the clock behind the peak and the ratios. `sm_mhz` is the
    greatest frequency that was seen. `work` is known only for the lab's own kernels.
    """

    rounds: int
    discarded: int
    sm_mhz: int
    clock: str
    peak: Peak | None = None
    work: Work | None = None


class Measurement(Run, frozen=True, kw_only=True):
    """The times of all workers of one run, by the workers' names."""

    timings: dict[str, Timing]

    def timing(self, name: str) -> Timing:
        """The times of a worker. Raises InfraError if it was not timed."""
        if name not in self.timings:
            raise InfraError(f"the judge did not time the {name}.")
        return self.timings[name]

    def milliseconds(self, name: str) -> float:
        """The time of one launch of a worker, by `clock`."""
        timing = self.timings[name]
        return timing.ms if self.clock == "judge" else timing.device_ms
