"""`tilelab fuzz`: tries inputs that strangers might send."""

from __future__ import annotations

from typing import Annotated

import typer

from tilelab.commands.console import console
from tilelab.maintain import fuzzing


def fuzz(
    seconds: Annotated[float, typer.Option(min=1, help="How long, all targets together.")] = 120,
) -> None:
    """For maintainers: fuzzes what reads files, bytes and text of strangers."""
    raise typer.Exit(fuzzing.run(seconds, console))
