"""The packages that build and check a wheel, in a folder of their own."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from tilelab.base import locked, locks, package_index, pip
from tilelab.base.errors import InfraError
from tilelab.base.repository import BUILD

_SECONDS = 1800


def environment() -> Mapping[str, str]:
    """The environment for a Python that has them. Downloads them once. Raises InfraError."""
    wanted = locked.text("wheel")
    key = hashlib.sha256(f"{sys.version} {wanted}".encode()).hexdigest()[:16]
    folder = BUILD / "wheel-tools" / key
    with locks.exclusive(folder.with_suffix(".lock")):
        if not folder.is_dir():
            _download(folder)
    path = f"{folder / 'bin'}:{os.environ.get('PATH', '')}"
    return {**os.environ, "PYTHONPATH": str(folder), "PATH": path, "LC_ALL": "C.UTF-8"}


def _download(folder: Path) -> None:
    new = folder.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    finished = pip.install("wheel", seconds=_SECONDS, into=new)
    if finished.timed_out or finished.status != 0:
        shutil.rmtree(new, ignore_errors=True)
        why = package_index.problem(finished.output)
        raise InfraError(f"pip could not download what builds wheels: {why}.")
    new.rename(folder)
