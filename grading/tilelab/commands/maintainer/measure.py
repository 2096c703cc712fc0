"""`tilelab measure`: runs a study, whose numbers go to docs/results."""

from __future__ import annotations

from typing import Annotated

import typer
from typer.core import TyperCommand

from tilelab.maintain import studies


class Command(TyperCommand):
    """Leaves what comes after the name to the study, its options and --help included."""

    allow_interspersed_args = False


def measure(
    name: Annotated[str | None, typer.Argument(help="Which study. Default: lists all.")] = None,
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="ARGS", help="What the study gets.")
    ] = None,
) -> None:
    """For maintainers: runs a study, whose numbers go to docs/results."""
    if name is None:
        print("\n".join(studies.listing()))
        return
    raise typer.Exit(studies.run(name, arguments or []))
