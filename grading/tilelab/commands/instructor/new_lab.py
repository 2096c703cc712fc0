"""`tilelab new-lab`: writes the files of a new lab."""

from __future__ import annotations

from typing import Annotated

import typer

from tilelab.commands.console import console
from tilelab.setup import lab_template


def new_lab(
    name: Annotated[str, typer.Argument(metavar="NAME", help="For example matrix_transpose.")],
) -> None:
    """For instructors: writes a small working lab for you to change."""
    for path in lab_template.make(name):
        console.print(f"Wrote {path}", markup=False)
    console.print(
        f"Next: edit each place marked TODO(instructor), then run ./tilelab verify {name}",
        markup=False,
    )
