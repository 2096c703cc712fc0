"""Checks a file in the background. A new check ends the one before."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from pathlib import Path

from tilelab.base import process
from tilelab.base.errors import Stopped
from tilelab.model.failure import Causes
from tilelab.model.lab import Lab
from tilelab.model.result import Result
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.judge.events import Step

News = Step | Result | Causes | BaseException

# Looks for the causes of a result's failures.
Find = Callable[[Result], Causes]


class Checker:
    """Checks one file, as often as it is asked to, and then looks for causes with `find`."""

    def __init__(self, path: Path, lab: Lab, session: Session, find: Find) -> None:
        self._path, self._lab, self._session, self._find = path, lab, session, find
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._news: queue.SimpleQueue[News] = queue.SimpleQueue()

    @property
    def is_running(self) -> bool:
        """Whether there may be more news."""
        return self._thread is not None and (self._thread.is_alive() or not self._news.empty())

    def begin(self) -> None:
        """Starts a check. What an earlier one has not told yet is dropped."""
        self.end()
        self._stop, self._news = threading.Event(), queue.SimpleQueue()
        self._thread = threading.Thread(target=self._check, args=(self._stop, self._news))
        self._thread.start()

    def end(self) -> None:
        """Ends the check that runs, if one does, and removes what it leaves."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def news(self) -> list[News]:
        """What has happened since the last call: steps, then a result with its causes.

        Or an exception.
        """
        found = []
        while not self._news.empty():
            found.append(self._news.get())
        return found

    def _check(self, stop: threading.Event, news: queue.SimpleQueue[News]) -> None:
        try:
            with process.stopped_by(stop):
                result = submission.grade(self._path, self._lab, self._session, tell=news.put)
                news.put(result)
                news.put(self._find(result))
        except Stopped:
            pass
        except BaseException as error:
            news.put(error)
