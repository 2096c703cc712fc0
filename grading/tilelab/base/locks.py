"""Locks between processes, such as two graders on one machine."""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tilelab.base.errors import InfraError

_threads: dict[Path, threading.Lock] = {}
_registry = threading.Lock()

# Between two looks at locks that are all held.
_PAUSE = 0.05
# A wait shorter than this is not worth a word, in seconds.
_PATIENCE = 5.0


@contextlib.contextmanager
def exclusive(path: Path, waiting: Callable[[], None] | None = None) -> Iterator[None]:
    """Locks `path`, an empty file that stays, against other threads and other processes.

    Calls `waiting` if another process has it for more than some seconds.
    """
    with _thread_lock(path):
        descriptor = _open(path)
        try:
            if waiting and not _locked_soon(descriptor):
                waiting()
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def first_free(paths: Sequence[Path]) -> Iterator[Path]:
    """Locks one of `paths` as exclusive() does: the first that is free."""
    if len(paths) == 1:
        with exclusive(paths[0]):
            yield paths[0]
        return
    while True:
        for path in paths:
            with if_free(path) as is_locked:
                if is_locked:
                    yield path
                    return
        time.sleep(_PAUSE)


@contextlib.contextmanager
def if_free(path: Path) -> Iterator[bool]:
    """Locks `path` as exclusive() does, unless somebody else has; says whether it did."""
    thread_lock = _thread_lock(path)
    if not thread_lock.acquire(blocking=False):
        yield False
        return
    try:
        descriptor = _open(path)
        try:
            yield _try_lock(descriptor)
        finally:
            os.close(descriptor)
    finally:
        thread_lock.release()


def _locked_soon(descriptor: int) -> bool:
    until = time.monotonic() + _PATIENCE
    while not _try_lock(descriptor):
        if time.monotonic() > until:
            return False
        time.sleep(_PAUSE)
    return True


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _thread_lock(path: Path) -> threading.Lock:
    with _registry:
        return _threads.setdefault(path, threading.Lock())


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
