"""`tilelab parsons` on a terminal, and without one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pseudo_terminal import Terminal, plain
from support import PRESENTED_LABS, needs_terminal
from typed import command, run

pytestmark = pytest.mark.drawn(pool="parsons from outside", count=6)

RIGHT = "5,2,7,1,9,4,10"  # of diff
RACE = "5,2,1,7,9,4,10"


def parsons(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run("parsons", *arguments)


@pytest.mark.drawn(pool="shuffled", count=2)
@pytest.mark.parametrize("name", PRESENTED_LABS)
def test_the_lines_fit_a_small_terminal_and_it_says_how_to_answer(name: str) -> None:
    finished = parsons(name)
    lines = finished.stdout.splitlines()
    assert finished.returncode == 0
    assert len(lines) <= 23 and max(map(len, lines)) <= 80  # the 24th is for the next command
    assert lines[-1] == f"Answer with: ./tilelab parsons {name} --order 3,1,2,..."


def test_a_right_order_passes_and_of_a_wrong_one_the_first_line_is_explained() -> None:
    right = parsons("diff", "--order", RIGHT)
    assert (right.returncode, right.stdout) == (0, "Correct.\n")
    wrong = parsons("diff", "--order", RACE.replace(",", ", "))
    assert wrong.returncode == 1
    assert wrong.stdout.startswith(
        "Not yet. Line 3 of your order is out of place:\n  __syncthreads();\nThe barrier has to"
    )
    for early, line in {"5,2,7,9,1,4,10": 4, "5,2,9,7,1,4,10": 3}.items():
        said = parsons("diff", "--order", early).stdout
        assert f"Line {line} of your order is out of place:\n  if (i >= n) return;" in said
        assert "Every thread of the block has to reach __syncthreads()" in said
    taken = parsons("diff", "--order", RIGHT.replace("7", "8")).stdout
    assert "  if (i <= n) tile[tx] = in[i];\nThe last element has the number n - 1" in taken


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nope"], "no lab 'nope'"),
        (["diff", "--order", "1,2"], "the order must have 7 numbers, not 2"),
        (["diff", "--order", "1,2,3,4,5,6,11"], "the order must have numbers from 1 to 10, such"),
        (["diff", "--order", "one"], "the order must have numbers from 1 to 10, such"),
        (["diff", "--order", "1,2,3,4,5,6,6"], "the order must have each number only once"),
        (["diff", "--order", ""], "the order must have 7 numbers, not 0"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: list[str], says: str) -> None:
    finished = parsons(*arguments)
    assert finished.returncode == 2
    assert says in finished.stderr and finished.stderr.count("\n") == 1


def in_terminal(folder: Path, *keys: str) -> str:
    """What it says after these answers."""
    terminal = Terminal(command("parsons", "diff"), folder)
    try:
        for key in keys:
            terminal.answer("(Enter skips)", key)
        assert terminal.has_ended() == 0
        said = terminal.said
    finally:
        terminal.close()
    return plain(said)


@needs_terminal
def test_there_is_a_second_try(tmp_path: Path) -> None:
    assert "Correct." in in_terminal(tmp_path, "1 2\n", f"{RACE}\n", f"{RIGHT}\n")


@needs_terminal
def test_after_the_second_try_the_answer_is_shown(tmp_path: Path) -> None:
    said = in_terminal(tmp_path, f"{RACE}\n", f"{RACE}\n")
    assert "\nOne right order:\n__global__ void diff_kernel" in said
    assert "\n  const int tx = threadIdx.x;\n" in said and said.endswith("\n}\n")


@needs_terminal
@pytest.mark.parametrize("key", ["\n", "\x04"])
def test_enter_and_the_end_of_the_input_skip(key: str, tmp_path: Path) -> None:
    said = in_terminal(tmp_path, key)
    assert "Correct" not in said and "Not yet" not in said and "right order" not in said
