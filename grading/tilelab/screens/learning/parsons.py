"""A Parsons problem on a terminal: lines to put in order, and what is wrong with an order."""

from __future__ import annotations

from rich.console import Console

from tilelab.labs.parsons import Problem
from tilelab.screens.layout import wrapped
from tilelab.tutor.parsons import Fault

_WIDTH = 80


def show_problem(console: Console, problem: Problem) -> None:
    """Prints the task and, in what surrounds them, the kernel's lines out of order."""
    above, below = problem.frame
    _say(console, problem.task, style="bold")
    _code(console, above, style="dim")
    shown = problem.shown
    _code(console, [f"{number:>2}  {code}" for number, code in enumerate(shown, 1)])
    _code(console, below, style="dim")
    _say(console, f"You need {len(problem.lines)} of these {len(shown)} lines.")


def show_fault(console: Console, fault: Fault) -> None:
    # On a line of its own, where the code is not broken.
    _say(console, f"Not yet. Line {fault.position} of your order is out of place:", style="yellow")
    _code(console, [f"  {fault.code}"])
    _say(console, fault.why)


def show_right(console: Console) -> None:
    _say(console, "Correct.", style="green")


def show_answer(console: Console, problem: Problem) -> None:
    _say(console, "One right order:")
    _code(console, problem.indented(problem.lines).split("\n"))


def _say(console: Console, text: str, *, style: str = "") -> None:
    for line in wrapped(text, min(console.width, _WIDTH), style=style):
        console.print(line)


def _code(console: Console, lines: list[str], *, style: str = "") -> None:
    for line in lines:
        console.print(line, style=style, markup=False)
