"""Reads the quiz of a lab: the questions of its handout whose answer is a number."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.tables import Table, any_number, only, read, tables, text
from tilelab.score.lab import Lab

# 1234, -0.25, 1e6, and 10,240 as handouts write it.
_NUMBER = re.compile(r"[-+]?(\d{1,3}(,\d{3})+|\d+)?(\.\d*)?(e[-+]?\d+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Question:
    """A question. The handout has `ask` word for word. An answer may be off by `tolerance`."""

    ask: str
    answer: float
    tolerance: float
    why: str

    def accepts(self, given: float) -> bool:
        # A little more, because 0.1 + 0.2 is not 0.3.
        return abs(given - self.answer) <= self.tolerance + 1e-9 * abs(self.answer)


def path_of(lab: Lab) -> Path:
    return lab.repo / "labs" / lab.name / "quiz.toml"


def load(lab: Lab) -> list[Question]:
    """Reads labs/NAME/quiz.toml. Raises UserError with one line that says what is wrong in it."""
    path = path_of(lab)
    if not path.exists():
        raise UserError(f"{lab.name} has no quiz: {path} does not exist")
    return read(path, _parse)


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


def _parse(data: Table) -> list[Question]:
    only(data, "", "questions")
    questions = [_question(n, table) for n, table in enumerate(tables(data, "questions"), 1)]
    if not questions:
        raise ValueError("it needs at least one [[questions]]")
    return questions


def _question(number: int, data: Table) -> Question:
    where = f"questions[{number}]."
    only(data, where, "ask", "answer", "tolerance", "why")
    tolerance = any_number(data, where, "tolerance", 0)
    if tolerance < 0:
        raise ValueError(f"{where}tolerance must not be negative")
    return Question(
        text(data, where, "ask"),
        any_number(data, where, "answer"),
        tolerance,
        text(data, where, "why"),
    )
