"""`tilelab doctor`: what this machine has, and what each absence costs."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from tilelab.backends import nvidia
from tilelab.base import system
from tilelab.commands.console import console
from tilelab.setup.doctor import findings


def doctor() -> None:
    """Says what this machine has, and what each absence costs."""
    table = Table(show_edge=False, pad_edge=False)
    for heading in ("", "Found", "Without it"):
        table.add_column(heading)
    for finding in findings():
        found = f"[green]{escape(finding.found)}[/]" if finding.found else "[yellow]no[/]"
        table.add_row(finding.what, found, "" if finding.found else finding.cost)
    backends = " and ".join(nvidia.default_backends())
    console.print(f"{system.os_name()}; backend: {backends}")
    console.print(table)
