"""Runs a program, and reads what it reported.

It is the user's own program on the user's own machine, so it gets no jail: it reads and writes
files, takes arguments and input, and prints where it likes.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import msgspec

from tilelab.base import process
from tilelab.base.errors import InfraError
from tilelab.base.text import shorten
from tilelab.model import stream
from tilelab.model.program import ProgramEvent, Report
from tilelab.programs.tools import Tools

_DESCRIBE_SECONDS = 300
_LONGEST_REPORT = 256 * 1024 * 1024

_DECODER: msgspec.json.Decoder[ProgramEvent] = msgspec.json.Decoder(ProgramEvent)


@dataclass(frozen=True)
class Recording:
    """Where launches are written down, with this many bytes of memory at most.

    The program sees a GPU with that number of multiprocessors.
    """

    folder: Path
    most_bytes: int
    multiprocessors: float


@dataclass(frozen=True)
class Watch:
    """How a program is watched. A kernel may go on for `stuck_after` seconds without progress.

    If `keeps_stdout`, what the program prints goes to stderr. Its launches are recorded if
    `recording` says how.
    """

    stuck_after: float
    checked: bool = False
    counts_alone: bool = False
    keeps_stdout: bool = False
    recording: Recording | None = None


@dataclass(frozen=True)
class Ended:
    """How a program ended: its exit status, 128 + N after the signal N, and what it reported."""

    status: int
    report: Report | None = None

    @property
    def is_cut_off(self) -> bool:
        """Whether it may have had more to do."""
        return bool(self.status) or self.report is None or bool(self.report.ending.by)

    @property
    def was_watched(self) -> bool:
        """Whether there was something to look at, and it was looked at to the end."""
        return not self.is_cut_off and self.report is not None and bool(self.report.ending.launches)

    @property
    def has_mistakes(self) -> bool:
        return self.report is not None and any(not one.note for one in self.report.findings)


def run(program: Path, arguments: Sequence[str], watch: Watch, tools: Tools, work: Path) -> Ended:
    """Runs a program with this process's input, output and folder."""
    report = work / "report"
    output = sys.stderr if watch.keeps_stdout else None
    status = _status([str(program), *arguments], environment(watch, report, tools), output)
    if not report.exists():
        return Ended(status)
    return Ended(status, described(program, report, tools))


def environment(watch: Watch, report: Path, tools: Tools) -> Mapping[str, str]:
    """What tells a program how it is watched, and where its report goes."""
    variables = {**tools.backend.environment(), "TILELAB_STUCK": str(watch.stuck_after)}
    if watch.checked:
        variables["TILELAB_REPORT"] = str(report)
    if made := watch.recording:
        variables["TILELAB_RECORDING"] = str(made.folder)
        variables["TILELAB_RECORDED_BYTES"] = str(made.most_bytes)
        variables["TILELAB_MULTIPROCESSORS"] = f"{made.multiprocessors:.0f}"
    if watch.counts_alone:
        variables["TILELAB_COUNTS"] = "1"
    return variables


def _status(argv: Sequence[str], environment: Mapping[str, str], output: TextIO | None) -> int:
    with _handing_on_signals() as started:
        child = subprocess.Popen(argv, env=environment, stdout=output)
        started(child)
        status = child.wait()
    return 128 - status if status < 0 else status


@contextlib.contextmanager
def _handing_on_signals() -> Iterator[Callable[[subprocess.Popen[bytes]], None]]:
    """The program decides what a signal does. Ctrl-C reaches it without our help.

    The body says when the program has started: it gets what has come until then.
    """
    children: list[subprocess.Popen[bytes]] = []
    early: list[int] = []

    def hand_on(number: int, _: object) -> None:
        if not children:
            early.append(number)
        elif number != signal.SIGINT:
            children[0].send_signal(number)

    def started(child: subprocess.Popen[bytes]) -> None:
        children.append(child)
        for number in early:
            child.send_signal(number)

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, hand_on) for number in numbers}
    try:
        yield started
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def described(program: Path, report: Path, tools: Tools) -> Report:
    """What the report of a program holds. Raises InfraError."""
    argv = [tools.describe, program, report]
    finished = process.run(argv, seconds=_DESCRIBE_SECONDS, env=os.environ, keep=_LONGEST_REPORT)
    with contextlib.suppress(msgspec.DecodeError):
        for event in stream.read(finished.output, _DECODER):
            if finished.status == 0 and isinstance(event, Report):
                return event
    raise InfraError(f"the program's report cannot be read: {shorten(finished.output, 200)}")
