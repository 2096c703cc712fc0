"""Estimates how long the launches of a program take on a GPU that is not here.

The program runs on the emulator, which writes down each launch and the memory that it found. The
estimator executes a few of its blocks from the machine code that nvcc makes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec import structs

from tilelab.base.errors import InfraError, UserError
from tilelab.estimate import prediction
from tilelab.estimate.figures import Figures
from tilelab.estimate.gpus import Gpu
from tilelab.model.profile import Taken
from tilelab.model.program_estimate import EstimatedLaunch, EstimatedProgram, OtherBlock, WhatIf
from tilelab.model.simulation import Constant
from tilelab.pipeline.estimating.launches import Kernel
from tilelab.pipeline.objects import elf
from tilelab.pipeline.profiling import resources
from tilelab.programs import jobs, machine_code, recorded
from tilelab.programs.asking import Answer, Asker, Question
from tilelab.programs.compiling import Sources
from tilelab.programs.jobs import Program
from tilelab.programs.machine_code import Code
from tilelab.programs.recorded import RecordedLaunch
from tilelab.programs.running import Recording
from tilelab.programs.tools import Tools
from tilelab.programs.waiting import Lines

MOST_BYTES = 2 << 30

# More than any block takes, of what limits how many of them there are at once.
_PLENTY = {
    "shared memory": Constant("shared_bytes", 1 << 30),
    "registers": Constant("registers", 1 << 30),
}
# What changes a time by less is not worth a line.
_WORTHWHILE = 0.95
_BLOCKS = (64, 128, 256, 512, 1024)


@dataclass(frozen=True)
class Limits:
    """How many seconds estimating takes at most, and how many bytes of memory are recorded."""

    seconds: float
    most_bytes: int = MOST_BYTES


@dataclass(frozen=True)
class Plan:
    """For which GPU a program is estimated, and how it is recorded for that when it runs."""

    figures: Figures
    limits: Limits
    recording: Recording


def plan(figures: Figures, limits: Limits, work: Path) -> Plan:
    """The recording gets a new folder in `work`."""
    folder = work / "recording"
    folder.mkdir()
    recording = Recording(folder, limits.most_bytes, figures.values["multiprocessors"])
    return Plan(figures, limits, recording)


@dataclass(frozen=True)
class _Found:
    """A launch that was recorded, and what it means in the machine code."""

    launch: RecordedLaunch
    code: Code
    kernel: Kernel
    taken: Taken
    question: Question


def estimate(sources: Sources, program: Path, plan: Plan, tools: Tools) -> EstimatedProgram:
    """What the launches of a program would take that ran as it was planned.

    Raises CompileError, UserError or InfraError.
    """
    deadline = time.monotonic() + plan.limits.seconds
    figures, ran = plan.figures, _what_ran(sources, program, plan)
    found = [_find(one, ran, figures) for one in ran.recording.launches]
    questions = {n: one.question for n, one in enumerate(found) if isinstance(one, _Found)}
    asker = Asker(ran, figures, tools.estimator, plan.recording.folder / "job.jsonl", deadline)
    begun = time.monotonic()
    said = asker.answers(questions)
    lines = {code.text: Lines(code) for code in ran.codes}
    estimated = [
        _without_time(ran.recording.launches[n], one)
        if isinstance(one, str)
        else _estimated(one, said[n], figures, lines[one.code.text])
        for n, one in enumerate(found)
    ]
    # What if? takes as long again.
    if deadline - time.monotonic() > time.monotonic() - begun:
        estimated = _with_what_ifs(estimated, asker, questions, figures)
    left_out = ran.recording.left_out
    return EstimatedProgram(figures.name, figures.is_compared, tuple(estimated), left_out)


def _what_ran(sources: Sources, program: Path, plan: Plan) -> Program:
    folder = plan.recording.folder
    read = recorded.read(folder)
    codes = machine_code.compile_files(
        sources, plan.figures.capability, folder, plan.limits.seconds
    )
    try:
        return Program(codes, elf.functions(program), elf.variables(program), read)
    except (OSError, ValueError) as error:
        raise InfraError(f"{program.name} cannot be read: {error}.") from error


def _find(one: RecordedLaunch, ran: Program, figures: Figures) -> _Found | str:
    """What a launch means, or why that is not known."""
    try:
        code, kernel = jobs.kernel_of(one, ran)
        question = Question(code, list(jobs.of_launch(one, code, kernel, ran)))
    except UserError as error:
        return str(error)
    gpu = Gpu(figures.name, figures.capability)
    found = code.resources[kernel.symbol]
    taken = resources.taken(one.launch.kernel, found, one.launch, gpu)
    return _Found(one, code, kernel, taken, question)


def _without_time(one: RecordedLaunch, missing: str) -> EstimatedLaunch:
    launch = one.launch
    return EstimatedLaunch(
        kernel=launch.kernel,
        grid=launch.grid,
        block=launch.block,
        dynamic_shared_bytes=launch.dynamic_shared_bytes,
        launches=one.launches,
        differ=one.differ,
        is_made_up=not one.is_known,
        is_managed=any(image.kind == "managed" for image in one.memory),
        missing=missing,
    )


def _estimated(found: _Found, said: Answer, figures: Figures, lines: Lines) -> EstimatedLaunch:
    predicted = said if isinstance(said, str) else prediction.predict([said], figures)
    if isinstance(said, str) or isinstance(predicted, str):
        return structs.replace(_without_time(found.launch, str(predicted)), taken=found.taken)
    return structs.replace(
        _without_time(found.launch, ""),
        taken=found.taken,
        missing=None,
        milliseconds=predicted.milliseconds,
        least=predicted.least,
        most=predicted.most,
        limiter=predicted.limiter,
        lines=tuple(lines.waited_for(found.kernel.symbol, said)),
        other_blocks=tuple(_other_blocks(found, figures)),
    )


def _other_blocks(found: _Found, figures: Figures) -> Iterator[OtherBlock]:
    """The block sizes with a higher occupancy, if a block keeps what shared memory it has."""
    gpu, launch = Gpu(figures.name, figures.capability), found.launch.launch
    kernel = found.code.resources[found.kernel.symbol]
    for threads in _BLOCKS:
        shape = structs.replace(launch, block=(threads, 1, 1))
        share = resources.taken(launch.kernel, kernel, shape, gpu).occupancy.share
        if share > found.taken.occupancy.share:
            yield OtherBlock(threads, share)


def _with_what_ifs(
    estimated: Sequence[EstimatedLaunch],
    asker: Asker,
    questions: Mapping[int, Question],
    figures: Figures,
) -> list[EstimatedLaunch]:
    """Adds what launches would take if there were plenty of the one thing that limits blocks."""
    made = list(estimated)
    for resource, plenty in _PLENTY.items():
        limited = [n for n, one in enumerate(made) if _limit(one) == resource]
        said = asker.answers(questions, [plenty]) if limited else {}
        for number in limited:
            one, answer = made[number], said[number]
            predicted = answer if isinstance(answer, str) else prediction.predict([answer], figures)
            if isinstance(answer, str) or isinstance(predicted, str) or one.milliseconds is None:
                continue
            if predicted.milliseconds < _WORTHWHILE * one.milliseconds:
                blocks = int(answer.resident_blocks)
                what_if = WhatIf(resource, blocks, predicted.milliseconds)
                made[number] = structs.replace(one, what_if=what_if)
    return made


def _limit(one: EstimatedLaunch) -> str | None:
    """What alone limits how many blocks are there at once, of a launch with an estimate."""
    if one.taken is None or one.milliseconds is None or one.taken.occupancy.share == 1:
        return None
    limits = one.taken.occupancy.limited_by
    return limits[0] if len(limits) == 1 else None
