"""How the quiz behaves on a terminal, and without one."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys

import pytest

from support import REPO, needs_terminal
from tilelab.labs import lab
from tilelab.tutor import quiz

COMMAND = [sys.executable, "-P", "-m", "tilelab", "quiz", "diff"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(REPO / "grading"), "TERM": "dumb"}
ANSWERS = ["12", "3", "2", "1.9", "1.2", "12,288"]


def ask(answers: str) -> subprocess.CompletedProcess[str]:
    result = subprocess.run(
        COMMAND, env=ENVIRONMENT, input=answers, capture_output=True, text=True, timeout=60
    )
    assert "Traceback" not in result.stdout + result.stderr
    return result


def test_all_questions_are_asked_and_explained() -> None:
    result = ask("\n".join(ANSWERS) + "\n")
    assert result.returncode == 0
    assert result.stdout.count("Correct.") == 6
    for question in quiz.load(lab.load("diff")):
        assert question.ask in result.stdout and question.why in result.stdout
    assert result.stdout.endswith("\n6 of 6 correct.\n")


def test_a_wrong_answer_is_told_and_bad_input_asked_again() -> None:
    result = ask("\n".join(["a dozen", "", "11", *ANSWERS[1:-1], "0", ""]))
    assert result.stdout.count("Please enter a number") == 2
    assert "No, it is 12." in result.stdout
    assert "No, it is 12,288." in result.stdout
    assert result.stdout.endswith("\n4 of 6 correct.\n")


def test_an_end_in_the_middle_is_polite() -> None:
    result = ask("12\n0\n")
    assert result.returncode == 1
    assert result.stdout.endswith("\nStopped: 1 of 2 correct.\n")
    assert result.stderr == ""


def test_without_input_there_is_one_clear_line() -> None:
    result = ask("")
    assert (result.returncode, result.stderr) == (
        2,
        "tilelab: the quiz needs your answers, and the input is empty: run it in a terminal\n",
    )
    closed = subprocess.run(
        ["sh", "-c", '"$@" <&-', "sh", *COMMAND], env=ENVIRONMENT, capture_output=True, text=True
    )
    assert closed.returncode == 2
    assert closed.stderr.startswith("tilelab: the quiz needs your answers")
    assert closed.stderr.count("\n") == 1


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # the child has closed its end
        return b""


@needs_terminal
@pytest.mark.parametrize("key", [b"\x04", b"\x03"], ids=["Ctrl-D", "Ctrl-C"])
def test_a_key_ends_it_politely(key: bytes) -> None:
    child, terminal = pty.fork()
    if child == 0:
        # Tests that run in the background ignore Ctrl-C, and the child would inherit that.
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
    assert b"Stopped: 0 of 0 correct." in said
    assert b"Traceback" not in said
