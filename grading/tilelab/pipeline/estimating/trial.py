"""Whether the machine code whose time is estimated is the program that was judged.

The emulator runs the blocks that were simulated, at the exact size, on the data that the estimator
makes up. The estimator executes them from the machine code. Both have to store the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from tilelab.base import process
from tilelab.base.errors import InfraError
from tilelab.base.text import shorten
from tilelab.estimate import simulation
from tilelab.model import stream
from tilelab.model.recording import Launch
from tilelab.model.simulation import Compared, Constants, Simulated
from tilelab.pipeline.estimating import launches, recording
from tilelab.pipeline.estimating.recording import Recorder

_SECONDS = 60
# Of warps, in all blocks of a call that are compared.
_MOST_STEPS = 80e6
_MOST_BLOCKS = 16
# What cancels out differs by more than rounding.
_LEAST_EQUAL = 0.95

OTHER_CODE = "where blocks could be compared, its machine code stores other values than in the tests"
OTHER_LAUNCHES = "the host code launches something else once kernels run"


def problem(
    recorder: Recorder,
    call: int,
    simulated: Sequence[Simulated],
    multiprocessors: float,
    work: Path,
) -> str | None:
    """What speaks against the estimate of a call, None if nothing does.

    Raises UserError if the host code fails, or InfraError if the estimator does.
    """
    recorded = recording.record(recorder, call, multiprocessors)
    blocks = _blocks(simulated, recorded.launches)
    tried = recording.record(recorder, call, multiprocessors, blocks)
    if (recorded.arrays, recorded.launches) != (tried.arrays, tried.launches):
        return OTHER_LAUNCHES
    events = launches.for_estimator(tried, recorder.symbols, recorder.machine.kernels)
    job = work / f"trial{call}.jsonl"
    constants = Constants(recorder.machine.constants.hex())
    job.write_text(stream.text_of((constants, *events)), encoding="utf-8")
    argv = [recorder.toolchain.estimator, recorder.machine.text, job]
    finished = process.run(argv, seconds=_SECONDS, keep=1 << 20)
    if finished.timed_out:
        return "its blocks take too long to be compared"
    try:
        found = simulation.comparisons(finished.output)
    except ValueError as error:
        raise InfraError(f"the estimator failed: {shorten(str(error), 200)}") from error
    return found if isinstance(found, str) else _difference(found)


def _blocks(
    simulated: Sequence[Simulated], of_launches: Sequence[Launch]
) -> list[Sequence[int]]:
    """For each launch the blocks to compare: those that were simulated, as far as there is time."""
    made = []
    for one, launch in zip(simulated, of_launches, strict=True):
        steps = one.instructions / math.prod(launch.grid)
        most = int(_MOST_STEPS / len(simulated) / max(steps, 1))
        made.append(one.blocks[: max(1, min(most, _MOST_BLOCKS))])
    return made


def _difference(found: Sequence[Compared]) -> str | None:
    if not any(one.words for one in found):
        return "the blocks that were simulated store nothing"
    for one in found:
        if one.equal < _LEAST_EQUAL * one.words:
            return f"{OTHER_CODE} ({one.kernel}: {one.words - one.equal} of {one.words} words)"
    return None
