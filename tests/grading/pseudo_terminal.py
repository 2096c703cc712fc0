"""A program in a terminal of its own, for tests that press keys and read the screen."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from fcntl import ioctl
from pathlib import Path

from support import REPO, wait_until

SECONDS = 60  # for a verdict on a busy machine


class Terminal:
    """A terminal of 80 columns and 24 lines, with a program in it."""

    def __init__(self, argv: list[str], folder: Path, repo: Path = REPO) -> None:
        self.said = ""
        self._controller, terminal = pty.openpty()
        ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(terminal)
        self._terminal = terminal
        environment = {
            **os.environ,
            "PYTHONPATH": str(repo / "grading"),
            "TERM": "xterm-256color",
            "TILELAB_PROGRESS": str(folder),
        }
        for name in ("CI", "COLUMNS", "LINES", "NO_COLOR"):
            environment.pop(name, None)
        self.child = subprocess.Popen(
            argv,
            cwd=repo,
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

    def wait_for_reading(self) -> None:
        """Python forgets a signal that comes between a prompt and the reading of its answer."""
        stat = Path(f"/proc/{self.child.pid}/stat")
        wait_until(lambda: stat.read_text().rpartition(")")[2].split()[0] == "S", "reader")

    def answer(self, asks: str, key: str) -> str:
        """Presses a key after this question. Everything that was said before."""
        said = self.wait_for(asks)
        self.wait_for_reading()
        self.press(key)
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


def plain(said: str) -> str:
    """What was said, without what a terminal takes for itself."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", said).replace("\r", "")


def _own_terminal() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    ioctl(0, termios.TIOCSCTTY, 0)
