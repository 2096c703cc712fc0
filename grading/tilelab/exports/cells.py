"""Cells of a CSV file that a spreadsheet may open."""

from __future__ import annotations


def guarded(cell: str) -> str:
    """The cell with a ' before it where a spreadsheet would take it for a formula."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
