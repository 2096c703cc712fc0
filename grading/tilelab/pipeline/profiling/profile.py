"""Counts what a submission's kernels do with memory, per launch and per line.

The checked build counts. If the machine has a GPU and a profiler for it, the GPU counts as well.
nvcc says what each kernel takes, and with which machine code.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from tilelab import backends
from tilelab.backends.profiler import Launch as Counted
from tilelab.backends.profiler import Profiler
from tilelab.base.errors import UserError
from tilelab.base.files import work_folder
from tilelab.estimate.figures import Figures
from tilelab.estimate.gpus import Gpu
from tilelab.model.lab import Lab
from tilelab.model.profile import Call, Profile, Watching
from tilelab.pipeline import estimating, intake, judge, texts
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.judge import Workers, observing
from tilelab.pipeline.profiling import resources
from tilelab.pipeline.records.stages import Inspected
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.pipeline.workers import making


def profile_file(
    path: Path,
    lab: Lab,
    session: Session,
    gpu: Gpu,
    *,
    figures: Figures | None = None,
    machine_code: bool = False,
) -> Profile:
    """Runs the lab's tests of memory with one file, and returns what its kernels did.

    Resources and loops, which are asked for by `machine_code`, are for `gpu`. Times are estimated
    for the GPU that `figures` are of, if there are any.
    Raises Rejected, CompileError, UserError or InfraError.
    """
    source = intake.read(path)
    watching = next((one for one in session.toolchains if one.build.is_checked), None)
    if watching is None:
        raise UserError(f"the backend {session.presets} has no checked build")
    counting = next((one for one in session.toolchains if _profiler(one)), None)
    inspected = texts.inspect(source, lab)
    with work_folder() as work:
        (work / "checked").mkdir()
        worker = making.make_one(inspected, watching, work / "checked")
        started = Workers({"submission": worker.program}, worker.source)
        calls = observing.observe(lab, watching, started, session.seed)
        counted = _count(inspected, counting, session.seed, work) if counting else None
        (work / "code").mkdir()
        calls, code = resources.look(inspected, calls, gpu, work / "code", loops=machine_code)
        (work / "estimate").mkdir()
        estimate = (
            estimating.compare(inspected, figures, watching, work / "estimate")
            if figures and lab.estimate
            else None
        )
    device, profiler = backends.device(), _profiler(counting) if counting else None
    return Profile(
        lab.name,
        str(path),
        Watching(
            watching.compiler,
            device.name if device else None,
            profiler.version() if profiler else None,
        ),
        tuple(_beside(calls, counted or [])),
        code,
        estimate,
    )


def profiler_of(session: Session) -> Profiler | None:
    """The profiler that counts the same on a GPU, if this machine has one."""
    return next((found for one in session.toolchains if (found := _profiler(one))), None)


def _profiler(toolchain: Toolchain) -> Profiler | None:
    profiler = toolchain.backend.profiler
    return profiler if profiler and profiler.version() else None


def _count(inspected: Inspected, toolchain: Toolchain, seed: int, work: Path) -> list[Counted]:
    """What the GPU counts during the same tests."""
    profiler = toolchain.backend.profiler
    assert profiler is not None
    (work / "fast").mkdir()
    worker = making.make_one(inspected, toolchain, work / "fast")
    workers = Workers({"submission": worker.program})
    # The profiler has to reach into the worker, so it gets no sandbox and generous limits.
    patient = replace(inspected.lab, seconds=profiler.seconds, memory_mib=1 << 20)
    command = judge.command(patient, toolchain, workers, seed, profile=True)
    return profiler.count([*command, "--unconfined", "1", "--", "[memory]"], work)


def _beside(calls: Iterable[Call], counted: Iterable[Counted]) -> Iterator[Call]:
    """Adds to each launch the hardware's counts of the next launch of the same kernel."""
    remaining = list(counted)
    for call in calls:
        launches = []
        for launch in call.launches:
            match = next((one for one in remaining if one.is_of(launch)), None)
            if match is not None:
                remaining.remove(match)
            launches.append(replace(launch, hardware=match.counts if match else None))
        yield replace(call, launches=tuple(launches), arguments=UNSET)


def write(path: Path, result: Profile) -> None:
    try:
        path.write_text(json.dumps(msgspec.to_builtins(result), indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
