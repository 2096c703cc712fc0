"""Checks a file in the background. A new check ends the one before."""

from __future__ import annotations

import queue
import threading
from pathlib import Path

from tilelab.base import process
from tilelab.base.errors import Stopped
from tilelab.model.lab import Lab
from tilelab.model.result import Result
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.judge.events import Step

News = Step | Result | BaseException


class Checker:
    """Checks one file, as often as it is asked to."""

    def __init__(self, path: Path, lab: Lab, session: Session) -> None:
        self._path, self._lab, self._session = path, lab, session
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
        """What has happened since the last call: steps, and at last a result or an exception."""
        found = []
        while not self._news.empty():
            found.append(self._news.get())
        return found

    def _check(self, stop: threading.Event, news: queue.SimpleQueue[News]) -> None:
        try:
            with process.stopped_by(stop):
                news.put(submission.grade(self._path, self._lab, self._session, tell=news.put))
        except Stopped:
            pass
        except BaseException as error:
            news.put(error)
