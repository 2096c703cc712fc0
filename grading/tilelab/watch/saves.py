"""Notices that a file was saved, however the editor does it.

Some editors write to the file, others write a new one and rename it, and then there is no file for
a moment. Looking at it ten times a second sees both, on every file system.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

# An editor that writes in several steps is done after this time without a change.
_SETTLED_SECONDS = 0.05

_Signature = tuple[int, int, int]


class Saves:
    """The saves of one file since this object was made."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen = self._last = _signature(path)
        self._since = time.monotonic()

    def is_new(self) -> bool:
        """Whether the file was saved since the last call that said so."""
        now = _signature(self._path)
        if now != self._last:
            self._last, self._since = now, time.monotonic()
        is_settled = time.monotonic() - self._since >= _SETTLED_SECONDS
        if now is None or now == self._seen or not is_settled:
            return False
        self._seen = now
        return True


def _signature(path: Path) -> _Signature | None:
    """What changes with each save. None while there is no file."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
