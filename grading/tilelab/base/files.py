"""Atomic writes, and temporary folders."""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import functools
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tilelab.base import process
from tilelab.base.errors import UserError
from tilelab.base.text import one_line

KEEP = "TILELAB_KEEP"

_PREFIX = "tilelab-"
_LOCK = "in-use"


def make_folder(path: Path) -> None:
    """Makes a folder that a user named, unless it is there. Raises UserError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise UserError(f"{one_line(str(path))} is not a folder: name a new one") from error
    except OSError as error:
        raise UserError(f"{one_line(str(path))}: {error.strerror}") from error


@contextmanager
def work_folder() -> Iterator[Path]:
    """Makes a temporary folder and removes it at the end.

    To look into it afterwards, set TILELAB_KEEP to a folder: it is then made there and kept.
    """
    if kept_in := os.environ.get(KEEP):
        Path(kept_in).mkdir(parents=True, exist_ok=True)
        yield Path(os.path.realpath(tempfile.mkdtemp(prefix="tilelab-", dir=kept_in)))
    else:
        parent = os.path.realpath(tempfile.gettempdir())
        with tempfile.TemporaryDirectory(prefix="work-", dir=_own_folder(Path(parent))) as name:
            yield Path(name)


@functools.cache
def _own_folder(parent: Path) -> Path:
    """A folder for the work folders of this process, which goes when the process ends.

    It holds a lock as long as its process lives. So the next process finds those of processes that
    were killed, and removes them.
    """
    for folder in parent.glob(f"{_PREFIX}*"):
        _remove_if_left(folder)
    made = Path(tempfile.mkdtemp(prefix=f"new-{_PREFIX}", dir=parent))
    lock = os.open(made / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    # Only now can others find it, and it is locked.
    folder = made.rename(made.with_name(made.name.removeprefix("new-")))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _remove_if_left(folder: Path) -> None:
    with contextlib.suppress(OSError):
        if folder.lstat().st_uid != os.getuid():
            return
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            process.kill_left_jails(folder)
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(lock)


def from_here(path: Path) -> Path:
    """The path from the current folder if the file is in it, because that is shorter to read."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def checksum(paths: Iterable[Path], root: Path) -> str:
    """A SHA-256 over files and their names, as they are below `root`."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(f"{path.relative_to(root)} {file_sha256(path)}\n".encode())
    return digest.hexdigest()


def read_limited(path: Path, most_bytes: int) -> bytes:
    """What a person's file holds. Raises UserError in one line, even for a device without an end.

    A pipe is none: nobody may ever write to it.
    """
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UserError(f"{path} is not a regular file")
            data = file.read(most_bytes + 1)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
    if len(data) > most_bytes:
        raise UserError(f"{path} is larger than {most_bytes // 1024**2} MiB")
    return data


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replaces a file in one step: a reader, or a crash, never sees half of it."""
    write_pieces_atomically(path, [content.encode() if isinstance(content, str) else content])


def write_pieces_atomically(path: Path, pieces: Iterable[bytes]) -> None:
    """The same for content that is too large to be held at once."""
    try:
        _write_pieces(path, pieces)
    except OSError as error:  # about the file that was asked for, not about one next to it
        raise OSError(error.errno, error.strerror, str(path)) from error


def remove_unfinished(folder: Path, names: Collection[str]) -> None:
    """Removes what write_atomically() had not finished in a folder when its process was killed.

    `names` are those of the files that it writes there.
    """
    for path in folder.glob(".*.????????"):
        name, ending = path.name[1:-9], path.name[-8:]
        # Digits alone are rather the date of somebody's own copy.
        if name not in names or ending.isdigit():
            continue
        facts = path.lstat()
        # Until a file is finished, it is its owner's alone, as others that are hidden rarely are.
        if stat.S_ISREG(facts.st_mode) and stat.S_IMODE(facts.st_mode) == 0o600:
            path.unlink(missing_ok=True)


def _write_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(descriptor, "wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
