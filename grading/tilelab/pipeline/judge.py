"""Runs a judge program and reads what it found."""

from __future__ import annotations

import json
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilelab.backends import machine
from tilelab.base import locks, process
from tilelab.base.errors import InfraError
from tilelab.base.text import printable, shorten
from tilelab.pipeline.build import Workers
from tilelab.pipeline.toolchain import Toolchain
from tilelab.score.lab import Lab

# The judge limits every call of the submission itself. This is for a judge that hangs: more than
# all of a lab's calls together may take.
_WALL_SECONDS = 900

_MAX_BYTES = 16 * 1024 * 1024
_TEXTS = ("Info", "Warning", "Failure", "Expression")


@dataclass(frozen=True)
class Case:
    """One Catch2 test case: its failures' texts, or what it warns of although it passed."""

    name: str
    passed: bool
    messages: list[str]


@dataclass(frozen=True)
class Verdict:
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
) -> Verdict:
    """Runs the tests with the tag `[tag]`, a second time if the judge itself fails.

    `profile` gets a line of JSON for each observed call. Raises InfraError if it fails again.
    """
    try:
        return _run_once(lab, toolchain, tag, workers, seed, profile)
    except InfraError:
        return _run_once(lab, toolchain, tag, workers, seed, profile)


def merge(per_backend: Sequence[Sequence[Case]]) -> list[Case]:
    """One test case for the same one on several backends: it passes if it passes on each.

    It says what the first backend says on which it failed.
    """
    return [_merge_case(cases) for cases in zip(*per_backend, strict=True)]


def _merge_case(cases: tuple[Case, ...]) -> Case:
    return next((case for case in cases if not case.passed), cases[0])


def _run_once(
    lab: Lab, toolchain: Toolchain, tag: str, workers: Workers, seed: int, profile: Path | None
) -> Verdict:
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
        cases = _read_report(report, finished)
        if not cases:
            raise InfraError(f"{argv[0]} has no test with the tag [{tag}].")
        if (finished.status == 0) != all(case.passed for case in cases):
            raise InfraError(f"the judge's exit status {finished.status} contradicts its report.")
        return Verdict(cases, measured, _head(printed))


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
        if not toolchain.needs_gpu:
            return process.run(argv, seconds=_WALL_SECONDS)
        # Two submissions on one GPU would spoil each other's time, and one's crash the other's run.
        gpu = machine.gpu()
        name = gpu.uuid if gpu else "gpu"
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


def _read_report(path: Path, finished: process.Finished) -> list[Case]:
    """The test cases of a complete report, else InfraError: half a report is no evidence."""
    said = shorten(printable(finished.output.strip()), 300) or "nothing"
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise InfraError("the judge's report is too large to be read.")
        root = ET.parse(path).getroot()
    except (OSError, ET.ParseError) as error:
        raise InfraError(
            f"the judge left no complete report (exit status {finished.status}); it said: {said}"
        ) from error
    # Catch2 3 puts the totals into the root; Catch2 2 does so too, and into the group as well.
    if root.find("OverallResultsCases") is None and root.find("OverallResults") is None:
        raise InfraError(f"the judge's report has no totals; it said: {said}")
    return [_read_case(element) for element in root.iter("TestCase")]


def _read_case(element: ET.Element) -> Case:
    name = element.get("name", "")
    result = element.find("OverallResult")
    if result is None:
        raise InfraError(f"the judge's report has no result for '{name}'.")
    if (broken := next(element.iter("Exception"), None)) is not None or (
        broken := next(element.iter("FatalErrorCondition"), None)
    ) is not None:
        # A submission's faults end its worker, never the judge.
        raise InfraError(f"the judge failed in '{name}': {shorten(_text(broken), 300)}")
    if result.get("skips", "0") != "0":
        raise InfraError(f"the judge skipped '{name}'.")
    passed = result.get("success") == "true"
    messages = [_text(warning) for warning in element.iter("Warning")]
    return Case(printable(name), passed, messages if passed else _failures(element))


def _failures(case: ET.Element) -> list[str]:
    """A text per failed assertion: what it says, and the values that Info noted before it."""
    failures: list[str] = []
    notes: list[str] = []
    for element in case.iter():
        if element.tag not in _TEXTS or element.get("success") == "true":
            continue
        if element.tag in ("Info", "Warning"):
            notes.append(_text(element))
            continue
        said = _text(element) if element.tag == "Failure" else _expression(element)
        where = f" ({', '.join(dict.fromkeys(notes))})" if notes else ""
        # The pattern that the judge names stays last: scoring looks for it there.
        failures.append(_insert_before_pattern(said, where))
        notes = []
    return failures


def _insert_before_pattern(said: str, where: str) -> str:
    head, bracket, pattern = said.rpartition(" [pattern: ")
    return f"{head}{where}{bracket}{pattern}" if bracket else said + where


def _expression(element: ET.Element) -> str:
    expanded = element.find("Expanded")
    return f"expected: {_text(expanded)}" if expanded is not None else "a check failed"


def _text(element: ET.Element) -> str:
    return printable(" ".join((element.text or "").split()))


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(64 * 1024).decode("utf-8", "replace")
    except OSError:
        return ""
