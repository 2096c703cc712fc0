"""Asks for a prediction in a terminal, before a check shows what it has counted."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable
from dataclasses import dataclass

import typer

from tilelab.base.errors import UserError
from tilelab.commands.console import console, has_keyboard, working
from tilelab.model.lab import Lab
from tilelab.model.result import Result
from tilelab.pipeline.harness.session import Session
from tilelab.screens.learning.prediction import (
    show_counted,
    show_faster,
    show_outcome,
    show_question,
)
from tilelab.tutor.numbers import number_from
from tilelab.tutor.predict import predicted, predicting, predictions
from tilelab.tutor.predict.predicted import Answer
from tilelab.tutor.predict.predicting import Ready
from tilelab.tutor.predict.predictions import Counted, Faster

# Says what was so, after the verdict. Returns whether the answer was right, if that is known.
_Compare = Callable[[], bool | None]


def can_ask() -> bool:
    """Whether a person sits there. A program that types for nobody sets CI."""
    return has_keyboard() and console.is_terminal and not os.environ.get("CI")


@dataclass(frozen=True)
class Prediction:
    """An answer that was given."""

    lab: Lab
    ready: Ready
    compare: _Compare

    def show(self) -> None:
        """Compares it with what was so, and keeps it."""
        is_right = self.compare()
        before, id = predicted.load(self.lab.name), self.ready.prediction.id
        if is_right is None:
            after = before.with_skipped(id)
        else:
            at = datetime.datetime.now(datetime.UTC)
            after = before.with_answer(Answer(id, is_right, at, self.ready.counted))
        predicted.save(self.lab.name, after)


def ask(result: Result, lab: Lab, session: Session) -> Prediction | None:
    """Asks what this result has the answer to, if there is something new. None if nobody says."""
    before = predicted.load(lab.name)
    try:
        ready = predicting.next_one(predictions.load(lab), result, lab, before)
    except UserError as error:  # a mistake in the lab's file is no reason to keep the verdict back
        console.print(str(error), style="yellow", markup=False)
        return None
    if ready is None:
        return None
    show_question(console, ready)
    given = _answer(ready)
    console.print()
    if given is None:
        predicted.save(lab.name, before.with_skipped(ready.prediction.id))
        return None
    return Prediction(lab, ready, _comparison(ready, given, lab, session))


def _comparison(ready: Ready, given: float, lab: Lab, session: Session) -> _Compare:
    prediction = ready.prediction
    if isinstance(prediction, Counted):
        value = ready.counted
        assert value is not None
        return lambda: show_counted(console, prediction, given, value)
    if isinstance(prediction, Faster):
        return lambda: show_faster(console, prediction, int(given))
    with working(f"Checking your kernel without line {ready.line}"):
        outcome = predicting.outcome_of(ready, lab, session)
    return lambda: show_outcome(console, ready, int(given), outcome)


def _answer(ready: Ready) -> float | None:
    """The number that was typed. None for Enter alone, or the end of the input."""
    prediction = ready.prediction
    most = 0 if isinstance(prediction, Counted) else len(prediction.choices)
    while True:
        try:
            typed = typer.prompt("Your guess (Enter skips)", default="", show_default=False)
        except typer.Abort:  # Ctrl-D, Ctrl-C: the verdict is there
            console.print()
            return None
        if not str(typed).strip():
            return None
        number = number_from(str(typed))
        if number is not None and (not most or number in range(1, most + 1)):
            return number
        wants = f"1 to {most}" if most else "a number, for example 2 or 0.25"
        console.print(f"  Please enter {wants}.", markup=False)
