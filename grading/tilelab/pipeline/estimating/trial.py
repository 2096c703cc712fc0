"""Whether the machine code whose time is estimated is the program that was judged.

The emulator runs the blocks that were simulated, at the exact size, on the data that the estimator
makes up. The estimator executes them from the machine code. Both have to store the same.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

from tilelab.estimate import simulation
from tilelab.estimate.figures import Figures
from tilelab.model.recording import Array, Launch
from tilelab.model.simulation import Compared, Constants, Simulated
from tilelab.pipeline.estimating import estimator, recording
from tilelab.pipeline.estimating.launches import Recording
from tilelab.pipeline.estimating.recording import Recorder

# Of warps, in all blocks of a call that are compared.
_MOST_STEPS = 80e6
_MOST_BLOCKS = 16
# Of the results. Blocks at the edges store less.
_LEAST_STORED = 0.8
_LEAST_OUTPUT = 1 << 16  # bytes
# What cancels out differs by more than rounding.
_LEAST_EQUAL = 0.95

OTHER_CODE = (
    "where blocks could be compared, its machine code stores other values than in the tests"
)
OTHER_LAUNCHES = "the host code launches something else once kernels run"


def problem(
    recorder: Recorder,
    calls: Sequence[str],
    simulated: Sequence[Sequence[Simulated]],
    gpu: Figures,
    work: Path,
) -> str | None:
    """What speaks against the estimates of the calls, None if nothing does.

    Raises UserError if the host code fails, or InfraError if the estimator does.
    """
    multiprocessors = gpu.values["multiprocessors"]
    for number, (call, of_call) in enumerate(zip(calls, simulated, strict=True)):
        tried = _run(recorder, number, of_call, multiprocessors)
        if isinstance(tried, str):
            return tried
        found = _compare(recorder, tried, work / f"trial{number}.jsonl")
        if isinstance(found, str):
            return found
        if why := _difference(found) or _incompleteness(tried, _arrays_of(call)):
            return why
    return None


def _run(
    recorder: Recorder, call: int, simulated: Sequence[Simulated], multiprocessors: float
) -> Recording | str:
    """A recording with trials of the blocks that were simulated, or why there is none."""
    recorded = recording.record(recorder, call, multiprocessors)
    if len(recorded.launches) != len(simulated):
        return OTHER_LAUNCHES
    blocks = _blocks(simulated, recorded.launches)
    tried = recording.record(recorder, call, multiprocessors, blocks)
    if (recorded.arrays, recorded.launches) != (tried.arrays, tried.launches):
        return OTHER_LAUNCHES
    ran = [one.ran.blocks for one in tried.trials]
    return tried if ran == blocks else "its recording says that other blocks ran"


def _compare(recorder: Recorder, tried: Recording, job: Path) -> Sequence[Compared] | str:
    """What the machine code changes beside what changed in the trials, or why nobody knows."""
    constants = Constants(recorder.machine.constants.hex())
    found = estimator.ask(recorder, [constants], tried, job, simulation.comparisons)
    return "its blocks take too long to be compared" if found is None else found


def _blocks(simulated: Sequence[Simulated], of_launches: Sequence[Launch]) -> list[Sequence[int]]:
    """For each launch the blocks to compare: those that were simulated, as far as there is time."""
    made: list[Sequence[int]] = []
    for one, launch in zip(simulated, of_launches, strict=True):
        steps = one.instructions / math.prod(launch.grid)
        most = int(_MOST_STEPS / len(simulated) / max(steps, 1))
        made.append(one.blocks[: max(1, min(most, _MOST_BLOCKS))])
    return made


def _arrays_of(call: str) -> int:
    """How many arrays a call of lab.toml is made with."""
    return len(re.findall(r"\b(?:bits|fractions|zeros|scratch)\(", call))


def _incompleteness(tried: Recording, arrays: int) -> str | None:
    """What is missing if all blocks store as much as those that ran.

    Small outputs are sums of what blocks leave elsewhere, so they tell nothing. Where nothing is
    stored, zeros are an input.
    """
    places = [one.address for trial in tried.trials for one in trial.stored]
    zeros = [one for one in tried.arrays[:arrays] if one.contents == "zeros"]
    outputs = [one for one in zeros if any(_is_in(place, [one]) for place in places)]
    whole = sum(one.bytes for one in outputs)
    if whole < _LEAST_OUTPUT:
        return None
    stored = 0.0
    for launch, trial in zip(tried.launches, tried.trials, strict=True):
        here = sum(len(one.bytes) // 2 for one in trial.stored if _is_in(one.address, outputs))
        stored += here * math.prod(launch.grid) / len(trial.ran.blocks)
    if stored >= _LEAST_STORED * whole:
        return None
    return f"at this size, its launches store {stored / whole:.0%} of the results"


def _is_in(address: int, arrays: Sequence[Array]) -> bool:
    return any(one.address <= address < one.address + one.bytes for one in arrays)


def _difference(found: Sequence[Compared]) -> str | None:
    if not any(one.words for one in found):
        return "the blocks that were simulated store nothing"
    for one in found:
        if one.equal < _LEAST_EQUAL * one.words:
            return f"{OTHER_CODE} ({one.kernel}: {one.words - one.equal} of {one.words} words)"
    return None
