"""Prints the leaderboard of a challenge."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from tilelab.pipeline.challenge import Board


def show_board(console: Console, board: Board) -> None:
    table = Table(show_edge=False, pad_edge=False)
    for name in ("Lab", "Problem", "Rank", "Student", "ms", "Of the peak", "Over reference"):
        table.add_column(name, justify="left" if name in ("Lab", "Problem", "Student") else "right")
    for rank, entry in board.ranks:
        share = f"{100 * entry.share_of_peak:.1f}%"
        figures = (f"{entry.ms:.4f}", share, f"{entry.over_reference:.2f}")
        table.add_row(entry.lab, entry.problem, str(rank), entry.student, *figures)
    console.print(table)
    for note in board.notes:
        console.print(note, markup=False)
