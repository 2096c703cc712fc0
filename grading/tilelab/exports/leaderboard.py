"""Writes leaderboard.csv, the ranking of a challenge."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from tilelab.base.files import write_atomically
from tilelab.exports.cells import guarded
from tilelab.pipeline.challenge import Board


def write(path: Path, board: Board) -> None:
    """Writes a row per entry, with its rank in its problem."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(["lab", "problem", "rank", "student", "ms", "share of peak", "over reference"])
    for rank, entry in board.ranks:
        figures = (f"{entry.ms:.4f}", f"{entry.share_of_peak:.4f}", f"{entry.over_reference:.3f}")
        student = guarded(entry.student)
        writer.writerow([entry.lab, entry.problem, rank, student, *figures])
    write_atomically(path, out.getvalue())


def leave_out(path: Path, student: str) -> None:
    """Takes a student out of the ranking. The ranks of the others stay."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if guarded(student) not in row]
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    write_atomically(path, out.getvalue())
