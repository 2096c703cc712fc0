"""`tilelab progress`, and what a prediction means, on a terminal of 80 columns."""

from __future__ import annotations

import datetime
import io

from msgspec.structs import replace
from rich.console import Console

from tilelab.labs import lab
from tilelab.screens.learning.prediction import (
    show_counted,
    show_faster,
    show_outcome,
    show_question,
    written,
)
from tilelab.screens.learning.understanding import show_understanding
from tilelab.tutor.predict import predictions
from tilelab.tutor.predict.predicted import Answer
from tilelab.tutor.predict.predicting import Ready
from tilelab.tutor.predict.predictions import Counted, Faster, Removed
from tilelab.tutor.predict.understanding import Understanding

DIFF, TRANSPOSE = lab.load("diff"), lab.load("transpose")
DAY = datetime.datetime(2026, 11, 26, tzinfo=datetime.UTC)


class Screen:
    """A terminal of 80 columns, and what it shows."""

    def __init__(self) -> None:
        self.console = Console(file=io.StringIO(), width=80, highlight=False)

    @property
    def lines(self) -> list[str]:
        assert isinstance(self.console.file, io.StringIO)
        lines = [line.rstrip() for line in self.console.file.getvalue().splitlines()]
        assert all(len(line) <= 80 for line in lines)
        return lines

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.lines).split())


def answers(rights: str, first_day: int = 0) -> list[Answer]:
    """Answers on successive days: a 1 is right."""
    return [
        Answer(f"q{day}", right == "1", DAY + datetime.timedelta(days=first_day + day))
        for day, right in enumerate(rights)
    ]


def test_before_the_first_prediction() -> None:
    screen = Screen()
    show_understanding(screen.console, [Understanding(DIFF, 4, [])], 0)
    assert screen.text.startswith("No predictions yet. ./tilelab check asks for one")
    assert len(screen.lines) == 2


def test_a_row_per_lab_and_the_course_in_halves() -> None:
    screen = Screen()
    labs = [
        Understanding(DIFF, 4, answers("0010")),
        Understanding(TRANSPOSE, 5, answers("111", first_day=10)),
        Understanding(lab.load("nbody"), 5, []),
    ]
    show_understanding(screen.console, labs, 1)
    assert [line.split() for line in screen.lines[3:5]] == [
        "diff 4 of 4 1 of 4 0 of 2 1 of 2".split(),
        "transpose 3 of 5 3 of 3 1 of 1 2 of 2".split(),
    ]
    assert "nbody" not in screen.text
    assert "In all: 1 of your first 3 were right, and 3 of the last 4." in screen.text
    assert screen.lines[-1] == "The quiz has 1 question for you once more: ./tilelab quiz"


def _of(kind: type[predictions.Prediction]) -> predictions.Prediction:
    return next(one for one in predictions.load(DIFF) if isinstance(one, kind))


def test_a_number() -> None:
    screen, prediction = Screen(), _of(Counted)
    assert isinstance(prediction, Counted)
    assert not show_counted(screen.console, prediction, 2.0, 1.0039)
    assert screen.text.startswith("You said 2, but your kernel makes 1.004 loads per element: What")
    assert show_counted(screen.console, prediction, 1.0, 1.0039)
    show_counted(screen.console, replace(prediction, says="a load takes {} sectors"), 1.0, 1.0)
    assert "You said 1, which is right: a load takes 1 sector. " in screen.text


def test_a_line_that_was_removed() -> None:
    screen, prediction = Screen(), _of(Removed)
    assert isinstance(prediction, Removed)
    ready = Ready(prediction, without="x", line=19)
    show_question(screen.console, ready)
    assert screen.lines[0].startswith("Predict: Without the barrier in line 19, what would")
    assert [line[:5] for line in screen.lines if line[:1] == " "] == ["  1  ", "  2  ", "  3  "]
    worst = next(one for one in prediction.choices if len(one.fails) == 2)
    number = prediction.choices.index(worst) + 1
    assert show_outcome(screen.console, ready, number, worst)
    assert f"You said {number}, and so it is. Your kernel was checked" in screen.text
    assert "without `__syncthreads();` in line 19: A thread read" in screen.text
    assert not show_outcome(screen.console, ready, number % 3 + 1, worst)
    assert f"and it is {number}." in screen.text
    assert show_outcome(screen.console, ready, 1, None) is None


def test_two_kernels() -> None:
    screen, prediction = Screen(), _of(Faster)
    assert isinstance(prediction, Faster)
    assert not show_faster(screen.console, prediction, 2)
    assert "You said 2, and it is 1 (0.829 ms against 0.961 ms on an H200): The" in screen.text
    assert show_faster(screen.console, prediction, 1)


def test_numbers_are_short() -> None:
    values = [1.0039, 2.0, 0.0156, 31.8841, 513.7, 104847360.0]
    assert [written(one) for one in values] == [
        "1.004",
        "2",
        "0.016",
        "31.9",
        "513.7",
        "104,847,360",
    ]
