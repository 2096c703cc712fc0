"""How the quiz behaves on a terminal, and without one."""

from __future__ import annotations

import datetime
import json
import os
import pty
import select
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

import typed
from support import needs_terminal
from tilelab.labs import lab
from tilelab.tutor import quiz, recall

COMMAND = typed.command("quiz", "diff")
ENVIRONMENT = typed.environment(columns=80, TERM="dumb")
ANSWERS = ["12", "3", "2", "1.9", "1.2", "12,288"]


@pytest.fixture(autouse=True)
def _own_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENVIRONMENT, "TILELAB_PROGRESS", str(tmp_path))
    monkeypatch.setenv("TILELAB_PROGRESS", str(tmp_path))


def in_words(text: str) -> str:
    return " ".join(text.split())


def ask(answers: str, words: Sequence[str | Path] = ("diff",)) -> subprocess.CompletedProcess[str]:
    return typed.run("quiz", *words, given=answers, env=ENVIRONMENT)


def test_all_questions_are_asked_and_explained() -> None:
    result = ask("\n".join(ANSWERS) + "\n")
    assert result.returncode == 0
    assert result.stdout.count("Correct.") == 6
    said = in_words(result.stdout)
    for question in quiz.load(lab.load("diff")):
        assert question.ask in said and question.why in said
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    assert result.stdout.endswith("\n6 of 6 correct.\n")


def test_a_wrong_answer_gets_its_misconception_and_a_second_try() -> None:
    result = ask("\n".join(["a dozen", "12,", "10", "12", *ANSWERS[1:-1], "49152", "0", ""]))
    assert result.stdout.count("Please enter a number") == 2
    said = in_words(result.stdout)
    first = said.partition("2 of 6")[0]
    assert "Not 10. A block always starts with all of its threads" in first
    assert "Try again. Your answer (Enter skips): Correct." in first and "No, it is" not in first
    assert "Not 49,152. That is the number of bytes." in said
    assert "No, it is 12,288." in said
    assert result.stdout.endswith("\n4 of 6 correct, and 1 more at the second try.\n")


def test_an_unknown_mistake_is_no_misconception() -> None:
    said = in_words(ask("11\n13\n").stdout)
    assert "Not 11. Work it out on paper once more. Try again." in said
    assert "Your answer (Enter skips): No, it is 12." in said


def test_enter_skips_a_question_or_a_second_try() -> None:
    result = ask("\n".join(["", "5", "", *ANSWERS[2:]]) + "\n")
    said = in_words(result.stdout)
    assert "Try again. Your answer (Enter skips): No, it is 3." in said
    assert "No, it is 12." not in said
    assert result.returncode == 0 and result.stdout.endswith("\n4 of 5 correct.\n")


def test_what_was_wrong_comes_again_after_days() -> None:
    ask("\n".join(["10", "12", *ANSWERS[1:]]) + "\n")
    assert "first." not in ask("12\n").stdout  # on the same day it does not
    path = Path(ENVIRONMENT["TILELAB_PROGRESS"], "diff.quiz.json")
    kept = json.loads(path.read_text())
    (question,) = kept["waiting"]
    ago = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=8)
    kept["waiting"][question]["at"] = ago.isoformat()
    path.write_text(json.dumps(kept))
    result = ask("\n".join(ANSWERS) + "\n")
    assert result.stdout.startswith("1 question from last week first.\n\n1 of 6. For n = 10")
    assert in_words(result.stdout).count(question) == 1
    assert json.loads(path.read_text())["waiting"][question]["right"] == 1


def test_without_a_lab_only_those_are_asked() -> None:
    done = ask("", [])
    assert done.returncode == 0 and "Nothing to ask again today." in done.stdout
    diff = lab.load("diff")
    question = quiz.load(diff)[1]
    recall.note(diff, question, False, datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC))
    done = ask("3\n", [])
    assert "1 question from" in done.stdout and done.stdout.endswith("\n1 of 1 correct.\n")


def test_a_file_gets_questions_of_its_own() -> None:
    tile = lab.load("diff").step("02_tile")
    own = ["5", "3", "2", "1", "4"]  # a wrong answer among them
    result = ask("\n".join([*ANSWERS, *own]) + "\n", ["diff", tile])
    assert result.returncode == 0, result.stderr
    said = in_words(result.stdout)
    assert (
        "Now your own kernel, in diff(int[40], int[40], 40). This is a copy of 02_tile.cu" in said
    )
    assert "1 of 4 about your kernel. Which thread of block 0 stores tile[5]?" in said
    assert "They do it in lines 26 and 30." in said
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    assert result.stdout.endswith("\n9 of 10 correct, and 1 more at the second try.\n")


def test_an_end_in_the_middle_is_polite() -> None:
    result = ask("12\n0\n0\n")
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
