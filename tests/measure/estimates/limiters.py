"""What limits a launch, in five groups, by one rule for Nsight Compute and for the estimate."""

from __future__ import annotations

from collections.abc import Mapping

BANDWIDTH = "DRAM and L2 throughput"
LATENCY = "memory latency"
L1 = "L1 and shared memory"
ISSUE = "issue and pipes"
BARRIER = "barriers"
OTHER = "other"
GROUPS = (BANDWIDTH, LATENCY, L1, ISSUE, BARRIER)

# Nsight Compute calls a unit a bottleneck from here on.
_BUSY = 0.6

_OF_STALL = {
    "long_scoreboard": LATENCY,
    "lg_throttle": L1,
    "mio_throttle": L1,
    "short_scoreboard": L1,
    "math_pipe_throttle": ISSUE,
    "dispatch_stall": ISSUE,
    "wait": ISSUE,
    "barrier": BARRIER,
    "drain": BANDWIDTH,
}

_OF_UNIT = {"dram": BANDWIDTH, "l2": BANDWIDTH, "l1": L1, "issue": ISSUE}


def group(dram: float, l2: float, stall: str, atomics: float = 0) -> str:
    """The group of a launch that keeps DRAM and the L2 cache busy for such shares of the time, and
    whose warps wait for `stall` most.

    `atomics` is the share in which atomics take turns. Nsight Compute has no such share: it sees
    warps that wait for memory.
    """
    if max(dram, l2) >= _BUSY:
        return BANDWIDTH
    return LATENCY if atomics >= _BUSY else of_stall(stall)


def of_stall(stall: str) -> str:
    """The group of what warps wait for."""
    return _OF_STALL.get(stall, OTHER)


def busy_groups(busy: Mapping[str, float]) -> set[str]:
    """The groups of the units "dram", "l2", "l1" and "issue" that are a bottleneck."""
    return {_OF_UNIT[unit] for unit, share in busy.items() if share >= _BUSY}


def top_stall(waiting: Mapping[str, float]) -> str:
    return max(waiting, key=lambda name: waiting[name])
