"""Times what a newcomer waits for, on bare systems.

    ./tilelab measure first_use ROOT ... [--what grade,test,wheel] [--commit NAME]

A ROOT is a folder with a bare system, as `debootstrap --variant=minbase bookworm ROOT` makes it. It
is copied each time, so it stays bare. Needs root, for chroot, and a machine that does nothing else:
processor time is that of the whole machine. Each time becomes a row of first_use.csv, and the page
is made of all rows.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import tables
from chroot import Root
from machine import machine
from page import page
from tables import Table
from tilelab.base.repository import REPO

ROWS = tables.RESULTS / "first_use.csv"

# For a student with a compiler, and nothing of ours.
STUDENT = "apt-get -qq update && apt-get -qq install -y --no-install-recommends g++ python3-venv"
INSTALL = "python3 -m venv /env && /env/bin/pip install --quiet /course/wheels/*.whl"
CHECK = "cd /course && /env/bin/tilelab check diff"

Row = tuple[str, str, int]
Rows = dict[str, Row]


def main() -> None:
    parser = tables.parser(__doc__, page)
    parser.add_argument("roots", type=Path, nargs="+")
    parser.add_argument("--what", default="grade,wheel")
    parser.add_argument("--commit", default="HEAD")
    arguments = parser.parse_args()
    for bare in arguments.roots:
        for what in arguments.what.split(","):
            note(bare, what, arguments.commit)


def note(bare: Path, what: str, commit: str) -> None:
    name = subprocess.check_output(
        ["git", "-C", REPO, "rev-parse", "--short=8", commit], text=True
    ).strip()
    with copy_of(bare) as root:
        for timed, row in TIMED[what](root, name).items():
            keep(root.name(), name, timed, *row)


def keep(*cells: str | int) -> None:
    print(*cells, flush=True)
    names = ("day", "system", "version", "what", "seconds", "processor_seconds", "status")
    row = dict(zip(names, map(str, (date.today(), *cells)), strict=True))
    table = Table({"machine": machine()}, [*tables.rows(ROWS), row])
    tables.publish(ROWS, table, page)


@contextmanager
def copy_of(bare: Path) -> Iterator[Root]:
    with tempfile.TemporaryDirectory(prefix="tilelab-", dir=bare.parent) as folder:
        path = Path(folder) / "root"
        subprocess.run(["cp", "-a", "--reflink=auto", bare, path], check=True)
        with Root(path) as root:
            yield root


def clone(root: Root, version: str) -> None:
    target = root.path / "tilelab"
    subprocess.run(["git", "clone", "--quiet", REPO, target], check=True)
    subprocess.run(["git", "-C", target, "checkout", "--quiet", version], check=True)


def grade(root: Root, version: str) -> Rows:
    return {"grade": cloned(root, version, "grade")}


def test(root: Root, version: str) -> Rows:
    """From a clone, and once more when everything is built."""
    rows = {"test": cloned(root, version, "test")}
    start = Clock()
    return rows | {"test again": start.row(course(root, "test"))}


def cloned(root: Root, version: str, command: str) -> Row:
    start = Clock()
    clone(root, version)
    return start.row(course(root, command))


def course(root: Root, command: str) -> int:
    return root.run(f"cd /tilelab && ./tilelab {command}")


def wheel(root: Root, _: str) -> Rows:
    """From an empty environment to the verdict on the solution of `diff`."""
    publish = [REPO / "tilelab", "publish", root.path / "course", "--labs", "diff"]
    subprocess.run(publish, check=True)
    shutil.copy(REPO / "solutions" / "diff" / "diff.cu", root.path / "course" / "labs" / "diff")
    if root.run(STUDENT):
        sys.exit("apt-get could not install g++ and python3-venv")
    start = Clock()
    return {"wheel": start.row(root.run(f"{INSTALL} && {CHECK}"))}


TIMED = {"grade": grade, "test": test, "wheel": wheel}


class Clock:
    """The time, and the processor time of this machine."""

    def __init__(self) -> None:
        self._started, self._busy = time.monotonic(), busy()

    def row(self, status: int) -> Row:
        seconds, processor = time.monotonic() - self._started, busy() - self._busy
        return f"{seconds:.0f}", f"{processor:.0f}", status


def busy() -> float:
    """Seconds that all processors have worked since the machine started."""
    fields = Path("/proc/stat").read_text(encoding="utf-8").split("\n", 1)[0].split()
    user, nice, system, _, _, interrupts, soft = map(int, fields[1:8])
    return (user + nice + system + interrupts + soft) / 100


if __name__ == "__main__":
    main()
