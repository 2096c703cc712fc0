"""What a student has predicted in each lab of the course."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilelab.base.errors import UserError
from tilelab.labs.lab import course
from tilelab.model.lab import Lab
from tilelab.tutor.predict import predicted, predictions
from tilelab.tutor.predict.predicted import Answer


@dataclass(frozen=True)
class Understanding:
    """The predictions of one lab: how many it has, and the answers."""

    lab: Lab
    predictions: int
    answers: Sequence[Answer]


def of_course() -> list[Understanding]:
    """In the order of the course."""
    return [Understanding(lab, _count(lab), predicted.load(lab.name).answers) for lab in course()]


def _count(lab: Lab) -> int:
    try:
        return len(predictions.load(lab))
    except UserError:  # which `check` and `verify` show
        return 0
