"""A terminal of 80 x 24 in which commands run, and what is on its screen then.

tmux is the terminal: it interprets what a spinner overwrites, and keeps what scrolls away.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

COLUMNS, LINES = 80, 24
_PROMPT = "$"
_PATIENCE_S = 10.0


@dataclass(frozen=True)
class Screen:
    """What a command printed, from its own line to the next prompt.

    `rows` are the terminal's lines, those that scrolled away included. `lines` are the same, but
    what the terminal had to break at its edge is one line. `seconds` is how long the command took.
    """

    rows: tuple[str, ...]
    lines: tuple[str, ...]
    seconds: float = 0.0

    @property
    def problem(self) -> str:
        """Why the screen cannot be read at a glance. Empty if it can."""
        if len(self.rows) > LINES:
            return f"it has {len(self.rows)} lines"
        broken = next((line for line in self.lines if len(line) > COLUMNS), None)
        return f"the terminal breaks this line: {broken}" if broken else ""

    @property
    def text(self) -> str:
        """Without the last prompt."""
        return "\n".join(self.lines[:-1])


class Terminal:
    """A shell in a folder, in a tmux server of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._server = f"tilelab-{secrets.token_hex(4)}"

    def __enter__(self) -> Terminal:
        variables = {
            "HOME": str(Path.home()),
            "LANG": "C.UTF-8",
            # The launcher takes the first interpreter that has its packages.
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PS1": f"{_PROMPT} ",
            "CI": "yes",  # `check` asks for no prediction, for which the screen would wait
            "PROMPT_COMMAND": f"tmux -L {self._server} wait-for -S ready",
        }
        shell = ["env", "-i", *(f"{name}={value}" for name, value in variables.items())]
        size = ["-x", str(COLUMNS), "-y", str(LINES)]
        shell = [*shell, "TERM=tmux-256color", "bash", "--norc", "--noprofile"]
        self._tmux("-f", "/dev/null", "new-session", "-d", *size, "-c", str(self._folder), *shell)
        self._await_prompt()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._tmux("kill-server")

    def run(self, command: str) -> Screen:
        """Types the command on an empty screen, and waits until it has ended."""
        self._type("clear")
        self._tmux("clear-history")
        begin = time.monotonic()
        self._type(command)
        seconds = time.monotonic() - begin
        return Screen(self._captured(), self._captured("-J"), seconds)

    def _type(self, command: str) -> None:
        self._tmux("send-keys", "-l", command)
        self._tmux("send-keys", "Enter")
        self._await_prompt()

    def _await_prompt(self) -> None:
        self._tmux("wait-for", "ready")
        # The shell prints its prompt only after it has said that it is ready.
        end = time.monotonic() + _PATIENCE_S
        while self._captured()[-1:] != (_PROMPT,):
            if time.monotonic() > end:
                raise TimeoutError("the shell shows no prompt")
            time.sleep(0.02)

    def _captured(self, *options: str) -> tuple[str, ...]:
        text = self._tmux("capture-pane", "-p", "-S", "-", *options)
        return tuple(line.rstrip() for line in text.rstrip().splitlines())

    def _tmux(self, *words: str) -> str:
        command = ["tmux", "-L", self._server, *words]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def require() -> None:
    """Raises SystemExit if this machine has no tmux."""
    if shutil.which("tmux") is None:
        raise SystemExit("tmux shows the screens: install it, for example with apt-get.")
