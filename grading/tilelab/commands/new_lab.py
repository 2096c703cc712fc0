"""`tilelab new-lab`: the files of another lab."""

from __future__ import annotations

from typing import Annotated

import typer

from tilelab.commands.console import console
from tilelab.setup import lab_template


def new_lab(
    name: Annotated[str, typer.Argument(metavar="NAME", help="For example matrix_transpose.")],
) -> None:
    """For instructors: writes the files of another lab, a tiny one that works."""
    for path in lab_template.make(name):
        console.print(f"Wrote {path}", markup=False)
    console.print(
        f"Next: make it yours, where TODO(instructor) stands, and run ./tilelab verify {name}",
        markup=False,
    )
