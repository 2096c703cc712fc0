"""The quiz: what its file may hold, which answers count, and how it behaves on a terminal."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPO

from tilelab.base.errors import UserError
from tilelab.score import lab
from tilelab.tutor import quiz
from tilelab.tutor.quiz import Question

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
"""
COMMAND = [sys.executable, "-P", "-m", "tilelab", "quiz", "diff"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(REPO / "grading"), "TERM": "dumb"}
ANSWERS = ["12", "3", "2", "1.9", "1.2", "12,288"]


def load(tmp_path: Path, text: str) -> list[Question]:
    path = tmp_path / "labs" / "diff" / "quiz.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return quiz.load(lab.Lab("diff", "x", (), repo=tmp_path))


def test_all_fields(tmp_path: Path) -> None:
    assert load(tmp_path, GOOD) == [
        Question("How many?", 10240, 0, "Because."),
        Question("How large?", -0.5, 0.25, "So."),
    ]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('ask = "How many?"', "", "questions[1].ask must be a text"),
        ("answer = 10240", "", "questions[1].answer must be a number"),
        ("answer = 10240", "answer = '3'", "questions[1].answer must be a number"),
        ("answer = 10240", "answer = true", "questions[1].answer must be a number"),
        ("answer = 10240", "answer = inf", "questions[1].answer must be a number"),
        ("tolerance = 0.25", "tolerance = -1", "questions[2].tolerance must not be below 0"),
        ("tolerance = 0.25", "tolerence = 1", "unknown key questions[2].tolerence; known are ask"),
        ('why = "Because."', "", "questions[1].why must be a text"),
        ("[[questions]]", "[[question]]", "unknown key question; known are questions"),
        (GOOD, "", "needs at least one [[questions]]"),
        (GOOD, "questions = 3", "questions must be tables: [[questions]]"),
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
    with pytest.raises(UserError, match=r"diff has no quiz: there is no .*labs/diff/quiz\.toml"):
        quiz.load(lab.Lab("diff", "x", (), repo=tmp_path))


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
    assert quiz.number_from(text) == number


@pytest.mark.parametrize(
    ("given", "right"), [(0.1 + 0.2, True), (0.31, True), (0.26, True), (0.3501, False)]
)
def test_an_answer_may_be_off_by_the_tolerance(given: float, right: bool) -> None:
    assert Question("?", 0.3, 0.05, "!").accepts(given) == right


def test_without_a_tolerance_the_answer_is_exact() -> None:
    question = Question("?", 104847360, 0, "!")
    assert question.accepts(104847360) and not question.accepts(104847361)


def ask(answers: str) -> subprocess.CompletedProcess[str]:
    result = subprocess.run(
        COMMAND, env=ENVIRONMENT, input=answers, capture_output=True, text=True, timeout=60
    )
    assert "Traceback" not in result.stdout + result.stderr
    return result


def test_all_questions_are_asked_and_explained() -> None:
    result = ask("\n".join(ANSWERS) + "\n")
    assert result.returncode == 0
    assert result.stdout.count("Right.") == 6
    for question in quiz.load(lab.load("diff")):
        assert question.ask in result.stdout and question.why in result.stdout
    assert result.stdout.endswith("\n6 of 6 right.\n")


def test_a_wrong_answer_is_told_and_bad_input_asked_again() -> None:
    result = ask("\n".join(["a dozen", "", "11", *ANSWERS[1:-1], "0", ""]))
    assert result.stdout.count("Please give a number") == 2
    assert "No: it is 12." in result.stdout
    assert "No: it is 12,288." in result.stdout
    assert result.stdout.endswith("\n4 of 6 right.\n")


def test_an_end_in_the_middle_is_polite() -> None:
    result = ask("12\n0\n")
    assert result.returncode == 1
    assert result.stdout.endswith("\nStopped: 1 of 2 answered right.\n")
    assert result.stderr == ""


def test_without_input_there_is_one_clear_line() -> None:
    result = ask("")
    assert (result.returncode, result.stderr) == (
        2,
        "tilelab: the quiz asks for answers, and the input has none: run it in a terminal\n",
    )
    closed = subprocess.run(
        ["sh", "-c", '"$@" <&-', "sh", *COMMAND], env=ENVIRONMENT, capture_output=True, text=True
    )
    assert closed.returncode == 2
    assert closed.stderr.startswith("tilelab: the quiz asks for answers")
    assert closed.stderr.count("\n") == 1


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # the child has closed its end
        return b""


@pytest.mark.parametrize("key", [b"\x04", b"\x03"], ids=["Ctrl-D", "Ctrl-C"])
def test_a_key_ends_it_politely(key: bytes) -> None:
    child, terminal = pty.fork()
    if child == 0:
        # Whoever runs the tests in the background has Ctrl-C ignored, and so would the child.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        os.execve(COMMAND[0], COMMAND, ENVIRONMENT)
    said = b""
    sent = False
    silent = 0
    while True:
        if not select.select([terminal], [], [], 5)[0]:
            # Python may miss a Ctrl-C that comes just before it begins to read: press it again.
            sent = False
            silent += 1
            if silent == 12:
                os.kill(child, signal.SIGKILL)
                pytest.fail("the quiz went on after the key")
        elif not (piece := _read(terminal)):
            break
        else:
            said += piece
        if b"Your answer" in said and not sent:
            os.write(terminal, key)
            sent = True
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
    assert b"Stopped: 0 of 0 answered right." in said
    assert b"Traceback" not in said
