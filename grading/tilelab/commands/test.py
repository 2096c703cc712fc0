"""`tilelab test`: all tests of the repository."""

from __future__ import annotations

import typer

from tilelab.commands.console import console
from tilelab.maintain import suite


def test() -> None:
    """Builds and tests everything that this machine can run."""
    raise typer.Exit(suite.run(console))
