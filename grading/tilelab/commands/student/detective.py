"""`tilelab detective`: asks what is wrong with a given kernel."""

from __future__ import annotations

import string
import sys
import textwrap
from typing import Annotated

import typer

from tilelab.base.errors import UserError
from tilelab.base.files import from_here
from tilelab.commands import options
from tilelab.commands.console import console
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.tutor import detective as cases
from tilelab.tutor.detective import DetectiveCase

_WIDTH = 80
_NEEDS_INPUT = "the case needs your answers, and there is no input: run it in a terminal"


def detective(
    lab_name: options.LabName,
    name: Annotated[
        str | None, typer.Argument(metavar="[CASE]", help="The case. Default: lists all.")
    ] = None,
) -> None:
    """Gives you kernels with one line at fault, and asks which."""
    the_lab = lab.load(lab_name)
    found = cases.load(the_lab)
    if name is None:
        for one in found:
            _describe(the_lab, one)
        _say(f"Once you know: ./tilelab detective {the_lab.name} CASE")
        return
    raise typer.Exit(_ask(the_lab, cases.named(found, name)))


def _describe(the_lab: Lab, case: DetectiveCase) -> None:
    path = from_here(cases.source_of(case, the_lab))
    console.print(case.name, style="bold", markup=False)
    _say(case.story, indent="  ")
    console.print(f"  ./tilelab {case.look} {the_lab.name} {path}\n", markup=False)


def _ask(the_lab: Lab, case: DetectiveCase) -> int:
    """Asks for the line and for the sentence. Returns the exit status, 1 if the user stopped."""
    if sys.stdin is None or sys.stdin.closed:
        raise UserError(_NEEDS_INPUT)
    _describe(the_lab, case)
    console.print("Which line is at fault?", markup=False)
    try:
        line = _number()
        console.print("What is wrong with it?", markup=False)
        for letter, choice in zip(string.ascii_lowercase, case.choices, strict=False):
            _say(f"{letter}) {choice}", indent="  ", rest="     ")
        choice = _letter(len(case.choices))
    except typer.Abort:  # Ctrl-D, Ctrl-C, the end of a file
        console.print()
        if not sys.stdin.isatty():
            raise UserError(_NEEDS_INPUT) from None
        return 1
    right = string.ascii_lowercase[case.answer - 1]
    _tell(line in case.lines, f"it is line {case.lines[0]}")
    _tell(choice == right, f"it is {right}")
    _say(case.why)
    _say(f"Line {case.lines[0]} without the fault:")
    console.print(f"  {case.fixed}", markup=False)
    return 0


def _tell(is_right: bool, answer: str) -> None:
    text = "Correct." if is_right else f"No, {answer}."
    console.print(text, style="green" if is_right else "red", markup=False)


def _number() -> int:
    while True:
        typed = str(typer.prompt("  Line", default="", show_default=False)).strip()
        if typed.isascii() and typed.isdigit():
            return int(typed)
        console.print("  Please enter the number of a line.", markup=False)


def _letter(count: int) -> str:
    known = string.ascii_lowercase[:count]
    while True:
        typed = str(typer.prompt("  Answer", default="", show_default=False)).strip().lower()
        if len(typed) == 1 and typed in known:
            return typed
        console.print(f"  Please enter a letter from a to {known[-1]}.", markup=False)


def _say(text: str, indent: str = "", rest: str = "") -> None:
    shown = textwrap.fill(
        text, _WIDTH, initial_indent=indent, subsequent_indent=rest or indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    console.print(shown, markup=False)
