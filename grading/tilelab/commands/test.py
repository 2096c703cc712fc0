"""`tilelab test`: all tests of the repository."""

from __future__ import annotations

from typing import Annotated

import typer

from tilelab.commands.console import console
from tilelab.maintain import suite


def test(
    gpu: Annotated[bool, typer.Option("--gpu", help="Only what needs a GPU.")] = False,
) -> None:
    """Builds and tests everything that this machine can run."""
    raise typer.Exit(suite.run_gpu(console) if gpu else suite.run(console))
