"""Makes cells of a CSV file safe for spreadsheets."""

from __future__ import annotations


def guarded(cell: str) -> str:
    """Puts a ' before a cell that a spreadsheet would take for a formula."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
