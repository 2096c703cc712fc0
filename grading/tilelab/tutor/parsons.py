"""Finds the first line that is out of place in a student's order of a kernel's lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilelab.labs.parsons import Problem


@dataclass(frozen=True)
class Fault:
    """The first line that is out of place, its `position` from 1, and `why`."""

    position: int
    code: str
    why: str


def fault(problem: Problem, given: Sequence[str]) -> Fault | None:
    """What is wrong with as many lines as the kernel has. None if they are in a right order."""
    left = min((_left(problem, given, order) for order in problem.orders), key=len)
    if not left:
        return None
    right = len(given) - len(left)
    return Fault(right + 1, given[right], _why(problem, given[right], left))


def _left(problem: Problem, given: Sequence[str], order: Sequence[int]) -> list[int]:
    """The lines of this order that are left when the first line is out of place.

    Lines that may change places may come in either order. Of lines with the same text, the first
    one that is left is taken.
    """
    left = list(order)
    for code in given:
        number = next((one for one in left if problem.lines[one - 1] == code), None)
        if number is None:
            break
        earlier = left[: left.index(number)]
        if not all(problem.may_swap(number, other) for other in earlier):
            break
        left.remove(number)
    return left


def _why(problem: Problem, code: str, left: Sequence[int]) -> str:
    for wrong in problem.distractors:
        if wrong.code == code:
            return wrong.why
    for early in problem.misplaced:
        if problem.lines[early.line - 1] == code and early.before in left:
            return early.why
    return "Another line has to come first."
