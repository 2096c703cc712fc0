"""The quiz: what its file may contain, and which answers are correct."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilelab.base.errors import UserError
from tilelab.model.lab import Lab
from tilelab.tutor import quiz
from tilelab.tutor.numbers import number_from
from tilelab.tutor.quiz import Question, Wrong

GOOD = """
[[questions]]
ask = "How many?"
answer = 10240
why = "Because."
[[questions]]
ask = "How large?"
answer = -0.5
tolerance = 0.25
why = "So."
[[questions.wrong]]
answer = 0.5
why = "The sign."
"""


def load(tmp_path: Path, text: str) -> list[Question]:
    path = tmp_path / "labs" / "diff" / "quiz.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return quiz.load(Lab("diff", "x", (), repo=tmp_path))


def test_all_fields(tmp_path: Path) -> None:
    assert load(tmp_path, GOOD) == [
        Question("How many?", 10240, "Because."),
        Question("How large?", -0.5, "So.", 0.25, (Wrong(0.5, "The sign."),)),
    ]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('ask = "How many?"', "", "questions[1].ask is missing: it must be a non-empty string"),
        ("answer = 10240", "", "questions[1].answer is missing: it must be a number"),
        ("answer = 10240", "answer = '3'", "questions[1].answer must be a number"),
        ("answer = 10240", "answer = true", "questions[1].answer must be a number"),
        ("answer = 10240", "answer = inf", "questions[1].answer must be a number"),
        ("tolerance = 0.25", "tolerance = -1", "questions[2].tolerance must not be negative"),
        ("tolerance = 0.25", "slack = 1", "unknown key questions[2].slack; expected one of ask"),
        ('why = "Because."', "", "questions[1].why is missing: it must be a non-empty string"),
        ("answer = 0.5", "answer = -0.4", "questions[2].wrong has the answer -0.4, which is right"),
        (
            'why = "The sign."',
            "",
            "questions[2].wrong[1].why is missing: it must be a non-empty string",
        ),
        ('why = "The sign."', "x = 1", "unknown key questions[2].wrong[1].x; expected one of"),
        ("[[questions]]", "[[question]]", "unknown key question; expected one of questions"),
        (GOOD, "", "needs at least one [[questions]]"),
        (GOOD, "questions = 3", "questions must be an array of tables: [[questions]]"),
        (GOOD, "[[questions", "labs/diff/quiz.toml: "),
    ],
)
def test_a_mistake_is_one_clear_line(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert old in GOOD
    with pytest.raises(UserError) as caught:
        load(tmp_path, GOOD.replace(old, new, 1))
    assert sentence in str(caught.value)
    assert "labs/diff/quiz.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_lab_without_a_quiz_says_so(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"diff has no quiz: .*labs/diff/quiz\.toml does not exist"):
        quiz.load(Lab("diff", "x", (), repo=tmp_path))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12),
        (" 12 ", 12),
        ("-0.25", -0.25),
        (".5", 0.5),
        ("5.", 5),
        ("1e3", 1000),
        ("104,847,360", 104847360),
        ("1,234.5", 1234.5),
        ("1,2", None),  # 1.2 or 12?
        ("12,34,567", None),
        ("", None),
        ("-", None),
        (".", None),
        ("e5", None),
        ("nan", None),
        ("1e999", None),
        ("twelve", None),
        ("12 bytes", None),
    ],
)
def test_numbers_as_people_write_them(text: str, number: float | None) -> None:
    assert number_from(text) == number


@pytest.mark.parametrize(
    ("given", "right"), [(0.1 + 0.2, True), (0.31, True), (0.26, True), (0.3501, False)]
)
def test_an_answer_may_be_off_by_the_tolerance(given: float, right: bool) -> None:
    assert Question("?", 0.3, "!", 0.05).accepts(given) == right


def test_without_a_tolerance_the_answer_is_exact() -> None:
    question = Question("?", 104847360, "!")
    assert question.accepts(104847360) and not question.accepts(104847361)


def test_a_misconception_is_known_by_its_answer() -> None:
    question = Question("?", 10, "!", 0.5, (Wrong(4, "Four."), Wrong(7, "Seven.")))
    assert question.misconception(4.5) == "Four."
    assert question.misconception(7) == "Seven."
    assert question.misconception(5) == ""
