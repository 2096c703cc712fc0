"""The time that a call will take on a GPU, how sure that is, and what limits it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilelab.estimate.figures import Figures
from tilelab.model.simulation import Simulated

UNEQUAL_WORK = "its blocks do unequal work, and too few were executed to say how much in all"

# Beyond these, what was simulated says too little of the rest.
_MOST_UNKNOWN_BRANCHES = 0.02
_MOST_UNLIKE = 0.04
_MOST_SPREAD = 0.5
# A launch takes the GPU so long beyond its blocks, and the host so long at least.
_LAUNCH_SECONDS = 2.3e-6
_LEAST_SECONDS = 3.4e-6
# Beside a launch, a fill of four bytes made calls so much longer on an H200.
_MOVE_SECONDS = 0.5e-6
# A unit that works so much of the time is what limits a kernel.
_BUSY = 0.8
_KIB = 1024

_MOVING = "copies and fills of CUDA's runtime, besides its kernels"

_STALLS = {
    "long_scoreboard": "latency",
    "short_scoreboard": "the latency of shared memory and of special functions",
    "wait": "instructions that depend on the one before",
    "math_pipe_throttle": "a pipe that all warps want",
    "dispatch_stall": "registers of the same bank",
    "lg_throttle": "the queue of accesses to global memory",
    "mio_throttle": "the queue of accesses to shared memory",
    "barrier": "barriers",
}


@dataclass(frozen=True)
class Prediction:
    """An estimated time. Nine in ten kernels take between `least` and `most` milliseconds.

    These are farther apart if the launches' cycles are less sure.

    `limiter` continues "limited by".
    """

    gpu: str
    milliseconds: float
    least: float
    most: float
    limiter: str


def predict(
    launches: Sequence[Simulated], figures: Figures, moved: Sequence[int] = ()
) -> Prediction | str:
    """The time of a call, or why nobody can say.

    `moved` are the bytes that each copy and fill of the runtime reads and writes.
    """
    if not launches:
        return "it launches no kernel"
    if max(one.unknown_branches for one in launches) > _MOST_UNKNOWN_BRANCHES:
        return "what it does depends on what an earlier launch computed"
    if max(one.unlike for one in launches) > _MOST_UNLIKE:
        return "what it does changes while it runs, and only the beginning was simulated"
    longest = max(launches, key=lambda one: one.cycles)
    moving = 1e3 * sum(_moving_seconds(one, figures) for one in moved)
    milliseconds = 1e3 * sum(_seconds(one, figures) for one in launches) + moving
    spread = sum(one.spread * _seconds(one, figures) for one in launches) * 1e3 / milliseconds
    if spread > _MOST_SPREAD:
        return UNEQUAL_WORK
    return Prediction(
        figures.name,
        milliseconds,
        milliseconds * figures.least / (1 + spread),
        milliseconds * figures.most * (1 + spread),
        limiter(longest, figures) if moving < milliseconds / 2 else _MOVING,
    )


def busy(launch: Simulated, figures: Figures) -> dict[str, float]:
    """The share of the launch's time in which units work. A launch takes time before and after
    its blocks, when none does."""
    at_work = _block_seconds(launch, figures) / _seconds(launch, figures)
    return {unit: share * at_work for unit, share in launch.busy.items()}


def limiter(launch: Simulated, figures: Figures) -> str:
    """What limits a launch, to continue "limited by"."""
    shares = busy(launch, figures)
    if shares["dram"] >= _BUSY:
        rate = launch.dram_bytes / launch.cycles * figures.values["gigahertz"] / 1e3
        most = figures.values["dram_copy"] / 1e12
        return f"DRAM: it moves {rate:.1f} TB/s, and a copy {most:.1f}"
    # L1 counts as busy, too, while what waits for its turn fills its queue.
    if shares["atomics"] >= _BUSY:
        return f"atomics, which take turns {shares['atomics']:.0%} of the time"
    units = {
        "l2": "the L2 cache, which works",
        "l1": "L1 and shared memory, which work",
        "issue": "the schedulers, which issue",
    }
    busiest = max(units, key=lambda name: shares[name])
    if shares[busiest] >= _BUSY:
        return f"{units[busiest]} {shares[busiest]:.0%} of the time"
    waits = max(_STALLS, key=lambda name: launch.stalls.get(name, 0))
    if waits != "long_scoreboard":
        return _STALLS[waits]
    if launch.dram_bytes < launch.l2_bytes / 2:
        return "the latency of the L2 cache"
    in_flight, needed = launch.bytes_in_flight / _KIB, figures.bytes_needed / _KIB
    if in_flight >= needed:
        return "the latency of DRAM"
    return f"latency: {in_flight:.0f} KiB in flight per multiprocessor, {needed:.0f} needed"


def _block_seconds(launch: Simulated, figures: Figures) -> float:
    return launch.cycles / (figures.values["gigahertz"] * 1e9)


def _moving_seconds(moved: int, figures: Figures) -> float:
    return moved / figures.values["dram_copy"] + _MOVE_SECONDS


def _seconds(launch: Simulated, figures: Figures) -> float:
    return max(_block_seconds(launch, figures) + _LAUNCH_SECONDS, _LEAST_SECONDS)
