"""`tilelab test`: runs the tests of the repository."""

from __future__ import annotations

from typing import Annotated

import typer

from tilelab.commands.console import console
from tilelab.maintain import suite


def test(
    gpu: Annotated[bool, typer.Option("--gpu", help="Run only the tests that need a GPU.")] = False,
) -> None:
    """Builds everything and runs all tests that this machine can run."""
    raise typer.Exit(suite.run_gpu(console) if gpu else suite.run(console))
