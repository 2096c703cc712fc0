"""`tilelab quiz`: the handout's questions on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from tilelab.base.errors import UserError
from tilelab.commands import options
from tilelab.commands.console import console
from tilelab.score import lab
from tilelab.tutor.quiz import Question, load, number_from, written


def quiz(lab_name: options.LabName) -> None:
    """Asks the handout's questions that have a number for an answer."""
    raise typer.Exit(_ask_all(load(lab.load(lab_name))))


def _ask_all(questions: Sequence[Question]) -> int:
    """Asks them all and shows the score. Returns the exit status: 1 if somebody stopped before."""
    if sys.stdin is None or sys.stdin.closed:
        raise UserError("the quiz asks for answers, and there is no input: run it in a terminal")
    right = 0
    for number, question in enumerate(questions, 1):
        console.print(f"\n{number} of {len(questions)}. {question.ask}", markup=False)
        try:
            given = _answer()
        except typer.Abort:  # Ctrl-D, Ctrl-C, the end of a file
            console.print()
            if number == 1 and not sys.stdin.isatty():
                raise UserError(
                    "the quiz asks for answers, and the input has none: run it in a terminal"
                ) from None
            console.print(f"Stopped: {right} of {number - 1} answered right.", markup=False)
            return 1
        correct = question.accepts(given)
        right += correct
        verdict = "Right." if correct else f"No: it is {written(question.answer)}."
        console.print(verdict, style="green" if correct else "red", markup=False)
        console.print(question.why, markup=False)
    console.print(f"\n{right} of {len(questions)} right.", markup=False)
    return 0


def _answer() -> float:
    while True:
        # A default lets an empty line come back instead of being asked for again in silence.
        typed = str(typer.prompt("  Your answer", default="", show_default=False))
        if (number := number_from(typed)) is not None:
            return number
        console.print("  Please give a number, for example 12, 0.25 or 10,240.", markup=False)
