"""Counts how often `check` finds the place of a mistake.

    ./tilelab measure causes [LAB ...]

Needs no GPU, and a minute per mistake and two processors at most. The mistakes lie in
tests/measure/causes/mistakes: complete files, whose authors had seen the handout and the skeleton,
and nothing of the search. The head of each says the cause and its lines, and was written first. The
search was tuned with those of some numbers in view, and not with the others.

A file is *right* if the first line that the search names is one of those, or next to one, *either*
if another line that it names is, *elsewhere* if none is, and *silent* if it names no line. In
*passes* no test fails. Writes docs/results/causes.csv, and the page that it makes.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import tables
from machine import machine
from tables import Row, Table, line
from tilelab.base.repository import REPO
from tilelab.labs import lab
from tilelab.pipeline import submission
from tilelab.pipeline.harness import toolchain
from tilelab.pipeline.harness.session import Session
from tilelab.repairs import search, task

ROWS = tables.RESULTS / "causes.csv"
MISTAKES = Path(__file__).with_name("mistakes")
SECONDS = 20
PROCESSORS = 2
# The search was tuned with the others in view. Once files are looked at, new ones take their place.
HELD_OUT = range(101, 104)
PARTS = {
    "Numbers below 101, in view": lambda number: number not in HELD_OUT,
    "Numbers from 101 to 103, before any was looked at": lambda number: number in HELD_OUT,
}
OUTCOMES = ("right", "either", "elsewhere", "silent", "passes")

HEAD = f"""\
# Whether the cause is found

When a file fails, `check` tries small edits for {SECONDS} s, or half as long again if none passes
anything, and names the line where one makes all tests pass, alone or, in another minute or so, with
a second one. Each row counts mistakes in files
that are right otherwise, one in six with a second one. Their authors had seen the handout and the
skeleton, and wrote down cause and lines first. *right*: the line that is named first is one of
those, or next to one; *either*: another named line is; *elsewhere*: none is, though an edit there
makes all tests pass or, where `check` says so, the first that failed; *silent*: no line is named;
*passes*: no test fails. The search was tuned with some of the files in view. The others were
measured before anybody had looked at them, and the search has changed with them since.
`./tilelab measure causes` counts, and keeps the rows of labs that it is not asked for. All rows of
files in view are of earlier versions.

"""


def main() -> None:
    parser = tables.parser(__doc__, page)
    parser.add_argument("labs", nargs="*", default=lab.all_labs())
    parser.add_argument("--only", metavar="FILE", type=Path, help="judge this file alone")
    chosen = parser.parse_args()
    if chosen.only:
        print(_of_file(chosen.only))
        return
    for name in chosen.labs:
        toolchain.prepare("emulator", [name])
    files = [path for name in chosen.labs for path in sorted((MISTAKES / name).glob("*.cu"))]
    slots: queue.Queue[int] = queue.Queue()
    count = max(len(os.sched_getaffinity(0)) // PROCESSORS, 1)
    for slot in range(count):
        slots.put(slot)
    with ThreadPoolExecutor(count) as pool:
        rows = list(pool.map(lambda path: _apart(path, slots), files))
    kept = [row for row in tables.rows(ROWS) if row["lab"] not in chosen.labs]
    course = [one.name for one in lab.course()]
    ordered = sorted([*kept, *rows], key=lambda row: (course.index(row["lab"]), row["file"]))
    tables.publish(ROWS, Table({"machine": machine()}, ordered), page)


def _apart(path: Path, slots: queue.Queue[int]) -> Row:
    """The row of a file, from a process with processors of its own."""
    slot = slots.get()
    try:
        available = sorted(os.sched_getaffinity(0))
        mine = available[slot * PROCESSORS : (slot + 1) * PROCESSORS]
        argv = ["taskset", "-c", ",".join(map(str, mine)), sys.executable, "-P", __file__]
        done = subprocess.run(
            [*argv, "--only", path],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            env=_environment(),
        )
    finally:
        slots.put(slot)
    outcome, named, seconds = done.stdout.strip().splitlines()[-1].split("|")
    print(f"{path.parent.name}/{path.name}: {outcome}", file=sys.stderr)
    return {
        "lab": path.parent.name,
        "file": path.name,
        "named": named,
        "lines": " ".join(map(str, _true_lines(path))),
        "outcome": outcome,
        "seconds": seconds,
    }


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(one for one in sys.path if one)}


def _of_file(path: Path) -> str:
    """The outcome, the lines that are named, and the seconds of the search."""
    the_lab = lab.load(path.parent.name)
    with _session() as session:
        result = submission.grade(path, the_lab, session)
        begin = time.monotonic()
        found = search.find(result, the_lab, session, SECONDS).found
        seconds = time.monotonic() - begin
        is_failing = task.of(result, the_lab) is not None
    named = [one.line for one in found]
    outcome = _outcome(named, _true_lines(path)) if is_failing else "passes"
    return f"{outcome}|{' '.join(map(str, named))}|{seconds:.1f}"


@contextlib.contextmanager
def _session() -> Iterator[Session]:
    """A session whose judges wait for none of other processes."""
    tool = toolchain.load("emulator", REPO / "build" / "emulator")
    with tempfile.TemporaryDirectory(prefix="tilelab-") as folder:
        confine = Path(folder) / "bin" / "confine"
        confine.parent.mkdir()
        shutil.copy2(tool.confine, confine)
        alone = dataclasses.replace(tool, confine=confine)
        yield Session([alone], seed=7, criteria_at_once=PROCESSORS)


def _true_lines(path: Path) -> list[int]:
    said = re.search(r"^// LINES?:(.*)", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert said, f"{path} does not say its lines"
    return [int(number) for number in re.findall(r"\d+", said[1])]


def _outcome(named: Sequence[int], lines: Sequence[int]) -> str:
    hits = [any(abs(one - other) <= 1 for other in lines) for one in named]
    if not hits:
        return "silent"
    return "right" if hits[0] else "either" if any(hits) else "elsewhere"


def page(table: Table) -> str:
    text = HEAD
    for title, is_in in PARTS.items():
        if rows := [row for row in table.rows if is_in(int(row["file"].partition("_")[0]))]:
            text += f"## {title}\n\n{_counts(rows)}\n"
    return text + f"- machine: {table.facts['machine']}, {PROCESSORS} processors for each file\n"


def _counts(rows: Sequence[Row]) -> str:
    text = line("lab", "files", *OUTCOMES) + "\n" + line("---", *["---:"] * 6) + "\n"
    by_lab: dict[str, list[Row]] = {}
    for row in rows:
        by_lab.setdefault(row["lab"], []).append(row)
    for name, some in [*by_lab.items(), ("*all*", list(rows))]:
        counted = Counter(row["outcome"] for row in some)
        text += line(name, len(some), *(counted[one] for one in OUTCOMES)) + "\n"
    return text


if __name__ == "__main__":
    main()
