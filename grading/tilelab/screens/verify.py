"""Prints what `tilelab verify` found."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from tilelab.base.text import one_line
from tilelab.verify.lab_files import Findings, Kind

_KINDS: tuple[Kind, ...] = ("skeleton", "baseline", "reference", "ladder", "mistakes")


def show_findings(console: Console, findings: Sequence[Findings]) -> None:
    """Prints a row per lab, how many mistakes get their diagnosis, and a line per problem."""
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("Lab")
    for kind in _KINDS:
        table.add_column(kind.capitalize(), justify="right")
    table.add_column("Texts", justify="right")
    for one in findings:
        cells = [_cell(one, kind) for kind in _KINDS]
        table.add_row(one.lab.name, *cells, f"[red]{len(one.texts)}[/]" if one.texts else "agree")
    console.print(table)
    good = sum(one.good.get("mistakes", 0) for one in findings)
    total = sum(one.total.get("mistakes", 0) for one in findings)
    console.print(f"{good} of {total} mistakes get the right diagnosis.")
    for one in findings:
        for problem in one.problems:
            console.print(one_line(problem), markup=False)


def _cell(findings: Findings, kind: Kind) -> str:
    """Formats how many files are right as '13/13', or '-' if there are none."""
    total = findings.total.get(kind, 0)
    good = findings.good.get(kind, 0)
    text = f"{good}/{total}" if total else "-"
    return text if good == total else f"[red]{text}[/]"
