"""`watch` as a student has it: on a terminal, with keys, and without one."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import typed
from pseudo_terminal import SECONDS, Terminal
from support import REPO, needs_terminal
from tilelab.pipeline.harness.session import Session

SOLUTION = (REPO / "solutions" / "diff" / "diff.cu").read_text()
WRONG = (REPO / "solutions" / "diff" / "mistakes" / "missing_barrier.cu").read_text()
BROKEN = WRONG.replace("__shared__ int", "__shared__ imt")
LOOP = '#include "diff.h"\nvoid diff(const int*, int*, int) { for (volatile int i = 0;; ++i) {} }\n'

pytestmark = [needs_terminal, pytest.mark.drawn(pool="watching", count=1)]


def command(file: Path) -> list[str]:
    return typed.command("watch", "diff", file, "--backend", "emulator", "--seed", "7")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.cu"
    path.write_text(WRONG)
    return path


@pytest.fixture
def terminal(file: Path, tmp_path: Path, emulator: Session) -> Iterator[Terminal]:
    made = Terminal(command(file), tmp_path / "progress")
    yield made
    made.close()


IDLE = "q quit"


def test_each_save_is_checked_and_keys_answer(terminal: Terminal, file: Path) -> None:
    said = terminal.wait_for(IDLE)
    steps = [said.index(words) for words in ("Building...", "still testing", "Data race")]
    assert steps == sorted(steps)
    # The first failure may be known before the first line of progress is drawn.
    assert said.index("Testing: ") > said.index("Building...")

    terminal.press("h")
    assert "hint 1 of 3" in terminal.wait_for("TODO 3", IDLE)
    terminal.press("a")
    terminal.wait_for("correctness: diff is right", IDLE)
    terminal.press("l")
    assert "TODO 3" in terminal.wait_for("./tilelab -h", IDLE)
    terminal.press("\x1b[A")  # the key with an arrow, which means nothing

    file.write_text(BROKEN)
    assert "imt" in terminal.wait_for("does not compile", IDLE)
    new = file.with_name("new")
    new.write_text(SOLUTION)
    new.replace(file)
    assert "70 / 70" in terminal.wait_for("70 / 70", IDLE)

    terminal.press("p")
    terminal.wait_for("Counted by the checked build", IDLE)
    terminal.press("v")
    terminal.wait_for("Wrote ", IDLE)
    terminal.press("q")
    assert terminal.has_ended() == 0


def test_the_cause_comes_below_the_verdict_and_its_hints_with_h(
    file: Path, tmp_path: Path, emulator: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILELAB_CAUSE", "yes")
    terminal = Terminal(command(file), tmp_path / "progress")
    try:
        said = terminal.wait_for("Cause: line", IDLE)
        steps = ["Data race", "Looking for the cause", "Cause: line"]
        assert sorted(steps, key=said.index) == steps
        terminal.press("h")
        terminal.wait_for("1 of 3, the idea", IDLE)
        terminal.press("q")
        assert terminal.has_ended() == 0
    finally:
        terminal.close()


def test_a_save_ends_the_check_that_runs(terminal: Terminal, file: Path) -> None:
    terminal.wait_for(IDLE)
    file.write_text(LOOP)
    terminal.wait_for("Testing: ")
    file.write_text(SOLUTION)
    assert "too long" not in terminal.wait_for("70 / 70", IDLE)
    terminal.press("q")
    assert terminal.has_ended() == 0


@pytest.mark.parametrize("when", ["while it checks", "while it waits"])
def test_ctrl_c_ends_it_and_leaves_nothing_behind(terminal: Terminal, when: str) -> None:
    terminal.wait_for("Building..." if when == "while it checks" else IDLE)
    terminal.press("\x03")
    assert terminal.has_ended() == 0


def test_a_killed_watch_restores_the_terminal(terminal: Terminal) -> None:
    terminal.wait_for(IDLE)
    terminal.child.terminate()
    terminal.has_ended()


def test_without_a_terminal_it_prints_verdicts(
    file: Path, tmp_path: Path, emulator: Session
) -> None:
    environment = typed.environment(TILELAB_PROGRESS=str(tmp_path / "progress"))
    output = tmp_path / "output"
    with output.open("w") as written:
        child = subprocess.Popen(
            command(file), env=environment, stdin=subprocess.DEVNULL, stdout=written, stderr=written
        )
        try:
            _wait_until(output, "correctness")
            file.write_text(SOLUTION)
            _wait_until(output, "70 / 70")
        finally:
            child.terminate()
            child.wait(30)
    said = output.read_text()
    assert child.returncode == 0
    assert "\x1b" not in said and "Building" not in said and "quit" not in said
    assert "Traceback" not in said


def _wait_until(output: Path, words: str) -> None:
    end = time.monotonic() + SECONDS
    while words not in output.read_text():
        assert time.monotonic() < end, output.read_text()
        time.sleep(0.1)
