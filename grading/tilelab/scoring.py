"""From tests and times to points. Pure functions: no files, no processes."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence

from tilelab.errors import InfraError
from tilelab.judge import Case
from tilelab.lab import Criterion, Lab, SpeedCurve
from tilelab.records import CriterionResult, Status
from tilelab.text import points, shorten

_MAX_MESSAGES = 5
_MAX_LENGTH = 600

_PATTERN = re.compile(r"\s*\[pattern: ([\w-]+)\]\s*$")


def from_cases(criterion: Criterion, cases: Sequence[Case], lab: Lab) -> CriterionResult:
    """Points in proportion to the test cases that passed."""
    passed = sum(case.passed for case in cases)
    earned = criterion.points * passed / len(cases)
    messages = _first([_messages(case, lab) for case in cases])
    return _result(criterion, earned, messages, patterns_of(cases))


def patterns_of(cases: Sequence[Case]) -> tuple[str, ...]:
    """The ids of the patterns that the failures have, each once, the first failure's first."""
    texts = (text for case in cases if not case.passed for text in case.messages)
    matches = (_PATTERN.search(text) for text in texts)
    return tuple(dict.fromkeys(match[1] for match in matches if match))


def from_speed(
    criterion: Criterion, curve: SpeedCurve, metrics: Mapping[str, float | str], notes: list[str]
) -> CriterionResult:
    """Points for the measured speed-up, with the judge's notes on it.

    Raises InfraError if the measurement cannot be used.
    """
    own, reference = _speedup(metrics, "speedup"), _speedup(metrics, "reference_speedup")
    fraction = speed_fraction(own, reference, curve)
    message = f"{own:.2f} times as fast as the baseline; the reference solution: {reference:.2f}."
    if fraction < 1:
        message += f" Points begin at {curve.start:g} and are full at {curve.full * reference:.2f}."
    return _result(criterion, criterion.points * fraction, [message, *notes])


def speed_fraction(speedup: float, reference: float, curve: SpeedCurve) -> float:
    """0 at `curve.start`, 1 at `curve.full` of the reference's speed-up, logarithmic between.

    Raises InfraError if the reference is not faster than where points begin: such a run measured
    the machine, not the submission.
    """
    if not all(math.isfinite(value) and value > 0 for value in (speedup, reference)):
        raise InfraError("the measured times cannot be used.")
    full = curve.full * reference
    if not full > curve.start:
        raise InfraError(
            f"the reference solution was only {reference:.2f} times as fast as the baseline, so "
            "speed cannot be graded here: is something else using the GPU?"
        )
    fraction = math.log(speedup / curve.start) / math.log(full / curve.start)
    return min(1.0, max(0.0, fraction))


def not_run(criterion: Criterion, why: str) -> CriterionResult:
    """No points and no verdict: what was not tested was not failed."""
    return CriterionResult(criterion.name, "not_run", 0.0, criterion.points, [f"NOT RUN: {why}"])


def failed(criterion: Criterion, message: str) -> CriterionResult:
    return CriterionResult(criterion.name, "fail", 0.0, criterion.points, [message])


def _result(
    criterion: Criterion, earned: float, messages: list[str], patterns: tuple[str, ...] = ()
) -> CriterionResult:
    earned = round(earned, 2)
    status: Status = "pass" if earned >= criterion.points else "partial" if earned > 0 else "fail"
    return CriterionResult(criterion.name, status, earned, criterion.points, messages, patterns)


def _messages(case: Case, lab: Lab) -> list[str]:
    if case.passed:
        return [f"{case.name}: {note}" for note in case.messages]
    texts = case.messages or ["failed."]
    return [shorten(f"{case.name}: {_with_hint(text, lab)}", _MAX_LENGTH) for text in texts]


def _with_hint(text: str, lab: Lab) -> str:
    match = _PATTERN.search(text)
    if match is None:
        return text
    hint = lab.hints.get(match[1])
    return text[: match.start()] + (f" {hint}" if hint else "")


def _first(per_case: list[list[str]]) -> list[str]:
    """The first failure of each test, then the second ones, as far as they find room."""
    rounds = itertools.zip_longest(*per_case)
    messages = [message for one_each in rounds for message in one_each if message is not None]
    shown, more = messages[:_MAX_MESSAGES], len(messages) - _MAX_MESSAGES
    if more > 0:
        note = f" (... and {more} more)"
        shown[-1] = shorten(shown[-1], _MAX_LENGTH - len(note)) + note
    return shown


def _speedup(metrics: Mapping[str, float | str], key: str) -> float:
    value = metrics.get(key)
    if not isinstance(value, int | float):
        raise InfraError(f"the judge measured no {key}.")
    return float(value)


def describe(result: CriterionResult) -> str:
    """The points of a row: '45 / 60'."""
    return f"{points(result.points)} / {points(result.max)}"
