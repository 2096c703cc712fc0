"""A save is noticed once, however the editor does it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tilelab.watch.saves import Saves


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "diff.cu"
    path.write_text("first\n")
    return path


def is_noticed(saves: Saves, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if saves.is_new():
            return True
        time.sleep(0.01)
    return False


def in_place(path: Path) -> None:
    path.write_text("second\n")


def by_rename(path: Path) -> None:
    new = path.with_name("4913")
    new.write_text("other\n")  # of the same length
    os.utime(new, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    new.replace(path)


def with_a_gap(path: Path) -> None:
    path.rename(path.with_name("diff.cu~"))
    time.sleep(0.15)
    path.write_text("third\n")


@pytest.mark.parametrize("save", [in_place, by_rename, with_a_gap])
def test_a_save_is_noticed_once(file: Path, save: Callable[[Path], None]) -> None:
    saves = Saves(file)
    assert not is_noticed(saves, 0.2)
    save(file)
    assert is_noticed(saves, 10)
    assert not is_noticed(saves, 0.2)


def test_a_file_that_is_still_being_written_is_not_new(file: Path) -> None:
    saves = Saves(file)
    text = ""
    for number in range(10):
        text += f"line {number}\n"
        file.write_text(text)
        assert not saves.is_new()
    assert is_noticed(saves, 10)


def test_a_file_that_is_gone_is_not_new(file: Path) -> None:
    saves = Saves(file)
    file.unlink()
    assert not is_noticed(saves, 0.2)
