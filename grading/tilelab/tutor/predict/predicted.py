"""What a student has predicted, and what was counted then.

It is kept next to the progress in the lab, under the same rules: what cannot be read counts as
nothing, and what cannot be written is skipped.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from tilelab.base.records import decoded, text_of
from tilelab.tutor import progress

_TIMES_SKIPPED = 2  # until a question is not asked again
_MUCH = 1.5  # times as large or small: then a question is a new one


class Answer(Struct, frozen=True):
    """An answer to the prediction `id`. `counted` is the number that was counted, if it was one."""

    id: str
    is_right: bool
    at: datetime.datetime
    counted: float | None = None


class Predicted(Struct, frozen=True):
    """The answers in one lab, oldest first, and how often each question was skipped."""

    schema: Literal[1] = 1
    answers: tuple[Answer, ...] = ()
    skipped: Mapping[str, Annotated[int, Meta(ge=0)]] = {}

    def is_settled(self, id: str, counted: float | None = None) -> bool:
        """Whether a question was answered, or skipped for good, and has no new answer since."""
        given = [one for one in self.answers if one.id == id]
        if not given:
            return self.skipped.get(id, 0) >= _TIMES_SKIPPED
        before = given[-1].counted
        return before is None or counted is None or not _changed_much(before, counted)

    def with_answer(self, answer: Answer) -> Predicted:
        return replace(self, answers=(*self.answers, answer))

    def with_skipped(self, id: str) -> Predicted:
        return replace(self, skipped={**self.skipped, id: self.skipped.get(id, 0) + 1})


def load(lab: str) -> Predicted:
    return progress.read(_file(lab), lambda text: decoded(text, Predicted), Predicted)


def save(lab: str, predicted: Predicted) -> None:
    progress.write(_file(lab), text_of(predicted, indent=2))


def halves(answers: Sequence[Answer]) -> tuple[Sequence[Answer], Sequence[Answer]]:
    """The earlier and the later half of the answers. The later one has the odd one."""
    ordered = sorted(answers, key=lambda one: one.at)
    middle = len(ordered) // 2
    return ordered[:middle], ordered[middle:]


def right(answers: Sequence[Answer]) -> int:
    return sum(one.is_right for one in answers)


def _changed_much(before: float, now: float) -> bool:
    small, large = sorted((abs(before), abs(now)))
    return large > _MUCH * small


def _file(lab: str) -> str:
    return f"{lab}.predictions.json"
