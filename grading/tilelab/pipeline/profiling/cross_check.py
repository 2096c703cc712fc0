"""Whether a submission makes the same launches recorded as on the emulator.

Its host code could tell the two apart, and launch less work where only a time is estimated. So the
calls that the tests observed are recorded, too. Their sizes are drawn anew for each seed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilelab.base.errors import InfraError, UserError
from tilelab.pipeline.object.demangle import demangle
from tilelab.pipeline.profiling import recording, resources
from tilelab.pipeline.profiling.recording import Compiled
from tilelab.score.lab import Lab

Json = dict[str, Any]

_MOST_CALLS = 20
# An array as a test describes it: int[9], unsigned char[9].
_ARRAY = re.compile(r"([A-Za-z_][\w: ]*)\[(\d+)\]")

# A value of several numbers: Weights((1, 2)).
_VALUE = re.compile(r"([A-Za-z_]\w*)\((?:[^()]|\([^()]*\))*\)")

OTHERS = "the host code launches other kernels when nvcc compiles it"


@dataclass(frozen=True)
class _Launch:
    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    dynamic_shared_bytes: int


def problem(
    compiled: Compiled,
    lab: Lab,
    observed: Iterable[Json],
    multiprocessors: float,
    confine: Path,
    work: Path,
) -> str | None:
    """What speaks against a recording for a GPU with so many multiprocessors, None if nothing does.

    `observed` are calls as a judge reports them. They are recorded just as the estimated call was,
    because host code could tell any difference: not with the emulator's number of multiprocessors.
    """
    calls = list({one["call"]: one for one in observed}.values())[:_MOST_CALLS]
    if not calls:
        return "the tests observe no call to compare its launches with"
    try:
        in_cpp = tuple(_in_cpp(one["call"]) for one in calls)
        made = recording.with_other_calls(compiled, lab, in_cpp, work)
    except InfraError:
        return "the calls of the tests cannot be made again to compare the launches"
    for number, call in enumerate(calls):
        try:
            recorded = recording.record_steadily(made, number, multiprocessors, confine)
        except UserError as error:
            return f"{error} ({call['call']})"
        if _recorded(recorded, work) != _observed(call["launches"]):
            return f"{OTHERS} ({call['call']})"
    return None


def _in_cpp(call: str) -> str:
    """A call that a test made, with arrays that only have a size, and without what values hold."""
    function, _, arguments = call.removesuffix(")").partition("(")
    arguments = _ARRAY.sub(r"zeros(\2 * sizeof(\1))", _VALUE.sub(r"\1{}", arguments))
    return f"{function}({arguments})"


def _observed(launches: Iterable[Json]) -> Counter[_Launch]:
    found: Counter[_Launch] = Counter()
    for one in launches:
        kernel = resources.plain_name(one["kernel"])
        shape = tuple(one["grid"]), tuple(one["block"]), int(one["dynamic_shared_bytes"])
        found[_Launch(kernel, *shape)] += int(one["launches"])
    return found


def _recorded(recording: str, work: Path) -> Counter[_Launch]:
    lines = [line.split() for line in recording.splitlines() if line.startswith("launch ")]
    names = demangle((words[1] for words in lines), work)
    return Counter(_launch(name, words) for name, words in zip(names, lines, strict=True))


def _launch(name: str, words: list[str]) -> _Launch:
    numbers = tuple(map(int, words[2:9]))
    kernel = resources.plain_name(resources.without_parameters(name))
    return _Launch(kernel, numbers[:3], numbers[3:6], numbers[6])
