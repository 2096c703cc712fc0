"""Whether the machine code whose time is estimated is the program that was judged.

The emulator runs blocks at the exact size, on the data that the estimator makes up. The estimator
executes them from the machine code. Both have to store the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from random import Random

from tilelab.base.errors import UserError
from tilelab.estimate import simulation
from tilelab.model.simulation import Compared, Constants, Simulated
from tilelab.pipeline.estimating import estimator, outcome
from tilelab.pipeline.estimating.launches import Recording
from tilelab.pipeline.estimating.recorded_call import RecordedCall
from tilelab.pipeline.estimating.recording import Recorder, Trial

# Of warps, in all blocks of a call that are compared.
_MOST_STEPS = 80e6
_MOST_BLOCKS = 16
# What cancels out differs by more than rounding.
_LEAST_EQUAL = 0.95

OTHER_CODE = (
    "where blocks could be compared, its machine code stores other values than in the tests"
)


def problem(
    recorder: Recorder,
    calls: Sequence[str],
    recorded: Sequence[Recording],
    simulated: Sequence[Sequence[Simulated]],
    multiprocessors: float,
    work: Path,
) -> str | None:
    """What speaks against the estimates of the calls, None if nothing does.

    Raises InfraError if the estimator or the judge fails.
    """
    for number, (call, of_call) in enumerate(zip(calls, recorded, strict=True)):
        one = RecordedCall(recorder, number, call, of_call, multiprocessors, work)
        try:
            if why := _problem(one, simulated[number]):
                return why
        except UserError as error:
            return str(error)
    return None


def _problem(call: RecordedCall, simulated: Sequence[Simulated]) -> str | None:
    blocks = _blocks(simulated, call.recorded)
    tried = call.tried(Trial(call.recorded.salt, blocks))
    if [one.ran.blocks for one in tried.trials] != blocks:
        return "its recording says that other blocks ran"
    found = _compare(call.recorder, tried, call.job("trial"))
    if isinstance(found, str):
        return found
    if why := _difference(found):
        return why
    return outcome.problem(call, tried, simulated)


def _compare(recorder: Recorder, tried: Recording, job: Path) -> Sequence[Compared] | str:
    """What the machine code changes in addition to the trials' changes, or why nobody knows."""
    constants = Constants(recorder.machine.constants.hex())
    found = estimator.ask(recorder, [constants], tried, job, simulation.comparisons)
    return "its blocks take too long to be compared" if found is None else found


def _blocks(simulated: Sequence[Simulated], recorded: Recording) -> list[tuple[int, ...]]:
    """For each launch the blocks to compare, which nobody can foresee, as far as there is time.

    Half of them were simulated. Where few were, blocks are long.
    """
    draw = Random(recorded.salt)
    made = []
    for one, launch in zip(simulated, recorded.launches, strict=True):
        whole = math.prod(launch.grid)
        steps = one.instructions / whole
        fit = int(_MOST_STEPS / len(simulated) / max(steps, 1))
        most = max(1, min(fit, _MOST_BLOCKS, len(one.blocks) + 1))
        drawn = draw.sample(one.blocks, min((most + 1) // 2, len(one.blocks)))
        others = draw.sample(range(whole), min(most, whole))
        made.append(tuple(dict.fromkeys([*drawn, *others]))[:most])
    return made


def _difference(found: Sequence[Compared]) -> str | None:
    if not any(one.words for one in found):
        return "the blocks that were tried store nothing"
    for one in found:
        if one.equal < _LEAST_EQUAL * one.words:
            return f"{OTHER_CODE} ({one.kernel}: {one.words - one.equal} of {one.words} words)"
    return None
