"""Times what a student waits for, from a save to the verdict.

    ./tilelab measure latency [--runs 5]

Runs `./tilelab watch` and `./tilelab check` in a terminal on a wrong kernel of each lab, the one
without its barrier. A save changes the file, so nothing of an earlier verdict can be used. Writes
docs/results/latency.csv, and the page of it.
"""

from __future__ import annotations

import datetime
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
from collections.abc import Sequence
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path

import tables
from machine import machine
from tables import Table
from tilelab.base.repository import REPO

MISTAKES = {
    "diff": "missing_barrier",
    "nearest_neighbor": "missing_first_barrier",
    "nbody": "first_barrier_missing",
    "derivatives": "missing_barrier",
}
SECONDS = 600  # for one verdict

HEAD = """\
# How long a student waits

A barrier is missing. Seconds from a save to the first failure on the screen of `./tilelab watch`,
from the same save to the whole verdict, and for `./tilelab check`: the median, and the least and
the greatest. No GPU is used, and nothing else runs.

`./tilelab measure latency` measures this; [latency.csv](latency.csv) has its rows.

| lab | first failure | verdict | `check` |
| --- | ---: | ---: | ---: |"""

# What the screens of `watch` say.
FIRST, IDLE = "still testing", "Watching. "


@dataclass(frozen=True)
class Run:
    """One run. A `check` shows the first failure too, but the time is not taken."""

    command: str
    first_failure_s: float | None
    verdict_s: float


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


def watch(lab: str, file: Path, runs: int) -> list[Run]:
    program = Program([str(REPO / "tilelab"), "watch", lab, str(file)])
    program.wait_for(IDLE)
    text = file.read_text()
    found = []
    for number in range(1, runs + 1):
        time.sleep(1)
        start = time.monotonic()
        file.write_text(f"{text}// save {number}\n")
        first, end = program.wait_for(FIRST), program.wait_for(IDLE)
        if first is None or end is None:
            sys.exit(f"watch {lab} ended")
        found.append(Run("watch", first - start, end - start))
    program.end()
    return found


def check(lab: str, file: Path) -> Run:
    start = time.monotonic()
    program = Program([str(REPO / "tilelab"), "check", lab, str(file)])
    program.wait_for("\0")  # which no screen shows: it reads until the end
    seconds = time.monotonic() - start
    program.end()
    return Run("check", None, seconds)


def main() -> None:
    parser = tables.parser(__doc__, page)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TILELAB_PROGRESS"] = folder
        for lab in MISTAKES:
            wrong = Path(folder) / f"{lab}.cu"
            shutil.copy(REPO / "solutions" / lab / "mistakes" / f"{MISTAKES[lab]}.cu", wrong)
            found = watch(lab, wrong, runs)
            found += [check(lab, wrong) for _ in range(runs)]
            rows += rows_of(lab, found)
            print(rows[-3:], flush=True)
    today = datetime.date.today().isoformat()
    facts = {"runs": str(runs), "machine": machine(), "date": today}
    tables.publish(tables.RESULTS / "latency.csv", Table(facts, rows), page)


def rows_of(lab: str, found: Sequence[Run]) -> list[dict[str, str]]:
    waited = {
        "first failure": [run.first_failure_s for run in found if run.first_failure_s is not None],
        "verdict": [run.verdict_s for run in found if run.command == "watch"],
        "check": [run.verdict_s for run in found if run.command == "check"],
    }
    return [{"lab": lab, "until": what, **_median_and_range(it)} for what, it in waited.items()]


def _median_and_range(seconds: Sequence[float]) -> dict[str, str]:
    found = {"median": statistics.median(seconds), "least": min(seconds), "most": max(seconds)}
    return {name: f"{each:.2f}" for name, each in found.items()}


def page(table: Table) -> str:
    lines = []
    for lab, rows in table.by("lab").items():
        cells = [f"{row['median']} ({row['least']} to {row['most']})" for row in rows]
        lines.append(tables.line(f"`{lab}`", *cells))
    facts = table.facts
    made = f"{facts['runs']} runs each; {facts['machine']}, {facts['date']}."
    return "\n".join([HEAD, *lines, "", made, ""])


if __name__ == "__main__":
    main()
