"""Ranks correct submissions by how close they come to the GPU's peak.

This is not part of the grade. A lab's challenge is its judge's tests with the tag [challenge].
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import CompileError, InfraError, Rejected, SubmissionFailed
from tilelab.base.files import work_folder
from tilelab.base.text import shorten
from tilelab.model.lab import Lab
from tilelab.model.measurement import Measurement
from tilelab.model.result import Result
from tilelab.pipeline import intake, judge, texts
from tilelab.pipeline.judge import Workers
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.pipeline.workers import making, own
from tilelab.score import measurement


@dataclass(frozen=True)
class Entry:
    """The time of one submission in one problem of a challenge."""

    lab: str
    problem: str
    student: str
    ms: float
    share_of_peak: float
    over_reference: float


@dataclass(frozen=True)
class Board:
    """The entries, best first within each problem, and a line for each that could not be timed."""

    entries: list[Entry]
    notes: list[str]

    @property
    def ranks(self) -> Iterator[tuple[int, Entry]]:
        """Each entry with its rank among those of the same problem."""
        rank, before = 0, None
        for entry in self.entries:
            rank = rank + 1 if before == (entry.lab, entry.problem) else 1
            before = (entry.lab, entry.problem)
            yield rank, entry


def rank(
    results: Sequence[Result],
    files: Mapping[tuple[str, str], Path],
    labs: Sequence[Lab],
    toolchain: Toolchain,
    seed: int,
    timed: Callable[[Result], None],
) -> Board:
    """Times every submission that passed all tests except those of speed, one by one."""
    entries: list[Entry] = []
    notes: list[str] = []
    for lab in (one for one in labs if one.is_timed):
        for result in (one for one in results if one.lab == lab.name and _may_enter(one, lab)):
            path = files[result.student, lab.name]
            try:
                measured = measure(path, lab, toolchain, seed)
                entries += [_entry(result, title, one) for title, one in measured.items()]
            except (SubmissionFailed, Rejected, CompileError, InfraError, OSError) as error:
                notes.append(f"{result.student}/{lab.name}.cu: {shorten(str(error), 300)}")
            timed(result)
    return Board(_ranked(entries), notes)


def measure(path: Path, lab: Lab, toolchain: Toolchain, seed: int) -> dict[str, Measurement]:
    """Times a file in each problem of the lab's challenge.

    The reference solution takes part under the name "baseline". Raises Rejected, CompileError,
    InfraError, or SubmissionFailed if the file failed while it was timed.
    """
    inspected = texts.inspect(intake.read(path), lab)
    with work_folder() as work:
        programs = {
            "submission": making.make_one(inspected, toolchain, work).program,
            "baseline": own.own_worker(lab.reference, lab, toolchain),
            "peaks": toolchain.peaks,
        }
        judgment = judge.run(lab, toolchain, "challenge", Workers(programs), seed)
    if failed := [case for case in judgment.cases if not case.passed]:
        raise SubmissionFailed(*failed[0].texts)
    found = judgment.measurements
    return {problem: measurement.of(found, problem) for problem in found}


def _may_enter(result: Result, lab: Lab) -> bool:
    timed = {criterion.name for criterion in lab.criteria if criterion.curve}
    return result.verdict == "graded" and not any(
        one.falls_short for one in result.criteria if one.name not in timed
    )


def _entry(result: Result, title: str, measured: Measurement) -> Entry:
    own = measured.timings["submission"]
    share = own.share_of_peak.value if own.share_of_peak else 0.0
    return Entry(result.lab, title, result.student, own.ms, share, own.speedup.value)


def _ranked(entries: Iterable[Entry]) -> list[Entry]:
    """Sorts the entries of each problem, best first. Labs and problems keep their order."""
    groups: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        groups.setdefault((entry.lab, entry.problem), []).append(entry)
    return [
        entry
        for group in groups.values()
        for entry in sorted(group, key=lambda one: -one.share_of_peak)
    ]
