"""Whether a submission makes the same launches recorded as in its tests.

Its host code could tell the two apart, and launch less work where only a time is estimated. So the
calls that the tests observed are recorded, too. Their sizes are drawn anew for each seed. Launches
have to be of the same kernels, with the same sizes and arguments.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import InfraError, UserError
from tilelab.model.profile import Call, Launch
from tilelab.pipeline.estimating import arguments, recording
from tilelab.pipeline.estimating.launches import Recording
from tilelab.pipeline.estimating.recording import Recorder

_MOST_CALLS = 20
# An array as a test describes it: int[9], unsigned char[9].
_ARRAY = re.compile(r"([A-Za-z_][\w: ]*)\[(\d+)\]")

# A value of several numbers: Weights((1, 2)).
_VALUE = re.compile(r"([A-Za-z_]\w*)\((?:[^()]|\([^()]*\))*\)")

OTHERS = "the host code launches other kernels for this GPU than in the tests"
OTHER_ARGUMENTS = "the host code passes other arguments to its kernels than in the tests"


@dataclass(frozen=True)
class _Launch:
    """A launch of a kernel, which its symbol names: a text in the source could mean another one."""

    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    dynamic_shared_bytes: int


def problem(
    recorder: Recorder,
    observed: Iterable[Call],
    worker: Path,
    multiprocessors: float,
    work: Path,
) -> str | None:
    """What speaks against a recording for a GPU of this size, None if nothing does.

    `observed` are calls of `worker` as a judge reports them. They are recorded just as the
    estimated call was, because host code could tell any difference: not with the emulator's number
    of multiprocessors. Raises InfraError.
    """
    calls = list({one.call: one for one in observed}.values())[:_MOST_CALLS]
    if not calls:
        return "the tests observe no call to compare its launches with"
    try:
        in_cpp = tuple(_in_cpp(one.call) for one in calls)
        made = recording.with_other_calls(recorder, in_cpp, work)
    except InfraError:
        return "the calls of the tests cannot be made again to compare the launches"
    symbols = recording.functions_of(worker)
    for number, call in enumerate(calls):
        try:
            recorded = recording.record_steadily(made, number, multiprocessors)
        except UserError as error:
            return f"{error} ({call.call})"
        here, there = _recorded(recorded, made.symbols), _observed(call, symbols)
        if {one: len(them) for one, them in here.items()} != _counts(call, symbols):
            return f"{OTHERS} ({call.call})"
        # What a value of several numbers holds is not known.
        most = 8 if _VALUE.search(call.call.partition("(")[2]) else None
        if not all(arguments.are_alike(here[one], them, most) for one, them in there.items()):
            return f"{OTHER_ARGUMENTS} ({call.call})"
    return None


def _in_cpp(call: str) -> str:
    """A call that a test made, with arrays that only have a size, and without what values hold."""
    function, _, passed = call.removesuffix(")").partition("(")
    passed = _ARRAY.sub(r"zeros(\2 * sizeof(\1))", _VALUE.sub(r"\1{}", passed))
    return f"{function}({passed})"


def _shape(one: Launch, symbols: Mapping[int, str]) -> _Launch:
    # A kernel whose address is not known is like no other.
    kernel = symbols.get(one.function, "")
    return _Launch(kernel, one.grid, one.block, one.dynamic_shared_bytes)


def _counts(call: Call, symbols: Mapping[int, str]) -> Mapping[_Launch, int]:
    found: Counter[_Launch] = Counter()
    for one in call.launches:
        found[_shape(one, symbols)] += one.launches
    return found


def _observed(call: Call, symbols: Mapping[int, str]) -> Mapping[_Launch, list[str]]:
    """The arguments of the launches, of many only the first ones."""
    found: dict[_Launch, list[str]] = {}
    for one, texts in zip(call.launches, call.arguments or (), strict=True):
        found.setdefault(_shape(one, symbols), []).extend(texts)
    return found


def _recorded(made: Recording, symbols: Mapping[int, str]) -> Mapping[_Launch, list[str]]:
    found: dict[_Launch, list[str]] = {}
    for one in made.launches:
        kernel = symbols.get(one.function, one.kernel)
        shape = _Launch(kernel, one.grid, one.block, one.dynamic_shared_bytes)
        found.setdefault(shape, []).append(" ".join(one.arguments))
    return found
