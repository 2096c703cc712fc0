"""`tilelab solution`: opens the reference solution of a lab that you have solved."""

from __future__ import annotations

import typer
from rich.syntax import Syntax
from rich.text import Text

from tilelab.base.errors import UserError
from tilelab.commands import options
from tilelab.commands.console import console
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.tutor import progress, standing


def solution(lab_name: options.LabName) -> None:
    """Shows a solution of a lab, once all your results are right."""
    the_lab = lab.load(lab_name)
    if not the_lab.reference.is_file():
        raise UserError("this copy of the labs has no solutions: ask your instructor for them")
    state = progress.load(lab_name)
    if not state.solved:
        for line in _what_is_missing(state, the_lab):
            console.print(line, markup=False)
        raise typer.Exit(1)
    text = the_lab.reference.read_text(encoding="utf-8")
    # Colors are for reading; a file or another program gets the plain text.
    shown = Syntax(text, "cu", background_color="default") if console.is_terminal else Text(text)
    console.print(shown)
    console.print(f"\nThis is solutions/{lab_name}/{lab_name}.cu.", markup=False)
    if the_lab.ladder:
        console.print(
            f"solutions/{lab_name}/ladder leads there step by step; solutions/README.md explains "
            "the steps.",
            markup=False,
        )


def _what_is_missing(state: progress.Progress, the_lab: Lab) -> list[str]:
    name = the_lab.name
    opens = f"The solution of {name} opens once every test of its results passes."
    if not state.points:
        return [opens, f"Nothing of yours has been tested yet: ./tilelab check {name}"]
    missing = ", ".join(standing.missing(state, the_lab)) or "a check of a file of your own"
    return [
        opens,
        f"Still missing after your last check: {missing}.",
        f"./tilelab hint {name} says what to do next.",
    ]
