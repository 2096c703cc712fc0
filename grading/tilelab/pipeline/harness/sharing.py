"""Notes what a harness was built from, so that others can use it without building it again.

Somebody who may not write to the repository cannot ask Ninja, which writes, whether a build is up
to date. Times of files do not say it either: a copy and a container change them.
"""

from __future__ import annotations

import contextlib
import platform
from collections.abc import Iterable, Iterator
from pathlib import Path

from tilelab.base import system
from tilelab.base.files import checksum, write_atomically
from tilelab.base.repository import REPO

_NOTE = "built_from"
_OF_ALL = ("CMake*", "common/**/*", "tests/CMakeLists.txt", "tests/labs/CMakeLists.txt")
_OF_A_LAB = ("labs/{0}/*.h", "tests/labs/{0}/**/*")


def note(folder: Path, targets: Iterable[str], before: str = "") -> None:
    """Notes that these targets in `folder` are built from the sources as they are.

    Those that forget() returned as `before` still are, if their sources have not changed since.
    """
    made_of = _made_of()
    known = _targets(before) if before.startswith(f"{made_of}\n") else frozenset()
    still = {line for line in known if line == _line(line.split()[0])}
    write_atomically(folder / _NOTE, "\n".join([made_of, *sorted(still.union(_lines(targets)))]))


def forget(folder: Path) -> str:
    """Removes the note, before a build that may fail, and returns it."""
    before = _noted(folder)
    (folder / _NOTE).unlink(missing_ok=True)
    return before


def is_up_to_date(folder: Path, targets: Iterable[str]) -> bool:
    """Whether these targets are built from the sources as they are."""
    noted = _noted(folder)
    return noted.startswith(f"{_made_of()}\n") and _targets(noted).issuperset(_lines(targets))


def _targets(noted: str) -> frozenset[str]:
    return frozenset(noted.splitlines()[1:])


def _noted(folder: Path) -> str:
    with contextlib.suppress(OSError, ValueError):
        return (folder / _NOTE).read_text(encoding="utf-8")
    return ""


def _made_of() -> str:
    """The system that a program runs on, and a checksum of what all labs share."""
    return f"{system.os_name()} {platform.machine()} {_checksum(_OF_ALL)}"


def _lines(targets: Iterable[str]) -> Iterator[str]:
    return map(_line, targets)


def _line(target: str) -> str:
    """A target with a checksum of what only it is made of: other labs come and go."""
    lab = target.removeprefix("harness_")
    return f"{target} {_checksum([one.format(lab) for one in _OF_A_LAB])}"


def _checksum(patterns: Iterable[str]) -> str:
    paths = (path for pattern in patterns for path in REPO.glob(pattern) if path.is_file())
    return checksum(paths, REPO)
