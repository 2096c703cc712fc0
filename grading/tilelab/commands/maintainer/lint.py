"""`tilelab lint`: checks style, types and spelling of the whole repository."""

from __future__ import annotations

import typer

from tilelab.commands.console import console
from tilelab.maintain.linters import LINTERS


def lint() -> None:
    """For maintainers: checks style, types and spelling."""
    failed = []
    for linter in LINTERS:
        if said := linter.missing() or linter.complaints():
            failed.append(linter.name)
            console.print(f"{linter.name}: failed", style="red", markup=False)
            console.print(said, markup=False)
        else:
            console.print(f"{linter.name}: passed", markup=False)
    if failed:
        console.print(f"Failed: {', '.join(failed)}.", style="red", markup=False)
    raise typer.Exit(1 if failed else 0)
