"""`tilelab quiz`: asks the handout's questions on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from tilelab.base.errors import UserError
from tilelab.commands import options
from tilelab.commands.console import console
from tilelab.labs import lab
from tilelab.tutor.quiz import Question, load, number_from, written


def quiz(lab_name: options.LabName) -> None:
    """Asks the questions of the handout whose answer is a number."""
    raise typer.Exit(_ask_all(load(lab.load(lab_name))))


def _ask_all(questions: Sequence[Question]) -> int:
    """Asks all questions and shows the score. Returns the exit status, 1 if the user stopped."""
    if sys.stdin is None or sys.stdin.closed:
        raise UserError("the quiz needs your answers, and there is no input: run it in a terminal")
    right = 0
    for number, question in enumerate(questions, 1):
        console.print(f"\n{number} of {len(questions)}. {question.ask}", markup=False)
        try:
            given = _answer()
        except typer.Abort:  # Ctrl-D, Ctrl-C, the end of a file
            console.print()
            if number == 1 and not sys.stdin.isatty():
                raise UserError(
                    "the quiz needs your answers, and the input is empty: run it in a terminal"
                ) from None
            console.print(f"Stopped: {right} of {number - 1} correct.", markup=False)
            return 1
        correct = question.accepts(given)
        right += correct
        verdict = "Correct." if correct else f"No, it is {written(question.answer)}."
        console.print(verdict, style="green" if correct else "red", markup=False)
        console.print(question.why, markup=False)
    console.print(f"\n{right} of {len(questions)} correct.", markup=False)
    return 0


def _answer() -> float:
    while True:
        # With a default, typer returns an empty line instead of silently asking again.
        typed = str(typer.prompt("  Your answer", default="", show_default=False))
        if (number := number_from(typed)) is not None:
            return number
        console.print("  Please enter a number, for example 12, 0.25 or 10,240.", markup=False)
