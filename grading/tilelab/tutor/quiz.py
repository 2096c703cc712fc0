"""Reads the quiz of a lab: the questions of its handout whose answer is a number."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from tilelab.base.errors import UserError
from tilelab.base.fields import Finite, Text
from tilelab.base.tables import read
from tilelab.model.lab import Lab

# 1234, -0.25, 1e6, and 10,240 as handouts write it.
_NUMBER = re.compile(r"[-+]?(\d{1,3}(,\d{3})+|\d+)?(\.\d*)?(e[-+]?\d+)?", re.IGNORECASE)


class Question(Struct, frozen=True, forbid_unknown_fields=True):
    """A question. The handout has `ask` word for word. An answer may be off by `tolerance`."""

    ask: Text
    answer: Finite
    why: Text
    tolerance: Annotated[
        Annotated[int, Meta(ge=0)] | Annotated[float, Meta(ge=0, le=sys.float_info.max)],
        Meta(description="must not be negative"),
    ] = 0

    def accepts(self, given: float) -> bool:
        # A little more, because 0.1 + 0.2 is not 0.3.
        return abs(given - self.answer) <= self.tolerance + 1e-9 * abs(self.answer)


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


def number_from(text: str) -> float | None:
    """The number that the user typed, or None."""
    text = text.strip().replace("_", "")
    if not _NUMBER.fullmatch(text):
        return None
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def written(value: float) -> str:
    """A number as handouts write it: 104,847,360, 0.25."""
    return f"{value:,.12g}"


def _questions(file: _File) -> list[Question]:
    if not file.questions:
        raise ValueError("it needs at least one [[questions]]")
    return list(file.questions)
