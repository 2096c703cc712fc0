"""Filters of system calls, the second wall around a worker, which needs no privileges."""

from __future__ import annotations

import functools
from pathlib import Path

from tilelab.base import process


@functools.cache
def works(confine: Path) -> bool:
    """Whether `confine` can filter system calls here. Emulated processors often cannot."""
    try:
        return process.run([str(confine), "--probe"], seconds=60, env={}).status == 0
    except OSError:
        return False
