"""`tilelab profile`: what a submission's kernels do with memory, per launch and per line.

The emulator counts; where a GPU and Nsight Compute are, the GPU's own counters stand beside.
"""

from __future__ import annotations

import dataclasses
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tilelab.backends import nsight_compute, nvidia
from tilelab.base.errors import UserError
from tilelab.pipeline import build, intake, judge
from tilelab.pipeline.judge import Workers
from tilelab.pipeline.toolchain import Toolchain
from tilelab.score.lab import Lab

Json = dict[str, Any]


def profile_file(
    path: Path, lab: Lab, emulator: Toolchain, cuda: Toolchain | None, seed: int
) -> Json:
    """Runs the lab's tests of memory with one file, and returns what its kernels did.

    {"lab", "file", "machine": {"compiler", "gpu", "ncu"}, "calls": [{"call", "input_bytes",
    "output_bytes", "launches": [{"kernel", "grid", "block", "shared_bytes", "blocks",
    "observed_blocks", "totals", "lines", "hardware": {metric: count} or null}]}]}.
    Raises Rejected, CompileError, UserError or InfraError.
    """
    source = intake.read(path)
    if emulator.checked is None:
        raise UserError(f"the backend {emulator.preset} does not watch memory")
    with tempfile.TemporaryDirectory(prefix="tilelab-") as name:
        work = Path(os.path.realpath(name))
        (work / "checked").mkdir()
        worker = build.make_worker(source.text, lab, emulator, work / "checked", emulator.checked)
        workers = Workers({"submission": worker}, build.source_in(work / "checked", lab))
        calls = _observe(lab, emulator, workers, seed, work)
        counted = None
        if cuda is not None and nsight_compute.ncu():
            (work / "fast").mkdir()
            on_gpu = build.make_worker(source.text, lab, cuda, work / "fast")
            counted = _count(lab, cuda, on_gpu, seed, work)
    _put_beside(calls, counted)
    gpu = nvidia.gpu()
    return {
        "lab": lab.name,
        "file": str(path),
        "machine": {
            "compiler": emulator.compiler,
            "gpu": gpu.name if gpu else None,
            "ncu": nsight_compute.version() if counted is not None else None,
        },
        "calls": calls,
    }


def _observe(lab: Lab, toolchain: Toolchain, workers: Workers, seed: int, work: Path) -> list[Json]:
    output = work / "profile.json"
    judgment = judge.run(lab, toolchain, "memory", workers, seed, profile=output)
    try:
        calls = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as error:
        # Without a call there is no line; then the tests say why.
        said = [message for case in judgment.cases for message in case.messages]
        raise UserError("; ".join(said) or f"nothing was observed: {error}") from error
    different: dict[str, Json] = {call["call"]: call for call in reversed(calls)}
    return list(reversed(different.values()))


def _count(
    lab: Lab, toolchain: Toolchain, worker: Path, seed: int, work: Path
) -> list[nsight_compute.Launch]:
    """What the GPU counts during the same tests."""
    # The profiler has to get into the worker: no walls, and limits that leave it its time.
    patient = dataclasses.replace(lab, seconds=nsight_compute.SECONDS, memory_mib=1 << 20)
    workers, output = Workers({"submission": worker}), work / "on_gpu.json"
    command = judge.command(patient, toolchain, workers, seed, profile=output)
    return nsight_compute.count([*command, "--unconfined", "1", "--", "[memory]"], work)


def _put_beside(calls: list[Json], counted: list[nsight_compute.Launch] | None) -> None:
    """Gives each launch its counterpart on the GPU: the next one of the same kernel."""
    remaining = list(counted or [])
    for launch in _launches(calls):
        match = next((one for one in remaining if one.is_of(launch)), None)
        launch["hardware"] = None
        if match is not None:
            remaining.remove(match)
            launch["hardware"] = match.counts


def _launches(calls: list[Json]) -> Iterator[Json]:
    for call in calls:
        yield from call["launches"]


def write(path: Path, result: Json) -> None:
    try:
        path.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
