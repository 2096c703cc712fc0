"""A prediction on a terminal: the question, and what the answer means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.console import Console

from tilelab.screens.layout import wrapped
from tilelab.tutor.predict.predicting import Ready
from tilelab.tutor.predict.predictions import Counted, Faster, Outcome, Removed

_WIDEST = 80


def show_question(console: Console, ready: Ready) -> None:
    """Prints the question, with numbers before its choices if it has some."""
    prediction = ready.prediction
    _print(console, f"Predict: {ready.asks}", style="bold")
    if isinstance(prediction, Counted):
        return
    for number, text in enumerate([one.text for one in prediction.choices], 1):
        _print(console, text, first=f"  {number}  ", rest="     ")


def show_counted(console: Console, prediction: Counted, given: float, counted: float) -> bool:
    """Prints what was counted, and what the difference means. Returns whether it was right."""
    is_right = prediction.accepts(given, counted)
    says = _with(prediction.says, written(counted))
    means = prediction.means(given, counted)
    said = f"You said {written(given)}"
    # What was counted may differ from a right answer, so it has to say that it is right.
    meant = f", which is right: {says}. {means}" if is_right else f", but {says}: {means}"
    _print(console, said + meant, style=_style(is_right))
    return is_right


def show_outcome(
    console: Console, ready: Ready, given: int, outcome: Outcome | None
) -> bool | None:
    """The same for what happened without a line. If no choice says that, nobody is right."""
    prediction = ready.prediction
    assert isinstance(prediction, Removed)
    said, without = f"You said {given}", f"without `{prediction.statement}` in line {ready.line}"
    if outcome is None:
        _print(console, f"{said}. Checked {without}, your kernel did none of that.")
        return None
    is_right = prediction.choices[given - 1] is outcome
    number = prediction.choices.index(outcome) + 1
    verdict = "and so it is" if is_right else f"and it is {number}"
    text = f"{said}, {verdict}. Your kernel was checked {without}: {outcome.says}"
    _print(console, text, style=_style(is_right))
    return is_right


def show_faster(console: Console, prediction: Faster, given: int) -> bool:
    """The same for which version is fastest."""
    answer = prediction.answer
    is_right = prediction.choices[given - 1] is answer
    number = prediction.choices.index(answer) + 1
    verdict = "and so it is" if is_right else f"and it is {number}"
    times = " against ".join(f"{one.ms:.3g} ms" for one in prediction.choices)
    means = prediction.right if is_right else prediction.wrong
    text = f"You said {given}, {verdict} ({times} on an {prediction.gpu}): {means}"
    _print(console, text, style=_style(is_right))
    return is_right


def written(value: float) -> str:
    """A number as short as it may be: 1.004, 32, 104,847,360."""
    digits = 3 if abs(value) < 10 else 1 if abs(value) < 1000 else 0
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _with(says: str, value: str) -> str:
    """The sentence with the value in place of {}, and one of a thing without its plural's s."""
    if value == "1":
        says = re.sub(r"\{\} (\w+)s\b", r"{} \1", says)
    return says.replace("{}", value)


def _style(is_right: bool) -> str:
    return "green" if is_right else "yellow"


def _print(
    console: Console, text: str, *, first: str = "", rest: str = "", style: str = ""
) -> None:
    width = min(console.width, _WIDEST)
    lines: Sequence[object] = wrapped(text, width, first=first, rest=rest, style=style)
    for line in lines:
        console.print(line)
