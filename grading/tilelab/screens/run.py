"""Prints what was found in a program."""

from __future__ import annotations

from rich.console import Console

from tilelab.base.text import one_line
from tilelab.model.program import Report
from tilelab.screens.profile import show_launches

_MOST = 20


def show_findings(console: Console, report: Report | None) -> None:
    """Prints a line for each finding: mistakes first, then notes."""
    if report is None:
        console.print("tilelab: the program ended without a report of what was found")
        return
    findings = report.findings
    mistakes = [one for one in findings if not one.note]
    notes = [one for one in findings if one.note]
    for one in [*mistakes, *notes][:_MOST]:
        console.print(f"tilelab: {one_line(one.text)}", markup=False)
    if len(findings) > _MOST:
        console.print(f"tilelab: {len(findings) - _MOST} more findings")
    if not mistakes:
        console.print("tilelab: no mistakes found")


def show_counts(console: Console, report: Report | None) -> None:
    """Prints what the launches did with memory."""
    show_launches(console, report.launches if report else (), None)
