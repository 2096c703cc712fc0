"""Whether the results of a call are right where its time is estimated, as far as blocks can run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from tilelab.base.errors import UserError
from tilelab.model.recording import Array
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


def problem(call: RecordedCall, tried: Recording, steps: float) -> str | None:
    """What is wrong with a call of this many steps of warps, some of whose blocks were tried.

    Raises InfraError if the judge fails.
    """
    outputs = _outputs(tried, call.text)
    # Sums of what blocks leave elsewhere are small, and right only after all of them.
    if steps <= _FEW_STEPS or sum(one.bytes for one in outputs) < _LEAST_OUTPUT:
        return _wrong_after_all(call, tried, None)
    wrong = _incompleteness(tried, outputs) or _wrong(call, tried)
    return wrong and _wrong_after_all(call, tried, wrong)


def _wrong(call: RecordedCall, tried: Recording) -> str | None:
    return results.wrong(call.recorder, call.text, tried, call.job("results"))


def _wrong_after_all(call: RecordedCall, tried: Recording, said: str | None) -> str | None:
    """What is wrong after all blocks, or what was said of those that were tried."""
    draw = Random(tried.salt)
    left = [place for one in _zeros(tried, call.text) for place in _places(one, tried, draw)]
    try:
        ran = call.tried(Trial(tried.salt, None, left, _SECONDS_OF_ALL))
    except UserError as error:
        return said or f"its results at this size cannot be checked: {error}"
    return _wrong(call, ran)


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
