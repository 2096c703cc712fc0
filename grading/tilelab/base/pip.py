"""Has pip install what requirements.lock pins."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tilelab.base import locked, locks, package_index, process
from tilelab.base.errors import InfraError
from tilelab.base.repository import BUILD

OWN = (sys.executable, "-m", "pip")
_KEPT = 256 * 1024
_TOOLS_SECONDS = 1800


def install(
    *groups: str, seconds: float, into: Path | None = None, pip: Sequence[str] = OWN
) -> process.Finished:
    """Installs groups of packages: into a folder, or else where pip belongs.

    Each is installed alone, because the groups are complete. pip would look for newer versions of
    what has extras, and refuse them for lack of a hash.
    """
    where = [] if into is None else ["--target", str(into)]
    with tempfile.NamedTemporaryFile("w", prefix="tilelab-", suffix=".txt") as wanted:
        wanted.write(locked.text(*groups))
        wanted.flush()
        return process.run(
            [
                *pip,
                "install",
                "--quiet",
                "--no-deps",
                *locked.PIP_OPTIONS,
                *where,
                "-r",
                wanted.name,
            ],
            seconds=seconds,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            keep=_KEPT,
        )


def environment(group: str) -> Mapping[str, str]:
    """The environment for a Python that also has a group, from a folder of its own.

    Downloads it once. Raises InfraError if that fails.
    """
    key = hashlib.sha256(f"{sys.version} {locked.text(group)}".encode()).hexdigest()[:16]
    folder = BUILD / f"{group}-tools" / key
    with locks.exclusive(folder.with_suffix(".lock")):
        if not folder.is_dir():
            _download(group, folder)
    path = f"{folder / 'bin'}:{os.environ.get('PATH', '')}"
    return {**os.environ, "PYTHONPATH": str(folder), "PATH": path, "LC_ALL": "C.UTF-8"}


def _download(group: str, folder: Path) -> None:
    new = folder.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    finished = install(group, seconds=_TOOLS_SECONDS, into=new)
    if finished.timed_out or finished.status != 0:
        shutil.rmtree(new, ignore_errors=True)
        why = package_index.problem(finished.output)
        raise InfraError(f"pip could not download the packages of the group {group}: {why}.")
    new.rename(folder)
