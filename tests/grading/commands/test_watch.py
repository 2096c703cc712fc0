"""`watch` as a student has it: on a terminal, with keys, and without one."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from fcntl import ioctl
from pathlib import Path

import pytest

from support import REPO, needs_terminal
from tilelab.pipeline.session import Session

SOLUTION = (REPO / "solutions" / "diff" / "diff.cu").read_text()
WRONG = (REPO / "solutions" / "diff" / "mistakes" / "missing_barrier.cu").read_text()
BROKEN = WRONG.replace("__shared__ int", "__shared__ imt")
LOOP = '#include "diff.h"\nvoid diff(const int*, int*, int) { for (volatile int i = 0;; ++i) {} }\n'

SECONDS = 60  # for a verdict on a busy machine

pytestmark = needs_terminal


def command(file: Path) -> list[str]:
    arguments = ["watch", "diff", str(file), "--backend", "emulator", "--seed", "7"]
    return [sys.executable, "-P", "-m", "tilelab", *arguments]


class Terminal:
    """A terminal of 80 columns and 24 lines, with a program in it."""

    def __init__(self, argv: list[str], folder: Path) -> None:
        self.said = ""
        self._controller, terminal = pty.openpty()
        ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(terminal)
        self._terminal = terminal
        environment = {
            **os.environ,
            "PYTHONPATH": str(REPO / "grading"),
            "TERM": "xterm-256color",
            "TILELAB_PROGRESS": str(folder),
        }
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            environment.pop(name, None)
        self.child = subprocess.Popen(
            argv,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=environment,
            start_new_session=True,
            # Makes it the terminal of the program's session, so that Ctrl-C is a signal. Tests that
            # run in the background ignore that signal, and the program would inherit this.
            preexec_fn=_own_terminal,
        )

    def press(self, key: str) -> None:
        os.write(self._controller, key.encode())

    def wait_for(self, *words: str) -> str:
        """Everything since the last call, up to the point where all of these words are there."""
        end = time.monotonic() + SECONDS
        while not all(word in self.said for word in words):
            if not select.select([self._controller], [], [], 1)[0]:
                assert self.child.poll() is None, f"it ended after {self.said!r}"
                assert time.monotonic() < end, f"no {words} in {self.said!r}"
                continue
            piece = os.read(self._controller, 65536).decode("utf-8", "replace")
            self.said += re.sub(r"\x1b\[[0-9;?]*[A-LN-Za-ln-z]|\x1b\[[0-9;]*m", "", piece)
        said, self.said = self.said, ""
        return said

    def has_ended(self) -> int:
        """The exit status. The terminal is as it was before."""
        end = time.monotonic() + 30
        while self.child.poll() is None and time.monotonic() < end:
            if select.select([self._controller], [], [], 0.1)[0]:
                self.said += os.read(self._controller, 65536).decode("utf-8", "replace")
        assert self.child.returncode is not None, "it goes on"
        assert termios.tcgetattr(self._terminal) == self.before
        assert "Traceback" not in self.said
        return self.child.returncode

    def close(self) -> None:
        if self.child.poll() is None:
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()
        os.close(self._terminal)
        os.close(self._controller)


def _own_terminal() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    ioctl(0, termios.TIOCSCTTY, 0)


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
    environment = {
        **os.environ,
        "PYTHONPATH": str(REPO / "grading"),
        "TILELAB_PROGRESS": str(tmp_path / "progress"),
    }
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
