"""`tilelab parsons`: asks for the order of a kernel's lines."""

from __future__ import annotations

from typing import Annotated

import typer

from tilelab.base.errors import UserError
from tilelab.commands import options
from tilelab.commands.console import console, has_keyboard
from tilelab.labs import lab
from tilelab.labs import parsons as problems
from tilelab.labs.parsons import Problem
from tilelab.screens.learning import parsons as screen
from tilelab.tutor.parsons import fault

_Order = Annotated[
    str | None,
    typer.Option(metavar="NUMBERS", help="Your order, such as 3,1,2. Default: asks for it."),
]


def parsons(lab_name: options.LabName, order: _Order = None) -> None:
    """Shows the lines of a kernel out of order, and asks you to put them in order."""
    the_lab = lab.load(lab_name)
    problem = problems.load(the_lab)
    if order is not None:
        raise typer.Exit(_judge(problem, _lines(problem, order)))
    screen.show_problem(console, problem)
    if not has_keyboard():
        how = f"Answer with: ./tilelab parsons {the_lab.name} --order 3,1,2,..."
        console.print(how, markup=False)
        return
    _ask(problem)


def _ask(problem: Problem) -> None:
    """Asks for an order, and after a wrong one for another."""
    for _ in range(2):
        try:
            given = _answer(problem)
        except typer.Abort:  # Ctrl-D, Ctrl-C
            console.print()
            return
        if not given or _judge(problem, given) == 0:
            return
    screen.show_answer(console, problem)


def _answer(problem: Problem) -> list[str]:
    """The lines in the student's order. Empty if Enter skips."""
    while True:
        prompt = "Your order, such as 3,1,2 (Enter skips)"
        typed = str(typer.prompt(prompt, default="", show_default=False)).strip()
        try:
            return _lines(problem, typed) if typed else []
        except UserError as error:
            console.print(f"  Please try again: {error}.", markup=False)


def _lines(problem: Problem, order: str) -> list[str]:
    """The lines that these numbers mean. Raises UserError if they are not what is asked for."""
    shown = problem.shown
    numbers = [int(word) if _is_number(word) else 0 for word in order.replace(",", " ").split()]
    if any(not 1 <= number <= len(shown) for number in numbers):
        raise UserError(f"the order must have numbers from 1 to {len(shown)}, such as 3,1,2")
    if len(set(numbers)) < len(numbers):
        raise UserError("the order must have each number only once")
    if len(numbers) != len(problem.lines):
        raise UserError(f"the order must have {len(problem.lines)} numbers, not {len(numbers)}")
    return [shown[number - 1] for number in numbers]


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 4


def _judge(problem: Problem, given: list[str]) -> int:
    """Says whether the order is right. Returns the exit status."""
    found = fault(problem, given)
    if found is None:
        screen.show_right(console)
        return 0
    screen.show_fault(console, found)
    return 1
