"""Locks between processes, such as two graders on one machine."""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
from collections.abc import Iterator
from pathlib import Path

from tilelab.base.errors import InfraError

_threads: dict[Path, threading.Lock] = {}
_registry = threading.Lock()


@contextlib.contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Locks `path`, an empty file that stays, against other threads and other processes."""
    with _registry:
        thread_lock = _threads.setdefault(path, threading.Lock())
    with thread_lock:
        descriptor = _open(path)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)


def _open(path: Path) -> int:
    flags = os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # For writing, without which NFS does not lock.
        return os.open(path, os.O_RDWR | os.O_CREAT | flags, 0o644)
    except PermissionError as error:
        # In a shared folder, another user's lock file can be read but not opened for writing.
        with contextlib.suppress(OSError):
            return os.open(path, os.O_RDONLY | flags)
        raise InfraError(f"{error.filename} cannot be written: {error.strerror}.") from error
