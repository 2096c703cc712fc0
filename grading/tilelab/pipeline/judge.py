"""Runs a judge program and reads what it found."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilelab.base import locks, process
from tilelab.base.errors import InfraError
from tilelab.base.text import printable, shorten
from tilelab.pipeline import catch2_report
from tilelab.pipeline.toolchain import Toolchain
from tilelab.score.cases import Case
from tilelab.score.lab import Lab

# The judge limits every call of the submission itself. This is for a judge that hangs: more than
# all of a lab's calls together may take.
_WALL_SECONDS = 900


@dataclass(frozen=True)
class Workers:
    """The programs that a judge starts, by name, and the source of the submission.

    The source is for messages that quote it.
    """

    programs: Mapping[str, Path]
    source: Path | None = None


@dataclass(frozen=True)
class Judgment:
    """What one run of a judge found out."""

    cases: list[Case]
    metrics: dict[str, Any]
    student_output: str


def run(
    lab: Lab,
    toolchain: Toolchain,
    tag: str,
    workers: Workers,
    seed: int,
    profile: Path | None = None,
) -> Judgment:
    """Runs the tests with the tag `[tag]`, a second time if the judge itself fails.

    `profile` gets a line of JSON for each observed call. Raises InfraError if it fails again.
    """
    try:
        return _run_once(lab, toolchain, tag, workers, seed, profile)
    except InfraError:
        return _run_once(lab, toolchain, tag, workers, seed, profile)


def _run_once(
    lab: Lab, toolchain: Toolchain, tag: str, workers: Workers, seed: int, profile: Path | None
) -> Judgment:
    with tempfile.TemporaryDirectory(prefix="tilelab-judge-") as name:
        folder = Path(name)
        report, metrics, printed = folder / "report.xml", folder / "metrics", folder / "printed"
        argv = [
            *command(lab, toolchain, workers, seed, profile),
            *("--metrics", str(metrics), "--student-output", str(printed)),
            *("--", "-r", "xml", "-o", str(report), f"[{tag}]"),
        ]
        finished = _run_alone(toolchain, argv)
        measured = _read_metrics(metrics)
        if sentence := measured.get("infrastructure_error"):
            raise InfraError(f"the judge gave up: {shorten(printable(str(sentence)), 500)}")
        if finished.timed_out:
            raise InfraError(f"the judge did not end within {_WALL_SECONDS} s.")
        cases = catch2_report.read(report, finished)
        if not cases:
            raise InfraError(f"{argv[0]} has no test with the tag [{tag}].")
        if (finished.status == 0) != all(case.passed for case in cases):
            raise InfraError(f"the judge's exit status {finished.status} contradicts its report.")
        return Judgment(cases, measured, _head(printed))


def command(
    lab: Lab, toolchain: Toolchain, workers: Workers, seed: int, profile: Path | None = None
) -> list[str]:
    """The judge's command line, up to the `--` before Catch2's options."""
    argv = [str(toolchain.judge_program(lab.name)), "--confine", str(toolchain.confine)]
    for name, program in workers.programs.items():
        argv += ["--worker", f"{name}={program}"]
    if workers.source:
        argv += ["--source", str(workers.source)]
    if profile:
        argv += ["--profile", str(profile)]
    argv += ["--seed", str(seed), "--time-limit", str(lab.seconds)]
    return [*argv, "--memory-limit", str(lab.memory_mib)]


def _run_alone(toolchain: Toolchain, argv: list[str]) -> process.Finished:
    try:
        if not toolchain.backend.needs_gpu:
            return process.run(argv, seconds=_WALL_SECONDS)
        # Two submissions on one GPU would spoil each other's time, and one's crash the other's run.
        device = toolchain.backend.device()
        name = device.uuid if device else "gpu"
        with locks.exclusive(Path(tempfile.gettempdir(), f"tilelab-{name}.lock")):
            return process.run(argv, seconds=_WALL_SECONDS)
    except OSError as error:
        raise InfraError(f"{argv[0]} could not be started: {error.strerror}.") from error


def _read_metrics(path: Path) -> dict[str, Any]:
    """All lines merged; the judge writes one per measurement."""
    merged: dict[str, Any] = {}
    for line in _head(path).splitlines():
        try:
            merged |= json.loads(line)
        except (ValueError, TypeError) as error:
            raise InfraError(f"the judge's metrics cannot be read: {error}.") from error
    return merged


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(64 * 1024).decode("utf-8", "replace")
    except OSError:
        return ""
