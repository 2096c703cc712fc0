"""The wheel that `publish` puts into a students' repository, unpacked: nobody has to install it."""

from __future__ import annotations

import functools
import platform
import re
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path

from tilelab.base import locks
from tilelab.base.files import file_sha256
from tilelab.base.repository import BUILD, REPO

_TAG = re.compile(r"-manylinux_(\d+)_(\d+)_(\w+)\.whl$")
_HOME = "tilelab_home/"


@dataclass(frozen=True)
class Unpacked:
    """What the wheel holds besides the Python package, or why it is of no use here."""

    home: Path | None
    problem: str | None = None


@functools.cache
def wheel() -> Unpacked | None:
    """Unpacks the wheel of this repository once. None if there is no wheel."""
    path = next(iter(sorted(REPO.glob("wheels/*.whl"))), None)
    if path is None:
        return None
    if problem := unsuitable(path.name):
        return Unpacked(None, problem)
    try:
        return Unpacked(_unpacked(path))
    except (zipfile.BadZipFile, EOFError) as error:
        return Unpacked(None, f"{path.relative_to(REPO)} is damaged ({error}): get it again")


def unsuitable(name: str) -> str | None:
    """Why a wheel of this name cannot run on this machine, None if it can."""
    if (tag := _TAG.search(name)) is None:
        return f"{name} does not say which systems it is for"
    library, version = platform.libc_ver()
    if tag[3] != platform.machine():
        return f"it is for {tag[3]}, and this machine is {platform.machine()}"
    if library != "glibc" or _numbers(version) < (int(tag[1]), int(tag[2])):
        return f"it needs glibc {tag[1]}.{tag[2]}, and this system has {library} {version}".rstrip()
    return None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdecimal())


def _unpacked(path: Path) -> Path:
    folder = BUILD / "unpacked" / file_sha256(path)[:16]
    with locks.exclusive(BUILD / "unpacked.lock"):
        if not folder.is_dir():
            # Those of earlier wheels are of no more use, and one may be half unpacked.
            shutil.rmtree(folder.parent, ignore_errors=True)
            new = folder.with_suffix(".new")
            _extract(path, new)
            new.rename(folder)
    return folder / _HOME


def _extract(path: Path, folder: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if info.filename.startswith(_HOME):
                made = Path(archive.extract(info, folder))
                # zipfile leaves out who may execute a file.
                made.chmod(0o755 if info.external_attr >> 16 & 0o100 else 0o644)
