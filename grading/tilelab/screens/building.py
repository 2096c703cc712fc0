"""Says what is being built and how far that is, while somebody waits for it."""

from __future__ import annotations

import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape

from tilelab.pipeline.harness.steps import WAITING, Tell

# Between two lines, where there is no terminal.
_PAUSE = 15
_WIDTH = 80
# More than somebody waits for after a change of their own.
_FIRST_TIME = 40
_OTHERS = "another tilelab builds or tests here"


@contextmanager
def building(console: Console, what: str, takes: str = "about a minute") -> Iterator[Tell]:
    """Shows how many steps are done, while the body builds.

    `takes` says how long all of it takes. A terminal forgets the lines at the end. Elsewhere they
    go to stderr, and there are none if there is nothing to build.
    """
    if not console.is_terminal or console.is_dumb_terminal:
        yield _Lines(what, takes).tell
        return
    doing = f"Building {escape(what)}"
    with console.status(f"{doing}...") as status:

        def tell(done: int, total: int) -> None:
            is_waiting = (done, total) == WAITING
            how_far = f"{done} of {total} steps{_how_long(total, takes)}"
            status.update(f"Waiting: {_OTHERS}" if is_waiting else f"{doing}: {how_far}")

        yield tell


class _Lines:
    """Writes a line at the first step, and then one from time to time."""

    def __init__(self, what: str, takes: str) -> None:
        self._what = what
        self._takes = takes
        self._next = 0.0
        self._is_first = True

    def tell(self, done: int, total: int) -> None:
        if (done, total) == WAITING:
            print(f"tilelab: waiting: {_OTHERS}", file=sys.stderr, flush=True)
            return
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PAUSE
        if self._is_first:
            line = f"building {self._what}: {total} steps{_how_long(total, self._takes)}"
        else:
            line = f"built {done} of {total} steps"
        self._is_first = False
        text = textwrap.fill(f"tilelab: {line}", _WIDTH, subsequent_indent="  ")
        print(text, file=sys.stderr, flush=True)


def _how_long(total: int, takes: str) -> str:
    return f" (the first time, {takes})" if total > _FIRST_TIME else ""
