"""Writes the students' repository into a folder, and updates one that it wrote before."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from tilelab.base.errors import UserError
from tilelab.base.files import file_sha256
from tilelab.base.text import one_line

_RECORD = ".published.json"


@dataclass(frozen=True)
class Content:
    """A file to write."""

    data: bytes
    is_program: bool = False

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


@dataclass
class Written:
    """What happened to the files of a folder. `kept` were changed there since the last time."""

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)


def assert_usable(folder: Path) -> None:
    """Raises UserError unless the folder is new, empty, or written by write()."""
    if folder.is_dir():
        if any(folder.iterdir()) and not (folder / _RECORD).is_file():
            raise UserError(
                f"{one_line(str(folder))} holds files that publish did not write: name a new folder"
            )
    elif os.path.lexists(folder):
        raise UserError(f"{one_line(str(folder))} is not a folder: name a new one")


def write(folder: Path, files: Mapping[PurePosixPath, Content]) -> Written:
    """Makes the folder hold these files.

    Only what an earlier call wrote is updated or removed, and only if nobody changed it since.
    """
    try:
        return _write(folder, files)
    except OSError as error:
        raise UserError(f"{error.filename or folder}: {error.strerror}") from error


def _write(folder: Path, files: Mapping[PurePosixPath, Content]) -> Written:
    folder.mkdir(parents=True, exist_ok=True)
    before = _read_record(folder)
    if not before:
        _write_record(folder, {})  # after a crash, the next call may go on
    written = Written()
    for place, content in sorted(files.items()):
        _write_one(folder, str(place), content, before, written)
    for name in sorted(before.keys() - {str(place) for place in files}):
        _remove_one(folder, name, before[name], written)
    _write_record(folder, {str(place): content.sha256 for place, content in files.items()})
    return written


def _write_one(
    folder: Path, name: str, content: Content, before: Mapping[str, str], written: Written
) -> None:
    path = folder / name
    there = _sha256(path)
    if there == content.sha256:
        return
    if there is None and not os.path.lexists(path):
        written.added.append(name)
    elif there is not None and there == before.get(name):
        written.updated.append(name)
    else:
        written.kept.append(name)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    _replace(path, content)


def _remove_one(folder: Path, name: str, sha256: str, written: Written) -> None:
    path = folder / name
    if _sha256(path) == sha256:
        path.unlink()
        written.removed.append(name)
        _remove_empty(path.parent, folder)
    elif os.path.lexists(path):
        written.kept.append(name)


def _remove_empty(path: Path, top: Path) -> None:
    while path != top and not any(path.iterdir()):
        path.rmdir()
        path = path.parent


def _sha256(path: Path) -> str | None:
    """The hash of a regular file, None if there is none."""
    if path.is_symlink() or not path.is_file():
        return None
    return file_sha256(path)


def _replace(path: Path, content: Content) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(descriptor, "wb") as file:
            file.write(content.data)
        os.chmod(name, 0o755 if content.is_program else 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _read_record(folder: Path) -> dict[str, str]:
    """The hash of each file that was written the last time."""
    path = folder / _RECORD
    if not path.is_file():
        return {}
    try:
        files = json.loads(path.read_text(encoding="utf-8"))["files"]
        return {name: sha256 for name, sha256 in files.items() if _is_inside(name)}
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise UserError(
            f"{one_line(str(path))} cannot be read: publish to a new folder instead"
        ) from error


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts


def _write_record(folder: Path, files: Mapping[str, str]) -> None:
    record = {"written by": "tilelab publish", "files": dict(sorted(files.items()))}
    text = json.dumps(record, indent=1)
    _replace(folder / _RECORD, Content(f"{text}\n".encode()))
