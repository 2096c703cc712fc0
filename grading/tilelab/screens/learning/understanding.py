"""Prints how good a student's predictions are."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from tilelab.base.text import counted
from tilelab.screens.layout import say
from tilelab.tutor.predict import predicted
from tilelab.tutor.predict.predicted import Answer
from tilelab.tutor.predict.understanding import Understanding

_FEWEST = 4  # answers that two halves can be told from


def show_understanding(console: Console, labs: Sequence[Understanding], due: int) -> None:
    """Prints a row per lab with answers, and that `due` questions of the quiz come again."""
    _show_predictions(console, labs)
    if due:
        console.print()
        say(console, f"The quiz has {counted(due, 'question')} for you once more: ./tilelab quiz")


def _show_predictions(console: Console, labs: Sequence[Understanding]) -> None:
    answers = [answer for one in labs for answer in one.answers]
    if not answers:
        say(
            console,
            "No predictions yet. ./tilelab check asks for one in a terminal, once your results "
            "are right: before it shows what your kernel does with memory.",
        )
        return
    console.print("Your predictions:\n")
    begun = [one for one in labs if one.answers]
    console.print(_table(begun))
    if len(begun) > 1 and len(answers) >= _FEWEST:
        console.print()
        say(console, _compared(answers))


def _table(labs: Sequence[Understanding]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("Lab")
    table.add_column("Answered", justify="right")
    table.add_column("Right", justify="right")
    table.add_column("First half", justify="right")
    table.add_column("Second half", justify="right")
    for one in labs:
        different = len({answer.id for answer in one.answers})
        first, second = predicted.halves(one.answers)
        table.add_row(
            one.lab.name,
            f"{different} of {max(one.predictions, different)}",
            _share(one.answers),
            _share(first) if first else "",
            _share(second) if first else "",
        )
    return table


def _compared(answers: Sequence[Answer]) -> str:
    """The earlier answers of the course, and the later ones."""
    first, second = predicted.halves(answers)
    return (
        f"In all: {predicted.right(first)} of your first {len(first)} were right, and "
        f"{predicted.right(second)} of the last {len(second)}."
    )


def _share(answers: Sequence[Answer]) -> str:
    return f"{predicted.right(answers)} of {len(answers)}"
