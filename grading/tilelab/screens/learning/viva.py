"""Prints the questions of `tilelab viva`."""

from __future__ import annotations

import string
from collections.abc import Sequence

from rich.console import Console

from tilelab.base.text import printable
from tilelab.model.case import Place
from tilelab.model.questions.viva import Question
from tilelab.screens.layout import source_lines, wrapped

_WIDTH = 80


def show_question(
    console: Console, number: int, count: int, question: Question, source: Sequence[str]
) -> None:
    """Prints a question, the line that it is about, and its choices."""
    console.print()
    _say(console, f"{number} of {count}. {question.ask}")
    shown = [printable(line) for line in source]
    for line in source_lines(shown, Place(question.line), _WIDTH)[:1]:
        console.print(line)
    for i, choice in enumerate(question.choices):
        console.print(f"  {letter(i)}) {choice}", markup=False)


def show_answer(console: Console, question: Question, is_right: bool | None) -> None:
    """Prints the answer and why it is that. Nothing was answered if `is_right` is None."""
    if is_right:
        console.print("Correct.", style="green")
    else:
        begin = "It is" if is_right is None else "No, it is"
        answer = letter(question.answer[0]) if question.choices else question.written
        console.print(
            f"{begin} {answer}.",
            style="red" if is_right is False else "",
            markup=False,
        )
    _say(console, question.why)


def letter(number: int) -> str:
    """What a choice is called: a, b and so on."""
    return string.ascii_lowercase[number]


def _say(console: Console, text: str) -> None:
    for line in wrapped(printable(text), _WIDTH):
        console.print(line)
