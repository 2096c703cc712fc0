"""Chooses the prediction to ask for after a check, and compares the answer with what is so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from tilelab.base.files import work_folder
from tilelab.model.lab import Lab
from tilelab.model.profile import Call
from tilelab.model.result import Result
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session
from tilelab.tutor import counts
from tilelab.tutor.code import Code, code_of
from tilelab.tutor.numbers import written
from tilelab.tutor.predict.predicted import Predicted
from tilelab.tutor.predict.predictions import Counted, Faster, Outcome, Prediction, Removed

# The length of the first array: a call is shown as "diff(int[9], int[9], 9)".
_LENGTH = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True)
class Ready:
    """A prediction that a file is ready for.

    `counted` is the value that a number is compared with, counted in `call`, and `without` the
    file's text without the statement of line `line`.
    """

    prediction: Prediction
    counted: float | None = None
    call: str = ""
    without: str = ""
    line: int = 0

    @property
    def asks(self) -> str:
        """The question, with what this file and its call have in place of {line}, {call}, {n}."""
        length = _LENGTH.search(self.call)
        values = {
            "{line}": str(self.line),
            "{call}": self.call,
            "{n}": written(int(length[1])) if length else "",
        }
        asks = self.prediction.ask
        for name, value in values.items():
            asks = asks.replace(name, value)
        return asks


def next_one(
    predictions: Sequence[Prediction], result: Result, lab: Lab, predicted: Predicted
) -> Ready | None:
    """The first prediction that this result answers and that is not settled.

    Those that were skipped come after the others.
    """
    code = code_of(result.source)
    possible = [
        ready
        for one in predictions
        if _is_right(result, lab, one.tests)
        if one.when == "right" or _has_passed(result, lab)
        if (ready := _ready(one, result, code)) is not None
        if not predicted.is_settled(one.id, ready.counted)
    ]
    # The order of equals stays.
    by_skips = sorted(possible, key=lambda one: predicted.skipped.get(one.prediction.id, 0))
    return next(iter(by_skips), None)


def counted(prediction: Counted, calls: Sequence[Call]) -> Ready | None:
    """What its metric is in the first call of its function that counts it. None if none does."""
    for call in calls:
        if prediction.call and not call.call.startswith(f"{prediction.call}("):
            continue
        metric = counts.find(prediction.metric, [call])
        if metric and metric.is_counted([call]):
            return Ready(prediction, metric.value([call]), call.call)
    return None


def without(text: str, prediction: Removed, code: Code | None = None) -> tuple[str, int] | None:
    """The text without the statement, and its line. None if there is none on a line of its own."""
    lines = text.splitlines()
    found = [
        place.start
        for place in (code or code_of(text)).lines_of(_expression(prediction.statement))
        if prediction.statement in lines[place.start - 1]
    ]
    if not found:
        return None
    line = found[0] if prediction.place == "first" else found[-1]
    # A ; stays, so that `else` and loops before it keep a statement, and all lines their numbers.
    lines[line - 1] = lines[line - 1].replace(prediction.statement, ";", 1)
    return "\n".join(lines) + "\n", line


def outcome_of(ready: Ready, lab: Lab, session: Session) -> Outcome | None:
    """What happens to the file without the statement. None if no choice says that.

    Raises Stopped.
    """
    prediction = ready.prediction
    assert isinstance(prediction, Removed)
    asked = {name for one in prediction.choices for name in one.fails}
    judged = replace(lab, criteria=tuple(one for one in lab.criteria if one.name in asked))
    with work_folder() as work:
        path = work / f"{lab.name}.cu"
        path.write_text(ready.without, encoding="utf-8")
        result = submission.grade(path, judged, session)
    if result.verdict != "graded":
        return None
    fails = {one.name for one in result.criteria if one.falls_short}
    return next((one for one in prediction.choices if {*one.fails} == fails), None)


def _ready(prediction: Prediction, result: Result, code: Code) -> Ready | None:
    if isinstance(prediction, Counted):
        return counted(prediction, result.calls)
    if isinstance(prediction, Faster):
        return Ready(prediction)
    found = without(result.source, prediction, code)
    return Ready(prediction, without=found[0], line=found[1]) if found else None


def _is_right(result: Result, lab: Lab, tests: str) -> bool:
    """Whether the tests of the results that have `tests` in their names passed. There are some."""
    about_results = {one.name for one in lab.criteria if one.needs is None}
    cases = [case for one in result.criteria if one.name in about_results for case in one.cases]
    asked = [case.passed for case in cases if tests in case.name]
    return bool(asked) and all(asked)


def _has_passed(result: Result, lab: Lab) -> bool:
    """Whether nothing but speed falls short."""
    timed = {one.name for one in lab.criteria if one.curve is not None}
    return not any(one.falls_short and one.name not in timed for one in result.criteria)


def _expression(statement: str) -> str:
    """What finds a statement in a text without white space."""
    return re.escape("".join(statement.split()))
