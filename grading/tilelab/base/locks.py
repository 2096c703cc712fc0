"""Locks between processes, such as two graders on one machine."""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
from collections.abc import Iterator
from pathlib import Path

_threads: dict[Path, threading.Lock] = {}
_registry = threading.Lock()


@contextlib.contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Locks `path`, an empty file that stays, against other threads and other processes."""
    with _registry:
        thread_lock = _threads.setdefault(path, threading.Lock())
    with thread_lock:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = _open(path)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)


def _open(path: Path) -> int:
    # In a shared folder, another user's lock file can be read but not opened for writing.
    try:
        return os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        flags = os.O_RDONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        return os.open(path, flags, 0o644)
