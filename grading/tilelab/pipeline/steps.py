"""What a check has done so far, for somebody who waits for it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import InfraError
from tilelab.pipeline import events
from tilelab.score.cases import Case

_SECONDS = 0.05  # between two looks


@dataclass(frozen=True)
class Step:
    """The tests of a criterion that have ended, or failed already, and how many there are."""

    criterion: str
    cases: Sequence[Case]
    tests: int


# Called from any thread.
Tell = Callable[[Step], None]


def nobody(step: Step) -> None:
    """Nobody waits."""


@contextlib.contextmanager
def told(criterion: str, stream: Path, tell: Tell) -> Iterator[None]:
    """Tells what a judge writes to `stream` while the body runs it."""
    if tell is nobody:
        yield
        return
    ended = threading.Event()
    thread = threading.Thread(target=_follow, args=(criterion, stream, tell, ended))
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _follow(criterion: str, stream: Path, tell: Tell, ended: threading.Event) -> None:
    seen: tuple[int, int] | None = None
    is_last = False
    while not is_last:
        is_last = ended.wait(_SECONDS)
        try:
            cases, tests = events.so_far(stream)
        except InfraError:  # which the judgment will be about
            return
        # What happens to a test that has failed is no news.
        state = (len(cases), tests)
        if state != seen:
            tell(Step(criterion, cases, tests))
            seen = state
