"""Reads from what Ninja prints how far a build is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

# Hears how many of how many steps are done.
Tell = Callable[[int, int], None]
# What it hears while another process builds.
WAITING = (0, 0)
# Shows how far the building of something is, while the body builds.
Showing = Callable[[str], AbstractContextManager[Tell]]

# Ninja lets users choose how it says that.
ENVIRONMENT = {"NINJA_STATUS": "[%f/%t] "}

# Before it counts the steps, Ninja has CMake look for new files, each time.
_STATUS = re.compile(rb"^\[(\d+)/(\d+)\] (?!Re-checking|Re-running)", re.MULTILINE)


def nobody(done: int, total: int) -> None:
    """For those who do not want to know."""


@contextmanager
def unseen(_: str) -> Iterator[Tell]:
    """Shows nothing."""
    yield nobody


class Steps:
    """Tells of each step that the output of a build names, as it arrives."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._line = b""  # the part of a line that has arrived

    def hear(self, output: bytes) -> None:
        *lines, self._line = (self._line + output).split(b"\n")
        # The newest says it all.
        if found := _STATUS.findall(b"\n".join(lines)):
            self._tell(*map(int, found[-1]))
