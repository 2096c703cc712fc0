"""Reads the quiz of a lab: the questions of its handout whose answer is a number."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from tilelab.base.errors import UserError
from tilelab.base.fields import Finite, Text
from tilelab.base.tables import read
from tilelab.model.lab import Lab


class Wrong(Struct, frozen=True, forbid_unknown_fields=True):
    """A wrong answer, and the misconception that leads to it. It does not give the right one."""

    answer: Finite
    why: Text


class Question(Struct, frozen=True, forbid_unknown_fields=True):
    """A question. The handout has `ask` word for word. An answer may be off by `tolerance`.

    `wrong` are answers that most likely have one origin.
    """

    ask: Text
    answer: Finite
    why: Text
    tolerance: Annotated[
        Annotated[int, Meta(ge=0)] | Annotated[float, Meta(ge=0, le=sys.float_info.max)],
        Meta(description="must not be negative"),
    ] = 0

    wrong: tuple[Wrong, ...] = ()

    def accepts(self, given: float) -> bool:
        return self._is_near(given, self.answer)

    def misconception(self, given: float) -> str:
        """What leads to this wrong answer. Empty if nobody knows."""
        return next((one.why for one in self.wrong if self._is_near(given, one.answer)), "")

    def _is_near(self, given: float, answer: float) -> bool:
        # A little more, because 0.1 + 0.2 is not 0.3.
        return abs(given - answer) <= self.tolerance + 1e-9 * abs(answer)


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    questions: tuple[Question, ...] = ()


def path_of(lab: Lab) -> Path:
    return lab.repo / "labs" / lab.name / "quiz.toml"


def load(lab: Lab) -> list[Question]:
    """Reads labs/NAME/quiz.toml. Raises UserError with one line that says what is wrong in it."""
    path = path_of(lab)
    if not path.exists():
        raise UserError(f"{lab.name} has no quiz: {path} does not exist")
    return read(path, _File, _questions)


def _questions(file: _File) -> list[Question]:
    if not file.questions:
        raise ValueError("it needs at least one [[questions]]")
    for number, question in enumerate(file.questions, 1):
        for one in question.wrong:
            if question.accepts(one.answer):
                raise ValueError(
                    f"questions[{number}].wrong has the answer {one.answer:g}, which is right"
                )
    return list(file.questions)
