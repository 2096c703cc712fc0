"""Has pip install what requirements.lock pins."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tilelab.base import locked, process

OWN = (sys.executable, "-m", "pip")
_KEPT = 256 * 1024


def install(
    *groups: str, seconds: float, into: Path | None = None, pip: Sequence[str] = OWN
) -> process.Finished:
    """Installs groups of packages: into a folder, each alone, or else where pip belongs."""
    where = [] if into is None else ["--no-deps", "--target", str(into)]
    with tempfile.NamedTemporaryFile("w", prefix="tilelab-", suffix=".txt") as wanted:
        wanted.write(locked.text(*groups))
        wanted.flush()
        return process.run(
            [*pip, "install", "--quiet", *locked.PIP_OPTIONS, *where, "-r", wanted.name],
            seconds=seconds,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            keep=_KEPT,
        )
