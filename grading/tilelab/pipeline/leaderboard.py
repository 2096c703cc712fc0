"""Ranks the submissions that are right by how close they come to the GPU's limit.

This is outside the grade. A lab's challenge is what its judge tests with the tag [challenge].
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tilelab.base.errors import CompileError, InfraError, Rejected, SubmissionFailed
from tilelab.base.text import shorten
from tilelab.pipeline import submission
from tilelab.pipeline.toolchain import Toolchain
from tilelab.score import records
from tilelab.score.lab import Lab
from tilelab.score.measurement import Measurement
from tilelab.score.records import Result


@dataclass(frozen=True)
class Entry:
    """One submission in one problem of a challenge."""

    lab: str
    problem: str
    student: str
    ms: float
    share_of_limit: float
    over_reference: float


@dataclass(frozen=True)
class Board:
    """The entries, best first within each problem, and a line for each who fell out."""

    entries: list[Entry]
    notes: list[str]


def race(
    results: Sequence[Result],
    folders: Mapping[str, Path],
    labs: Sequence[Lab],
    toolchain: Toolchain,
    seed: int,
    timed: Callable[[Result], None],
) -> Board:
    """Times every submission that passed all tests but those for speed, one after the other."""
    entries: list[Entry] = []
    notes: list[str] = []
    for lab in labs:
        for result in (one for one in results if one.lab == lab.name and _may_race(one, lab)):
            path = folders[result.student] / f"{lab.name}.cu"
            try:
                measured = submission.race(path, lab, toolchain, seed)
                entries += [_entry(result, title, one) for title, one in measured.items()]
            except (SubmissionFailed, Rejected, CompileError, InfraError, OSError) as error:
                notes.append(f"{result.student}/{lab.name}.cu: {shorten(str(error), 300)}")
            timed(result)
    return Board(_ranked(entries), notes)


def write(path: Path, board: Board) -> None:
    """leaderboard.csv: a row per entry, with its rank among those of the same problem."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(["lab", "problem", "rank", "student", "ms", "share of limit", "over reference"])
    for rank, entry in _with_ranks(board.entries):
        figures = (f"{entry.ms:.4f}", f"{entry.share_of_limit:.4f}", f"{entry.over_reference:.3f}")
        student = records.guarded(entry.student)
        writer.writerow([entry.lab, entry.problem, rank, student, *figures])
    records.write_atomically(path, out.getvalue())


def show(console: Console, board: Board) -> None:
    table = Table(show_edge=False, pad_edge=False)
    for name in ("Lab", "Problem", "Rank", "Student", "ms", "Of the limit", "Over reference"):
        table.add_column(name, justify="left" if name in ("Lab", "Problem", "Student") else "right")
    for rank, entry in _with_ranks(board.entries):
        share = f"{100 * entry.share_of_limit:.1f}%"
        figures = (f"{entry.ms:.4f}", share, f"{entry.over_reference:.2f}")
        table.add_row(entry.lab, entry.problem, str(rank), entry.student, *figures)
    console.print(table)
    for note in board.notes:
        console.print(note, markup=False)


def _may_race(result: Result, lab: Lab) -> bool:
    timed = {criterion.name for criterion in lab.criteria if criterion.curve}
    return result.verdict == "graded" and not any(
        one.falls_short for one in result.criteria if one.name not in timed
    )


def _entry(result: Result, title: str, measured: Measurement) -> Entry:
    own = measured.timings["submission"]
    share = own.share_of_floor.value if own.share_of_floor else 0.0
    return Entry(result.lab, title, result.student, own.ms, share, own.speedup.value)


def _ranked(entries: Iterable[Entry]) -> list[Entry]:
    """Best first within each problem; labs and problems stay in the order in which they came."""
    groups: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        groups.setdefault((entry.lab, entry.problem), []).append(entry)
    return [
        entry
        for group in groups.values()
        for entry in sorted(group, key=lambda one: -one.share_of_limit)
    ]


def _with_ranks(entries: Sequence[Entry]) -> Iterable[tuple[int, Entry]]:
    rank, before = 0, None
    for entry in entries:
        rank = rank + 1 if before == (entry.lab, entry.problem) else 1
        before = (entry.lab, entry.problem)
        yield rank, entry
