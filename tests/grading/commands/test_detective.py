"""`tilelab detective` on a terminal, and without one."""

from __future__ import annotations

import subprocess

import pytest

from typed import run


def detective(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return run("detective", *arguments, given=given)


def test_the_list_says_how_to_look_and_not_what_is_wrong() -> None:
    said = detective("diff").stdout
    assert "\n  ./tilelab show diff labs/diff/cases/borrowed.cu\n" in said
    assert "one_at_a_time" in said and "neighbor comes from global memory" not in said
    assert max(map(len, said.splitlines())) <= 80


def test_line_and_sentence_are_asked_and_explained() -> None:
    right = detective("diff", "borrowed", given="19\na\n")
    assert right.returncode == 0 and right.stdout.count("Correct.") == 2
    assert right.stdout.endswith("\nLine 19 without the fault:\n  left = tile[tx - 1];\n")
    wrong = detective("diff", "borrowed", given="here\n3\nx\nb\n").stdout
    assert "Please enter the number of a line." in wrong
    assert "Please enter a letter from a to d." in wrong
    assert "No, it is line 19." in wrong and "No, it is a." in wrong


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nope"], "no lab 'nope'"),
        (["diff", "nope"], "there is no case 'nope'"),
        (["diff", "borrowed"], "the case needs your answers"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: list[str], says: str) -> None:
    finished = detective(*arguments)
    assert finished.returncode == 2
    assert says in finished.stderr and finished.stderr.count("\n") == 1
