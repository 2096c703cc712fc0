"""Locks between processes of several users."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from tilelab.base import locks
from tilelab.base.errors import InfraError


def test_a_lock_keeps_others_out_while_it_is_held(tmp_path: Path) -> None:
    path = tmp_path / "new" / "lock"

    def is_free() -> bool:
        with path.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

    with locks.exclusive(path):
        assert not is_free()
    assert is_free()


def test_who_waits_long_for_a_lock_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, told = tmp_path / "lock", []
    monkeypatch.setattr(locks, "_PATIENCE", 0.1)
    with path.open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)

        def waiting() -> None:
            told.append("waiting")
            fcntl.flock(other, fcntl.LOCK_UN)

        with locks.exclusive(path, waiting):
            pass
    with locks.exclusive(path, waiting):
        pass
    assert told == ["waiting"]


def test_a_lock_is_opened_for_writing_because_nfs_asks_for_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes = []
    lock = fcntl.flock

    def noting(descriptor: int, operation: int) -> None:
        modes.append(fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE)
        lock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", noting)
    with locks.exclusive(tmp_path / "lock"):
        pass
    assert modes == [os.O_RDWR]


def refuse(monkeypatch: pytest.MonkeyPatch, *, reading: bool) -> None:
    """Makes a file that this user may not write, and not read either if so asked."""
    really = os.open

    def opened(path: Path, flags: int, mode: int = 0o777) -> int:
        if reading or flags & os.O_RDWR:
            raise PermissionError(13, "Permission denied", str(path))
        return really(path, flags, mode)

    monkeypatch.setattr(os, "open", opened)


def test_the_lock_of_another_user_can_be_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lock").touch()
    refuse(monkeypatch, reading=False)
    with locks.exclusive(tmp_path / "lock"):
        pass


def test_a_folder_that_cannot_be_written_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse(monkeypatch, reading=True)
    with (
        pytest.raises(InfraError, match=r"lock cannot be written: Permission denied\.$"),
        locks.exclusive(tmp_path / "lock"),
    ):
        pass
