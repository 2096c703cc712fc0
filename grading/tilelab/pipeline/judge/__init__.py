"""The sixth stage: runs a judge program and reads what it found."""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.base import locks, process
from tilelab.base.errors import InfraError
from tilelab.base.files import from_here, work_folder
from tilelab.model.lab import Lab
from tilelab.pipeline.judge import events
from tilelab.pipeline.judge.events import Judgment, Tell
from tilelab.pipeline.records.toolchain import Toolchain

# The judge limits each call of the submission itself. This limit is for a judge that hangs. It is
# more than all calls of a lab may take together, also on a busy machine.
_WALL_SECONDS = 3600
_EMULATED_SLOWNESS = 20  # qemu-user for arm64 on x86-64 took 5 to 40 times as long


@dataclass(frozen=True)
class Workers:
    """The programs that a judge starts, by name, and the source file that its messages quote.

    `constants` are the numbers in that file at which the submission may change what it does,
    `block_constants` those of them that it compares with numbers of blocks, and it may count
    narrowly if its text turns integers into floats or back, or has some of 16 bits. Of a submission
    that has several versions, `version` runs.
    """

    programs: Mapping[str, Path]
    source: Path | None = None
    constants: Sequence[int] = ()
    block_constants: Sequence[int] = ()
    may_count_narrowly: bool = False
    version: int = 0


def run(
    lab: Lab,
    toolchain: Toolchain,
    tag: str,
    workers: Workers,
    seed: int,
    profile: bool = False,
    tell: Tell = events.nobody,
    picture_size: int | None = None,
    sizes_per_draw: int | None = None,
    estimated: Path | None = None,
) -> Judgment:
    """Runs the tests with the tag `[tag]`, and runs them again if the judge itself fails.

    `profile` asks for a report of each checked call, `picture_size` for pictures of another size
    than usual, and `sizes_per_draw` for the figures of the reference solution, which must be the
    submission, at so many of the sizes that a test can draw. `estimated` has what kernels stored
    where their time is estimated. `tell` hears of each test that ends.
    Raises InfraError if the judge fails twice.
    """
    more = []
    if picture_size is not None:
        more += ["--picture-size", str(picture_size)]
    if sizes_per_draw is not None:
        more += ["--sizes-per-draw", str(sizes_per_draw)]
    if estimated is not None:
        more += ["--estimated", str(estimated)]
    chosen = [f"[{tag}]"]
    try:
        return _run_once(lab, toolchain, tag, workers, seed, profile, tell, more, chosen)
    except InfraError:
        return _run_once(lab, toolchain, tag, workers, seed, profile, tell, more, chosen)


def first_failure(
    lab: Lab,
    toolchain: Toolchain,
    tag: str,
    workers: Workers,
    seed: int,
    seconds: float,
    test: str | None = None,
) -> Judgment:
    """Runs the test of this name, or those with the tag, up to the first that fails.

    Raises InfraError if the judge fails, or takes longer than `seconds`.
    """
    chosen = ["--abort", f"[{tag}]" if test is None else _only(test)]
    return _run_once(lab, toolchain, tag, workers, seed, False, events.nobody, [], chosen, seconds)


def better_versions(
    lab: Lab,
    toolchain: Toolchain,
    test: str,
    workers: Workers,
    seed: int,
    count: int,
    seconds: float,
) -> dict[int, float]:
    """Those of `count` versions of a submission that are better at a call where it fails by itself.

    The number of each has the share of elements that are still wrong, or 0 if it passes. That is
    one call of the test of this name, so what passes it need not pass the test. Ends after
    `seconds` with those that have been tried by then.
    """
    with work_folder() as work:
        stream = work / "events.jsonl"
        argv = [*command(lab, toolchain, workers, seed), "--versions", str(count)]
        argv += ["--events", str(stream), "--", "-o", os.devnull, _only(test)]
        process.run(argv, seconds=seconds)
        return events.versions(stream)


def _only(test: str) -> str:
    """What makes Catch2 run the test of this name only."""
    return re.sub(r"([][,\\\\])", r"\\\1", test)


def _run_once(
    lab: Lab,
    toolchain: Toolchain,
    tag: str,
    workers: Workers,
    seed: int,
    profile: bool,
    tell: Tell,
    more: list[str],
    chosen: list[str],
    seconds: float = _WALL_SECONDS,
) -> Judgment:
    with work_folder() as work:
        stream = work / "events.jsonl"
        argv = [*command(lab, toolchain, workers, seed, profile), *more]
        # Catch2's own report is only for people who run a judge by hand.
        (work / "command").write_text(shlex.join([*argv, "--", *chosen]) + "\n")
        argv += ["--events", str(stream), "--", "-o", os.devnull, *chosen]
        with events.told(tag, stream, tell):
            finished = _run_alone(toolchain, argv, seconds)
        if finished.timed_out:
            raise InfraError(f"the judge did not end within {seconds:.0f} s.")
        judgment = events.read(stream, finished)
        if not judgment.cases:
            raise InfraError(f"{argv[0]} has no test with the tag [{tag}].")
        if (finished.status == 0) != all(case.passed for case in judgment.cases):
            raise InfraError(f"the judge's exit status {finished.status} contradicts its report.")
        return judgment


def command(
    lab: Lab, toolchain: Toolchain, workers: Workers, seed: int, profile: bool = False
) -> list[str]:
    """The judge's command line, up to the `--` before Catch2's options."""
    argv = [str(toolchain.judge_program(lab.name)), "--confine", str(toolchain.confine)]
    for name, program in workers.programs.items():
        argv += ["--worker", f"{name}={program}"]
    if not lab.reference.is_file() and lab.figures.is_file():
        argv += ["--figures", str(lab.figures)]
    if toolchain.observed:
        argv += ["--observed", str(_observed(lab, toolchain.observed))]
    if workers.source:
        argv += ["--source", str(workers.source)]
    if workers.constants:
        argv += ["--constants", ",".join(map(str, workers.constants))]
    if workers.block_constants:
        argv += ["--block-constants", ",".join(map(str, workers.block_constants))]
    if workers.may_count_narrowly:
        argv += ["--may-count-narrowly", "1"]
    if workers.version:
        argv += ["--version", str(workers.version)]
    if profile:
        argv += ["--profile", "1"]
    if not toolchain.filters_calls:
        argv += ["--unfiltered", "1"]
    if lab.reads_back:
        argv += ["--may-read-back", "1"]
    argv += ["--alignment", str(lab.alignment)]
    argv += ["--may-turn-inputs", str(int(lab.turns_inputs))]
    if lab.skipped_barriers_fail:
        argv += ["--fail-skipped-barriers", "1"]
    argv += ["--seed", str(seed), "--time-limit", str(lab.seconds * _slowness(toolchain))]
    return [*argv, "--memory-limit", str(lab.memory_mib)]


def _observed(lab: Lab, folder: Path) -> Path:
    """A folder for each lab, because two labs may have functions of the same name."""
    path = folder / lab.name
    path.mkdir(exist_ok=True)
    return path


def _slowness(toolchain: Toolchain) -> int:
    """How much longer a call may take here. Where system calls cannot be filtered, the processor
    is most likely emulated: a correct submission must not fail because of that."""
    return 1 if toolchain.filters_calls else _EMULATED_SLOWNESS


def _run_alone(
    toolchain: Toolchain, argv: list[str], seconds: float = _WALL_SECONDS
) -> process.Finished:
    backend = toolchain.backend
    locked = {
        Path(tempfile.gettempdir(), f"tilelab-{one.uuid}.lock"): one for one in backend.devices()
    }
    try:
        if not locked:
            return process.run(argv, seconds=seconds)
        # Two submissions on one GPU would disturb each other's times, and one's crash can end both.
        with locks.first_free(list(locked)) as path:
            return process.run(argv, seconds=seconds, env=backend.only(locked[path]))
    except OSError as error:
        program = from_here(Path(argv[0]))
        raise InfraError(f"{program} could not be started: {error.strerror}.") from error
