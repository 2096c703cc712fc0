"""Atomic writes, and temporary folders."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

KEEP = "TILELAB_KEEP"


@contextmanager
def work_folder() -> Iterator[Path]:
    """Makes a temporary folder and removes it at the end.

    To look into it afterwards, set TILELAB_KEEP to a folder: it is then made there and kept.
    """
    if kept_in := os.environ.get(KEEP):
        Path(kept_in).mkdir(parents=True, exist_ok=True)
        yield Path(os.path.realpath(tempfile.mkdtemp(prefix="tilelab-", dir=kept_in)))
    else:
        with tempfile.TemporaryDirectory(prefix="tilelab-") as name:
            yield Path(os.path.realpath(name))


def from_here(path: Path) -> Path:
    """The path from the current folder if the file is in it, because that is shorter to read."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replaces a file in one step: a reader, or a crash, never sees half of it."""
    data = content.encode() if isinstance(content, str) else content
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
