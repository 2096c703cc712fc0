"""Reads the Parsons problem of a lab: the lines of a kernel, for students to put in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from tilelab.base.errors import UserError
from tilelab.base.fields import Text, Texts, Whole
from tilelab.base.tables import read
from tilelab.model.lab import Lab

_Lists = Annotated[
    tuple[tuple[Whole, ...], ...], Meta(description="must be a list of lists of line numbers")
]
Fails = Annotated[
    Literal["build", "correctness", "safety", "memory"],
    Meta(description='must be "build", "correctness", "safety" or "memory"'),
]


class Distractor(Struct, frozen=True, forbid_unknown_fields=True):
    """A wrong line that looks as if it were line `place`, and `why` it `fails` there."""

    code: Text
    place: Whole
    fails: Fails
    why: Text


class Misplaced(Struct, frozen=True, forbid_unknown_fields=True):
    """Why the kernel `fails` if a line comes right before another one."""

    line: Whole
    before: Whole
    fails: Fails
    why: Text


class Problem(Struct, frozen=True, forbid_unknown_fields=True):
    """A kernel's `lines` in their order, which number them from 1.

    `before`, the lines and `after` are a whole submission. Lines of one list in `exchange` may
    change places where they are neighbors. `also` has further right orders.
    """

    task: Text
    before: Text
    lines: Annotated[Texts, Meta(min_length=2, description="must have two lines or more")]
    after: Text
    exchange: _Lists = ()
    also: _Lists = ()
    distractors: tuple[Distractor, ...] = ()
    misplaced: tuple[Misplaced, ...] = ()

    @property
    def shown(self) -> list[str]:
        """What a student puts in order. A wrong line is often next to the right one."""
        return sorted([*self.lines, *(one.code for one in self.distractors)])

    @property
    def frame(self) -> tuple[list[str], list[str]]:
        """What to show above and below the lines, as far as there is no empty line."""
        above, below = self.before.rstrip("\n"), self.after.partition("\n\n")[0]
        return above.rpartition("\n\n")[2].split("\n"), below.split("\n")

    @property
    def orders(self) -> list[Sequence[int]]:
        return [range(1, len(self.lines) + 1), *self.also]

    def may_swap(self, one: int, other: int) -> bool:
        return any(one in group and other in group for group in self.exchange)

    def indented(self, lines: Sequence[str]) -> str:
        """These lines in their frame."""
        above, below = self.frame
        text, depth = [*above], _opened("".join(above))
        for code in lines:
            text.append("  " * (depth - code.startswith("}")) + code)
            depth += _opened(code)
        return "\n".join([*text, *below])

    def submission(self, lines: Sequence[str]) -> str:
        """A file with these lines."""
        return "\n".join([self.before.rstrip("\n"), *lines, self.after])


def path_of(lab: Lab) -> Path:
    return lab.repo / "labs" / lab.name / "parsons.toml"


def load(lab: Lab) -> Problem:
    """Reads labs/NAME/parsons.toml. Raises UserError with one line that says what is wrong."""
    path = path_of(lab)
    if not path.exists():
        raise UserError(f"{lab.name} has no lines to put in order: {path} does not exist")
    return read(path, Problem, _checked)


def _checked(problem: Problem) -> Problem:
    count = len(problem.lines)
    for key, number in _numbers(problem):
        if number > count:
            raise ValueError(f"{key} must be the number of a line, 1 to {count}")
    for number, order in enumerate(problem.also, 1):
        if sorted(order) != [*range(1, count + 1)]:
            raise ValueError(f"also[{number}] must have each number from 1 to {count} once")
    for number, one in enumerate(problem.distractors, 1):
        if one.code in problem.lines:
            raise ValueError(f"distractors[{number}].code must not be one of the lines")
    return problem


def _numbers(problem: Problem) -> Iterator[tuple[str, int]]:
    """The numbers of lines, and where they are."""
    for at, group in enumerate(problem.exchange, 1):
        yield f"exchange[{at}]", max(group, default=0)
    for at, wrong in enumerate(problem.distractors, 1):
        yield f"distractors[{at}].place", wrong.place
    for at, early in enumerate(problem.misplaced, 1):
        yield f"misplaced[{at}].line", early.line
        yield f"misplaced[{at}].before", early.before


def _opened(code: str) -> int:
    return code.count("{") - code.count("}")
