"""Says how far a long command is where there is no terminal to show a bar on."""

from __future__ import annotations

import contextlib
import sys
import threading
import time

from rich.progress import Progress

_FIRST = 5.0  # seconds: who waits no longer needs no line
_PAUSE = 15.0
_LOOK = 1.0


class ProgressLines(Progress):
    """Writes lines to stderr instead of a bar: from time to time, and if a description changes."""

    def __init__(self, doing: str) -> None:
        super().__init__(disable=True)
        self._doing = f"{doing[0].lower()}{doing[1:]}"
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        begin = time.monotonic()
        said, due = "", begin + _FIRST
        while not self._stopped.wait(_LOOK):
            now, stages = time.monotonic(), self._stages()
            if now < due and (now < begin + _FIRST or stages == said):
                continue
            said, due = stages, now + _PAUSE
            parts = [self._doing, *filter(None, (self._how_far(), stages)), f"{now - begin:.0f} s"]
            with contextlib.suppress(OSError):  # nobody reads them any more
                print(f"tilelab: {', '.join(parts)}", file=sys.stderr, flush=True)

    def _how_far(self) -> str:
        counted = [one for one in self.tasks if one.total]
        return ", ".join(f"{one.completed:.0f} of {one.total:.0f} done" for one in counted)

    def _stages(self) -> str:
        return ", ".join(one.description for one in self.tasks if one.description)
