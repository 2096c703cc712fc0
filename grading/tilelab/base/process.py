"""Runs a program that may hang, flood its output or leave processes behind."""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import selectors
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tilelab.base.errors import Stopped

T = TypeVar("T")

_stopping = threading.Event()
_stoppers: ContextVar[tuple[threading.Event, ...]] = ContextVar("stoppers", default=())


@dataclass(frozen=True)
class Finished:
    """How a program ended. `status` is negative for a signal, as in subprocess."""

    status: int
    output: str
    timed_out: bool


def run(
    argv: Sequence[str | Path],
    *,
    seconds: float,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    keep: int = 16 * 1024,
    heard: Callable[[bytes], None] | None = None,
) -> Finished:
    """Runs `argv` without input and captures the first `keep` bytes of stdout and stderr.

    `heard` gets all of them as they arrive.
    The program gets its own session. All of it is killed when the program ends or after `seconds`,
    and the program itself when this process dies.
    Raises Stopped after stop_all() or an event of stopped_by(), and OSError if the program cannot
    be started.
    """
    program = os.fspath(argv[0])
    if shutil.which(program, path=env.get("PATH") if env else None) is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), program)
    process = subprocess.Popen(
        [*_dying_with_us(), *(os.fspath(word) for word in argv)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=dict(env) if env is not None else None,
        cwd=cwd,
        start_new_session=True,
    )
    assert process.stdout is not None
    pipe = process.stdout.fileno()
    os.set_blocking(pipe, False)
    # A pidfd tells that the program has ended without reaping it. So the number of its session
    # cannot be reused before the session is killed.
    pidfd = os.pidfd_open(process.pid)
    head = bytearray()

    def hear(chunk: bytes) -> None:
        head.extend(chunk[: max(0, keep - len(head))])
        if heard is not None:
            heard(chunk)

    try:
        timed_out = not _wait(pidfd, pipe, hear, time.monotonic() + seconds)
    finally:
        _kill_session(process.pid)
        process.wait()
        _drain(pipe, hear)
        os.close(pidfd)
        process.stdout.close()
    return Finished(process.returncode, head.decode("utf-8", "replace"), timed_out)


@functools.cache
def _dying_with_us() -> tuple[str, ...]:
    """What to put before a command so that it cannot outlive this process, even after a kill -9."""
    setpriv = shutil.which("setpriv")
    return (setpriv, "--pdeathsig", "KILL", "--") if setpriv else ()


def _kill_session(leader: int) -> None:
    """Kills more than the leader's group: a jail has one of its own before its walls stand."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)
    killed = {leader}
    while found := set(_session(leader)) - killed:
        for number in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        killed |= found


def _session(leader: int) -> Iterator[int]:
    for name in os.listdir("/proc"):
        with contextlib.suppress(ValueError, ProcessLookupError):
            if os.getsid(int(name)) == leader:
                yield int(name)


def kill_left_jails(folder: Path) -> None:
    """Kills jails that name a folder whose process was killed.

    Bubblewrap's second process waits forever if the first one is killed right after making it.
    """
    named = os.fsencode(folder) + b"/"
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            program, *words = path.read_bytes().split(b"\0")
            if program.endswith(b"bwrap") and any(word.startswith(named) for word in words):
                os.kill(int(path.parent.name), signal.SIGKILL)


def stop_all() -> None:
    """Makes every present and future run() kill its program and raise Stopped."""
    _stopping.set()


@contextlib.contextmanager
def stopped_by(event: threading.Event) -> Iterator[None]:
    """Makes every run() in this context do the same once `event` is set."""
    token = _stoppers.set((*_stoppers.get(), event))
    try:
        yield
    finally:
        _stoppers.reset(token)


def submit(pool: Executor, job: Callable[..., T], *arguments: object) -> Future[T]:
    """Runs `job` in another thread, but in this context."""
    return pool.submit(copy_context().run, job, *arguments)


def _is_stopped() -> bool:
    return _stopping.is_set() or any(event.is_set() for event in _stoppers.get())


def _wait(pidfd: int, pipe: int, hear: Callable[[bytes], None], deadline: float) -> bool:
    """True if the program ended, False if the time ran out first."""
    with selectors.DefaultSelector() as selector:
        selector.register(pidfd, selectors.EVENT_READ)
        selector.register(pipe, selectors.EVENT_READ)
        while (left := deadline - time.monotonic()) > 0:
            if _is_stopped():
                raise Stopped
            ready = {key.fd for key, _ in selector.select(min(left, 0.1))}
            if pipe in ready and not _drain(pipe, hear):
                selector.unregister(pipe)
            if pidfd in ready:
                return True
    return False


def _drain(pipe: int, hear: Callable[[bytes], None]) -> bool:
    """Reads what has arrived. False at the end of the stream."""
    # Bounded, so that a flood of output cannot keep the caller from checking the time.
    for _ in range(64):
        try:
            chunk = os.read(pipe, 65536)
        except BlockingIOError:
            return True
        if not chunk:
            return False
        hear(chunk)
    return True
