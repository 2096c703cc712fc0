"""A Parsons problem on a terminal: lines to put in order, and what is wrong with an order."""

from __future__ import annotations

from rich.console import Console

from tilelab.labs.parsons import Problem
from tilelab.screens.layout import say
from tilelab.tutor.parsons import Fault


def show_problem(console: Console, problem: Problem) -> None:
    """Prints the task and, in what surrounds them, the kernel's lines out of order."""
    above, below = problem.frame
    say(console, problem.task, style="bold")
    _code(console, above, style="dim")
    shown = problem.shown
    _code(console, [f"{number:>2}  {code}" for number, code in enumerate(shown, 1)])
    _code(console, below, style="dim")
    say(console, f"You need {len(problem.lines)} of these {len(shown)} lines.")


def show_fault(console: Console, fault: Fault) -> None:
    # On a line of its own, where the code is not broken.
    say(console, f"Not yet. Line {fault.position} of your order is out of place:", style="yellow")
    _code(console, [f"  {fault.code}"])
    say(console, fault.why)


def show_right(console: Console) -> None:
    say(console, "Correct.", style="green")


def show_answer(console: Console, problem: Problem) -> None:
    say(console, "One right order:")
    _code(console, problem.indented(problem.lines).split("\n"))


def _code(console: Console, lines: list[str], *, style: str = "") -> None:
    for line in lines:
        console.print(line, style=style, markup=False)
