"""Measures the time and memory that grading a class costs.

    ./tilelab measure class_cost [--students 30 150 1000] [--before DIR]

Grades classes of several sizes with three labs on the emulator. A fifth of the files are like
others, as in real classes. Where there is bubblewrap it needs root, because only a control group
counts the processor time of jailed programs. Nothing else should run. --before names another
version of TileLab to measure as well. Writes docs/results/class_cost.csv, and the page of it, which
ends with what you add to the file's first lines as a `# note:`.
"""

from __future__ import annotations

import contextlib
import datetime
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import tables
from machine import machine
from tables import Row, Table
from tilelab.base.repository import REPO
from tilelab.sandbox import jail

LABS = ("diff", "nearest_neighbor", "nbody")
IDENTICAL = 0.2
HEAD = """\
# What grading a class costs

Classes with three labs (`diff`, `nearest_neighbor`, `nbody`), graded on the emulator: reference
solutions, ladder steps, typical mistakes and skeletons, of which a fifth are identical to others.
The memory is the grader's own peak; compilers and workers come and go beside it.

`./tilelab measure class_cost` measures this; [class_cost.csv](class_cost.csv) has its rows.

| version | students | files | distinct | processor time per distinct file | wall time | memory |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |"""


def main() -> None:
    parser = tables.parser(__doc__, page)
    parser.add_argument("--students", type=int, nargs="+", default=[30, 150, 1000])
    parser.add_argument("--before", type=Path, metavar="DIR")
    arguments = parser.parse_args()
    facts = {
        "machine": machine(),
        "load average before it began": f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
        "date": datetime.date.today().isoformat(),
    }
    versions = {"before": arguments.before} if arguments.before else {}
    versions["now"] = REPO
    rows: list[dict[str, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        for version, repository in versions.items():  # builds everything
            _grade(repository, _class(Path(folder) / f"first {version}", 1)[0])
        for students in arguments.students:
            for version, repository in versions.items():
                rows.append(measured(version, repository, Path(folder) / version, students))
                # At once, because the next size takes several times as long.
                tables.publish(tables.RESULTS / "class_cost.csv", Table(facts, rows), page)
                print(rows[-1], flush=True)


def measured(version: str, repository: Path, folder: Path, students: int) -> dict[str, str]:
    where, distinct = _class(folder / str(students), students)
    began = time.monotonic()
    with _clock() as seconds:
        peak = _grade(repository, where)
        return {
            "version": version,
            "students": str(students),
            "files": str(students * len(LABS)),
            "distinct": str(distinct),
            "processor_seconds_per_file": f"{seconds() / distinct:.2f}",
            "wall_seconds": f"{time.monotonic() - began:.0f}",
            "peak_mib": f"{peak / 1024:.0f}",
        }


def page(table: Table) -> str:
    facts = table.facts
    load = "load average before it began"
    made = f"{facts['machine']}; {load}: {facts[load]}; {facts['date']}."
    note = ["", tables.filled(facts["note"], 99)] if "note" in facts else []
    return "\n".join([HEAD, *map(_line, table.rows), "", made, *note, ""])


def _line(row: Row) -> str:
    minutes, seconds = divmod(int(row["wall_seconds"]), 60)
    return tables.line(
        row["version"],
        *(f"{int(row[count]):,}" for count in ("students", "files", "distinct")),
        f"{row['processor_seconds_per_file']} s",
        f"{minutes}:{seconds:02} min",
        f"{row['peak_mib']} MiB",
    )


def _class(folder: Path, students: int) -> tuple[Path, int]:
    """A class, and how many distinct files it has."""
    chosen = random.Random(students)
    texts: dict[str, list[str]] = {lab: [] for lab in LABS}
    for lab in LABS:
        pool = [path.read_text(encoding="utf-8") for path in _pool(lab)]
        for number in range(students):
            known = texts[lab]
            copied = known and chosen.random() < IDENTICAL
            own = f"// student {number}\n{pool[number % len(pool)]}"
            known.append(chosen.choice(known) if copied else own)
    for lab, handed_in in texts.items():
        for number, text in enumerate(handed_in):
            path = folder / "class" / f"{number:04}" / f"{lab}.cu"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return folder / "class", sum(len(set(handed_in)) for handed_in in texts.values())


def _pool(lab: str) -> list[Path]:
    own = REPO / "solutions" / lab
    steps = [path for path in sorted((own / "ladder").glob("*.cu")) if "Misses" not in _head(path)]
    mistakes = sorted((own / "mistakes").glob("*.cu"))
    return [own / f"{lab}.cu", *steps, *mistakes, REPO / "labs" / lab / ".skeleton.cu"]


def _head(path: Path) -> str:
    return path.read_text(encoding="utf-8")[:2000]


def _grade(repository: Path, folder: Path) -> int:
    """Grades a class. Returns the grader's peak memory in KiB."""
    out = folder.with_name("results")
    command = [sys.executable, "-P", "-m", "tilelab", "grade", str(folder), "--out", str(out)]
    environment = {**os.environ, "PYTHONPATH": str(repository / "grading")}
    with (folder.with_name("log")).open("w") as log:
        grader = subprocess.Popen(
            [*command, "--backend", "emulator", "--seed", "7"],
            env=environment,
            stdout=log,
            stderr=log,
        )
        peak = 0
        while grader.poll() is None:
            peak = max(peak, _peak_of(grader.pid))
            time.sleep(0.2)
    if grader.returncode != 0:
        sys.exit(f"grading failed:\n{folder.with_name('log').read_text()[-2000:]}")
    return peak


def _peak_of(pid: int) -> int:
    """The peak memory of a process alone, without its children, in KiB."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) if found else 0


@contextlib.contextmanager
def _clock() -> Iterator[Callable[[], float]]:
    """Yields what tells the processor time of all programs that were started since."""
    if jail.bubblewrap():
        with _control_group() as seconds:
            yield seconds
    else:
        before = _children()
        yield lambda: _children() - before


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@contextlib.contextmanager
def _control_group() -> Iterator[Callable[[], float]]:
    """Puts this process into a control group of its own, because jailed programs have no parent."""
    root = Path("/sys/fs/cgroup")
    parent, file, unit = (
        (root, "cpu.stat", 1e6)
        if (root / "cgroup.controllers").exists()
        else (root / "cpuacct", "cpuacct.usage", 1e9)
    )
    group = parent / f"tilelab-{os.getpid()}"
    group.mkdir()
    (group / "cgroup.procs").write_text(str(os.getpid()))
    try:
        yield lambda: int((group / file).read_text().split("usage_usec")[-1].split()[0]) / unit
    finally:
        (parent / "cgroup.procs").write_text(str(os.getpid()))
        with contextlib.suppress(OSError):
            group.rmdir()


if __name__ == "__main__":
    main()
