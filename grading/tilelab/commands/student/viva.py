"""`tilelab viva`: asks about a file what its author can answer."""

from __future__ import annotations

import importlib
import re
import string
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from tilelab.base.errors import CompileError, Rejected, UserError
from tilelab.base.text import one_line
from tilelab.commands import options
from tilelab.commands.console import console, working
from tilelab.model.questions.viva import Question, Viva
from tilelab.screens.learning.viva import show_answer, show_question
from tilelab.tutor.numbers import number_from
from tilelab.viva import asking

# What writes files for instructors. The copy of a student does not have it.
_FILES = "viva_files"

_NEEDS_INPUT = "the questions need your answers, and there is no input: run it in a terminal"


def viva(
    lab_name: options.LabName,
    file: Annotated[
        Path | None,
        typer.Argument(help="Your file, or for instructors a class. Default: labs/LAB/LAB.cu."),
    ] = None,
    sheet: Annotated[
        Path | None, typer.Option(help="For instructors: write a sheet to print, with answers.")
    ] = None,
    format_name: Annotated[
        str | None,
        typer.Option("--format", metavar="NAME", help="For instructors: moodle or canvas."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="For instructors: the quiz file, or the folder for a class.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**63, help="Ask other questions about the same file.")
    ] = None,
) -> None:
    """Asks ten questions about your own file, and explains the answers."""
    if sheet or format_name or out or (file and file.is_dir()):
        write = _writer()
        write(lab_name, file, sheet, format_name, out, seed)
        return
    the_lab, path = options.lab_and_file(lab_name, file)
    _assert_input()
    session = options.session(None, seed or 0, [the_lab], without_seccomp=True)
    try:
        with working("Working out questions about your file"):
            made = asking.ask(path, the_lab, session)
    except (Rejected, CompileError) as error:
        raise UserError(f"{one_line(str(path))}: {error}") from error
    raise typer.Exit(_ask_all(made))


def _writer() -> Callable[..., None]:
    """What writes files. Raises UserError in a student's copy."""
    if not Path(__file__).parents[1].joinpath(f"{_FILES}.py").is_file():
        raise UserError("this copy of TileLab is for students: viva asks you about one file")
    write: Callable[..., None] = importlib.import_module(f"tilelab.commands.{_FILES}").write
    return write


def _assert_input() -> None:
    if sys.stdin is None or sys.stdin.closed:
        raise UserError(_NEEDS_INPUT)


def _ask_all(made: Viva) -> int:
    """Asks all questions and shows the score. Returns the exit status, 1 if the user stopped."""
    source = made.text.split("\n")
    count = len(made.questions)
    right = skipped = 0
    console.print(f"{count} questions about {one_line(made.file)}. Enter skips one.", markup=False)
    for number, question in enumerate(made.questions, 1):
        show_question(console, number, count, question, source)
        try:
            given = _answer(question)
        except typer.Abort:  # Ctrl-D, Ctrl-C, the end of a file
            console.print()
            if number == 1 and not sys.stdin.isatty():
                raise UserError(_NEEDS_INPUT) from None
            console.print(f"Stopped: {right} of {number - 1} correct.", markup=False)
            return 1
        skipped += given is None
        right += given == question.answer
        show_answer(console, question, None if given is None else given == question.answer)
    console.print(f"\n{right} of {count} correct, {skipped} skipped.", markup=False)
    return 0


def _answer(question: Question) -> tuple[int, ...] | None:
    """What the user typed, None to skip."""
    while True:
        # With a default, typer returns an empty line instead of silently asking again.
        typed = str(typer.prompt("  Your answer", default="", show_default=False)).strip()
        if not typed:
            return None
        if (given := _read(typed, question)) is not None:
            return given
        console.print(f"  Please answer {_form(question)}, or press Enter to skip.", markup=False)


def _read(typed: str, question: Question) -> tuple[int, ...] | None:
    if question.choices:
        place = string.ascii_lowercase.find(typed.lower().strip("()"))
        return (
            (place,) if len(typed.strip("()")) == 1 and 0 <= place < len(question.choices) else None
        )
    if len(question.answer) == 1:
        number = number_from(typed)
        return (int(number),) if number is not None and number == int(number) else None
    numbers = tuple(map(int, re.findall(r"\d+", typed)))
    return numbers if len(numbers) == len(question.answer) else None


def _form(question: Question) -> str:
    if question.choices:
        return f"with a letter from a to {string.ascii_lowercase[len(question.choices) - 1]}"
    if len(question.answer) == 1:
        return "with a whole number"
    return f"with {len(question.answer)} numbers"
