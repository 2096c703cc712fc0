"""Whether the results of a call are right where its time is estimated, as far as blocks can run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from tilelab.base.errors import UserError
from tilelab.estimate.prediction import UNEQUAL_WORK
from tilelab.model.recording import Array
from tilelab.model.simulation import Simulated
from tilelab.pipeline.estimating import calls, results
from tilelab.pipeline.estimating.launches import Recording
from tilelab.pipeline.estimating.recorded_call import RecordedCall
from tilelab.pipeline.estimating.recording import Trial

# Of the results. Blocks at the edges store less.
_LEAST_STORED = 0.95
_LEAST_OUTPUT = 1 << 16  # bytes
# Of warps: if a call takes no more, all of its blocks run in a few seconds.
_FEW_STEPS = 60e6
_SECONDS_OF_ALL = 30  # of a processor
_PAGE = 4096
_MOST_PAGES = 256


def problem(call: RecordedCall, tried: Recording, simulated: Sequence[Simulated]) -> str | None:
    """What is wrong with a call whose launches were simulated, and some of their blocks tried.

    Raises InfraError if the judge fails.
    """
    outputs = _outputs(tried, call.text)
    # Sums of what blocks leave elsewhere are small, and right only after all of them.
    steps = sum(one.instructions for one in simulated)
    if steps <= _FEW_STEPS or sum(one.bytes for one in outputs) < _LEAST_OUTPUT:
        return _wrong_after_all(call, tried, simulated, None)
    wrong = _incompleteness(tried, outputs) or _wrong(call, tried)
    return wrong and _wrong_after_all(call, tried, simulated, wrong)


def _wrong(call: RecordedCall, tried: Recording) -> str | None:
    return results.wrong(call.recorder, call.text, tried, call.job("results"))


def _wrong_after_all(
    call: RecordedCall, tried: Recording, simulated: Sequence[Simulated], said: str | None
) -> str | None:
    """What is wrong after all blocks, or what was said of those that were tried."""
    draw = Random(tried.salt)
    left = [place for one in _zeros(tried, call.text) for place in _places(one, tried, draw)]
    everything = Trial(tried.salt, None, left, _SECONDS_OF_ALL)
    try:
        ran = call.tried(everything)
        if wrong := _wrong(call, ran):
            return wrong
        # A block that had to wait for the machine is another one in the second run.
        longer = _unknown_longer(ran, simulated)
        if longer and longer & _unknown_longer(call.tried(everything), simulated):
            return UNEQUAL_WORK
    except UserError as error:
        return said or f"its results at this size cannot be checked: {error}"
    return None


def _unknown_longer(ran: Recording, simulated: Sequence[Simulated]) -> set[tuple[int, int]]:
    """The launches and blocks that ran for far longer than others, of which no simulation knows.

    The estimator looks at the first and the last block of each launch.
    """
    found: set[tuple[int, int]] = set()
    for number, (launch, longer, known) in enumerate(
        zip(ran.launches, ran.longer, simulated, strict=False)
    ):
        looked_at = {0, math.prod(launch.grid) - 1, *known.blocks}
        found.update((number, block) for block in longer if block not in looked_at)
    return found


def _places(array: Array, tried: Recording, draw: Random) -> list[int]:
    """Pages of an array: any, and some of those in which the tried blocks store."""
    pages = range(0, array.bytes, _PAGE)
    stored = {
        (one.address - array.address) // _PAGE * _PAGE
        for trial in tried.trials
        for one in trial.stored
        if _is_in(one.address, [array])
    }
    drawn = {
        offset
        for some in (pages, sorted(stored))
        for offset in draw.sample(some, min(_MOST_PAGES, len(some)))
    }
    return [array.address + offset for offset in sorted(drawn)]


def _outputs(tried: Recording, call: str) -> list[Array]:
    """The arrays of the call that blocks store in. Where nothing is stored, zeros are an input."""
    places = [one.address for trial in tried.trials for one in trial.stored]
    zeros = _zeros(tried, call)
    return [one for one in zeros if any(_is_in(place, [one]) for place in places)]


def _zeros(tried: Recording, call: str) -> list[Array]:
    """The arrays of the call that can be outputs."""
    count = sum(map(calls.is_array, calls.parts_of(call)[1]))
    return [one for one in tried.arrays[:count] if one.contents == "zeros"]


def _incompleteness(tried: Recording, outputs: Sequence[Array]) -> str | None:
    """What is missing if all blocks store as much as those that ran."""
    whole = sum(one.bytes for one in outputs)
    stored = 0.0
    for launch, trial in zip(tried.launches, tried.trials, strict=True):
        here = sum(len(one.bytes) // 2 for one in trial.stored if _is_in(one.address, outputs))
        stored += here * math.prod(launch.grid) / len(trial.ran.blocks)
    if stored >= _LEAST_STORED * whole:
        return None
    return f"at this size, its launches store {stored / whole:.0%} of the results"


def _is_in(address: int, arrays: Sequence[Array]) -> bool:
    return any(one.address <= address < one.address + one.bytes for one in arrays)
