#!/usr/bin/env python3
"""Times what a student waits for: from a save to the first failure and to the verdict, and `check`.

    python3 tests/measure/latency/latency.py [--runs 5] [--out latency.csv] [LAB...]

Runs `./tilelab watch` and `./tilelab check` in a terminal on a wrong kernel of each lab, the one
without its barrier. A save changes the file, so nothing of an earlier verdict can be used. The file
has a row per run; the medians are printed. `cpu_s` are the seconds of all processors of the machine
that were busy meanwhile: on a quiet machine, that is the work of the run.
"""

from __future__ import annotations

import argparse
import csv
import os
import pty
import re
import select
import shutil
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from dataclasses import astuple, dataclass, fields
from fcntl import ioctl
from pathlib import Path

REPO = Path(__file__).resolve().parents[3]
MISTAKES = {
    "diff": "missing_barrier",
    "nearest_neighbor": "missing_first_barrier",
    "nbody": "first_barrier_missing",
    "derivatives": "missing_barrier",
}
SECONDS = 600  # for one verdict

# What the screens of `watch` say.
FIRST, IDLE = "still testing", "Watching. "


@dataclass(frozen=True)
class Run:
    """One run. A `check` shows the first failure too, but the time is not taken."""

    command: str
    lab: str
    run: int
    first_failure_s: float | None
    verdict_s: float
    cpu_s: float
    load: float


class Program:
    """A program in a terminal of 80 columns and 24 lines."""

    def __init__(self, argv: list[str]) -> None:
        self._child, self._terminal = pty.fork()
        if self._child == 0:
            os.execvp(argv[0], argv)
        ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self._said = ""

    def wait_for(self, words: str) -> float | None:
        """When the words appeared, counted from the last words; None if it ended without them."""
        end = time.monotonic() + SECONDS
        while words not in self._said:
            if time.monotonic() > end:
                sys.exit(f"'{words}' did not appear after {self._said!r}")
            if not (piece := self._read()):
                return None
            self._said += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", piece)
        self._said = self._said.partition(words)[2]
        return time.monotonic()

    def _read(self) -> str:
        if not select.select([self._terminal], [], [], SECONDS)[0]:
            return ""
        try:
            return os.read(self._terminal, 65536).decode("utf-8", "replace")
        except OSError:  # it has ended
            return ""

    def end(self) -> None:
        """Ends it, unless it has ended, and waits for that."""
        os.kill(self._child, signal.SIGTERM)
        while self._read():
            pass
        os.waitpid(self._child, 0)
        os.close(self._terminal)


def busy_seconds() -> float:
    """The seconds that all processors have worked since the machine started."""
    user, nice, system = map(int, Path("/proc/stat").read_text().split()[1:4])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def watch(lab: str, file: Path, runs: int) -> list[Run]:
    program = Program([str(REPO / "tilelab"), "watch", lab, str(file)])
    program.wait_for(IDLE)
    text = file.read_text()
    found = []
    for number in range(1, runs + 1):
        time.sleep(1)
        load, busy, start = os.getloadavg()[0], busy_seconds(), time.monotonic()
        file.write_text(f"{text}// save {number}\n")
        first, end = program.wait_for(FIRST), program.wait_for(IDLE)
        if first is None or end is None:
            sys.exit(f"watch {lab} ended")
        cpu = busy_seconds() - busy
        found.append(Run("watch", lab, number, first - start, end - start, cpu, load))
    program.end()
    return found


def check(lab: str, file: Path, run: int) -> Run:
    load, busy, start = os.getloadavg()[0], busy_seconds(), time.monotonic()
    program = Program([str(REPO / "tilelab"), "check", lab, str(file)])
    program.wait_for("\0")  # which no screen shows: it reads until the end
    seconds = time.monotonic() - start
    program.end()
    return Run("check", lab, run, None, seconds, busy_seconds() - busy, load)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("labs", nargs="*", metavar="LAB", help="default: all")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path("latency.csv"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, arguments.out.open("w", newline="") as file:
        os.environ["TILELAB_PROGRESS"] = folder
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(field.name for field in fields(Run))
        for lab in arguments.labs or MISTAKES:
            wrong = Path(folder) / f"{lab}.cu"
            shutil.copy(REPO / "solutions" / lab / "mistakes" / f"{MISTAKES[lab]}.cu", wrong)
            found = watch(lab, wrong, arguments.runs)
            found += [check(lab, wrong, run) for run in range(1, arguments.runs + 1)]
            writer.writerows(astuple(run) for run in found)
            file.flush()
            show(lab, found)


def show(lab: str, found: list[Run]) -> None:
    watched = [run for run in found if run.command == "watch"]
    first = statistics.median(run.first_failure_s or 0 for run in watched)
    verdict = statistics.median(run.verdict_s for run in watched)
    checked = statistics.median(run.verdict_s for run in found if run.command == "check")
    print(
        f"{lab}: {first:.2f} s from a save to the first failure, {verdict:.2f} s to the verdict; "
        f"check {checked:.2f} s",
        flush=True,
    )


if __name__ == "__main__":
    main()
