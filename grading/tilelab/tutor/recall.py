"""Questions of the quiz that were answered wrong, and when they are asked again.

A question comes again after 2 days, 7 days and 21 days, each counted from the last right answer. It
is kept next to the progress in its lab, under the same rules: what cannot be read counts as
nothing, and what cannot be written is skipped.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta, Struct

from tilelab.base.errors import UserError
from tilelab.base.records import decoded, text_of
from tilelab.labs.lab import course
from tilelab.model.lab import Lab
from tilelab.tutor import progress, quiz
from tilelab.tutor.quiz import Question

DAYS = (2, 7, 21)


class Waiting(Struct, frozen=True):
    """A question that waits: when it was last answered, and how often it was right since."""

    at: datetime.datetime
    right: Annotated[int, Meta(ge=0, lt=len(DAYS))] = 0

    def is_due(self, now: datetime.datetime) -> bool:
        return now - self.at >= datetime.timedelta(days=DAYS[self.right])


class _Kept(Struct, frozen=True):
    """The questions that wait, by their text: a question that was rewritten is a new one."""

    schema: Literal[1] = 1
    waiting: Mapping[str, Waiting] = {}


@dataclass(frozen=True)
class Due:
    """A question that is to be asked again."""

    lab: Lab
    question: Question
    at: datetime.datetime


def due(now: datetime.datetime, labs: Sequence[Lab] | None = None) -> list[Due]:
    """Those of all labs that are due, the oldest first."""
    found = [
        Due(lab, question, kept.waiting[question.ask].at)
        for lab in labs or course()
        if (kept := _load(lab.name)).waiting
        for question in _questions(lab)
        if question.ask in kept.waiting and kept.waiting[question.ask].is_due(now)
    ]
    return sorted(found, key=lambda one: one.at)


def note(lab: Lab, question: Question, is_right: bool, now: datetime.datetime) -> None:
    """Notes a first answer. A right one to a question that does not wait, or early, is no news."""
    waiting = dict(_load(lab.name).waiting)
    before = waiting.get(question.ask)
    if not is_right:
        waiting[question.ask] = Waiting(now)
    elif before is None or not before.is_due(now):
        return
    elif before.right + 1 < len(DAYS):
        waiting[question.ask] = Waiting(now, before.right + 1)
    else:
        del waiting[question.ask]
    _save(lab.name, _Kept(waiting=waiting))


def since(due: Sequence[Due], now: datetime.datetime) -> str:
    """When the oldest of them was answered, as people say it: "from last week"."""
    days = (now - min(one.at for one in due)).days
    if days < 7:
        return f"from {days} days ago"
    return "from last week" if days < 14 else f"from {days // 7} weeks ago"


def _questions(lab: Lab) -> Sequence[Question]:
    try:
        return quiz.load(lab)
    except UserError:  # which the quiz of that lab says
        return ()


def _load(lab: str) -> _Kept:
    return progress.read(_file(lab), lambda text: decoded(text, _Kept), _Kept)


def _save(lab: str, kept: _Kept) -> None:
    progress.write(_file(lab), text_of(kept, indent=2))


def _file(lab: str) -> str:
    return f"{lab}.quiz.json"
