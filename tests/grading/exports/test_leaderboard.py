"""leaderboard.csv."""

from __future__ import annotations

from pathlib import Path

from tilelab.exports import leaderboard
from tilelab.pipeline.challenge import Board, Entry


def test_the_file_has_a_rank_per_problem(tmp_path: Path) -> None:
    entries = [
        Entry("diff", "n = 9", "ben", 0.5, 0.9, 1.2),
        Entry("diff", "n = 9", "=ada", 1.0, 0.45, 0.6),
        Entry("nbody", "n = 9", "ben", 2.0, 0.8, 1.0),
    ]
    path = tmp_path / "leaderboard.csv"
    leaderboard.write(path, Board(entries, []))
    assert path.read_text().splitlines() == [
        "lab,problem,rank,student,ms,share of peak,over reference",
        "diff,n = 9,1,ben,0.5000,0.9000,1.200",
        "diff,n = 9,2,'=ada,1.0000,0.4500,0.600",
        "nbody,n = 9,1,ben,2.0000,0.8000,1.000",
    ]
