"""Single keys from the terminal, without Enter. Whatever happens, the terminal is as before."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import termios
import time
import tty
from collections.abc import Iterator
from typing import Protocol


class Keys(Protocol):
    """Waits for a key. `can_be_pressed` says whether there is somebody who could press one."""

    can_be_pressed: bool

    def wait(self, seconds: float) -> str:
        """The key that was pressed, "" if none was in this time."""


@contextlib.contextmanager
def keys() -> Iterator[Keys]:
    """The keys of the terminal that stdin is. Without one, nobody presses a key.

    Ctrl-C raises KeyboardInterrupt as always.
    """
    terminal = _terminal()
    if terminal is None:
        yield _NoKeys()
        return
    before = termios.tcgetattr(terminal)

    def listen(*_: object) -> None:
        tty.setcbreak(terminal, termios.TCSADRAIN)

    # After Ctrl-Z and `fg`, the shell has set the terminal as it likes it.
    continued = signal.signal(signal.SIGCONT, listen)
    try:
        listen()
        yield _TerminalKeys(terminal)
    finally:
        signal.signal(signal.SIGCONT, continued)
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _terminal() -> int | None:
    """The descriptor of stdin, if that is a terminal which belongs to us."""
    try:
        descriptor = sys.stdin.fileno()
        # A job in the background would be stopped if it touched the terminal.
        is_ours = os.isatty(descriptor) and os.tcgetpgrp(descriptor) == os.getpgrp()
    except (AttributeError, ValueError, OSError):  # stdin is closed, for example
        return None
    return descriptor if is_ours else None


class _TerminalKeys:
    can_be_pressed = True

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def wait(self, seconds: float) -> str:
        ready, _, _ = select.select([self._descriptor], [], [], seconds)
        if not ready:
            return ""
        # An arrow key sends several bytes, which are one key that nobody asked for.
        typed = os.read(self._descriptor, 64)
        if not typed:
            raise EOFError("the terminal is gone")
        return typed.decode("utf-8", "replace")


class _NoKeys:
    can_be_pressed = False

    def wait(self, seconds: float) -> str:
        time.sleep(seconds)
        return ""
