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
_SOURCES = ("CMake*", "common/**/*", "labs/*/*.h", "labs/*/lab.toml", "tests/labs/**/*")


def note(folder: Path, targets: Iterable[str], before: str = "") -> None:
    """Notes that these targets in `folder` are built from the sources as they are.

    Those that forget() returned as `before` still are, if the sources have not changed since.
    """
    made_of = _made_of()
    known = _targets(before) if before.startswith(f"{made_of}\n") else frozenset()
    write_atomically(folder / _NOTE, "\n".join([made_of, *sorted(known.union(targets))]))


def forget(folder: Path) -> str:
    """Removes the note, before a build that may fail, and returns it."""
    before = _noted(folder)
    (folder / _NOTE).unlink(missing_ok=True)
    return before


def is_up_to_date(folder: Path, targets: Iterable[str]) -> bool:
    """Whether these targets are built from the sources as they are."""
    noted = _noted(folder)
    return _targets(noted).issuperset(targets) and noted.startswith(f"{_made_of()}\n")


def _targets(noted: str) -> frozenset[str]:
    return frozenset(noted.splitlines()[1:])


def _noted(folder: Path) -> str:
    with contextlib.suppress(OSError, ValueError):
        return (folder / _NOTE).read_text(encoding="utf-8")
    return ""


def _made_of() -> str:
    """The system that a program runs on, and a checksum of the sources."""
    return f"{system.os_name()} {platform.machine()} {checksum(_sources(), REPO)}"


def _sources() -> Iterator[Path]:
    for pattern in _SOURCES:
        yield from (path for path in REPO.glob(pattern) if path.is_file())
