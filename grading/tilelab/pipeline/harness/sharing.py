"""Notes what a harness was built from, so that others can use it without building it again.

Somebody who may not write to the repository cannot ask Ninja, which writes, whether a build is up
to date. Times of files do not say it either: a copy and a container change them.
"""

from __future__ import annotations

import contextlib
import platform
from collections.abc import Iterator
from pathlib import Path

from tilelab.base import system
from tilelab.base.files import checksum, write_atomically
from tilelab.base.repository import REPO

_NOTE = "built_from"
_SOURCES = ("CMake*", "common/**/*", "labs/*/*.h", "labs/*/lab.toml", "tests/labs/**/*")


def note(folder: Path) -> None:
    """Notes that the harness in `folder` is built from the sources as they are."""
    made_of = _made_of()
    if _noted(folder) != made_of:
        write_atomically(folder / _NOTE, made_of)


def forget(folder: Path) -> None:
    (folder / _NOTE).unlink(missing_ok=True)


def is_up_to_date(folder: Path) -> bool:
    return _noted(folder) == _made_of()


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
