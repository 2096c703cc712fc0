"""The wheel in a students' repository: which machines it serves, and what damage does."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tilelab.pipeline.harness import unpacked

NAME = "tilelab-2.1.0-py3-none-manylinux_2_34_x86_64.whl"


@pytest.mark.parametrize(
    ("machine", "libc", "says"),
    [
        ("x86_64", ("glibc", "2.34"), None),
        ("x86_64", ("glibc", "2.41"), None),
        ("x86_64", ("glibc", "2.31"), "it needs glibc 2.34, and this system has glibc 2.31"),
        ("x86_64", ("glibc", "2.4"), "it needs glibc 2.34, and this system has glibc 2.4"),
        ("x86_64", ("", ""), "it needs glibc 2.34, and this system has"),
        ("aarch64", ("glibc", "2.41"), "it is for x86_64, and this machine is aarch64"),
    ],
)
def test_which_machines_it_serves(
    machine: str, libc: tuple[str, str], says: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setattr("platform.libc_ver", lambda: libc)
    assert unpacked.unsuitable(NAME) == says


def test_a_name_without_a_system() -> None:
    said = unpacked.unsuitable("tilelab-2.1.0-py3-none-any.whl")
    assert said is not None and "does not say which systems it is for" in said


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(unpacked, "REPO", tmp_path)
    monkeypatch.setattr(unpacked, "BUILD", tmp_path / "build")
    monkeypatch.setattr(unpacked, "unsuitable", lambda name: None)
    (tmp_path / "wheels").mkdir()
    unpacked.wheel.cache_clear()
    yield tmp_path
    unpacked.wheel.cache_clear()


def write(repo: Path, program: str) -> Path:
    path = repo / "wheels" / NAME
    with zipfile.ZipFile(path, "w") as archive:
        for name, mode in (("bin/judge", 0o755), ("lib/worker.a", 0o644)):
            info = zipfile.ZipInfo(f"tilelab_home/build/emulator/{name}")
            info.external_attr = mode << 16
            archive.writestr(info, program)
        archive.writestr("tilelab/app.py", "not unpacked")
    return path


def home() -> Path:
    unpacked.wheel.cache_clear()
    found = unpacked.wheel()
    assert found is not None and found.home is not None, found
    return found.home


def test_it_is_unpacked_once_and_its_programs_can_run(repo: Path) -> None:
    write(repo, "one")
    judge = home() / "build" / "emulator" / "bin" / "judge"
    assert os.access(judge, os.X_OK)
    assert not os.access(judge.parents[1] / "lib" / "worker.a", os.X_OK)
    assert not (repo / "build" / "unpacked").joinpath("tilelab").exists()
    before = judge.stat().st_mtime_ns
    assert home() / "build" / "emulator" / "bin" / "judge" == judge
    assert judge.stat().st_mtime_ns == before


def test_another_wheel_replaces_it(repo: Path) -> None:
    write(repo, "one")
    first = home()
    write(repo, "two")
    assert (home() / "build" / "emulator" / "bin" / "judge").read_text() == "two"
    assert not first.exists()


def test_what_an_interruption_left_is_replaced(repo: Path) -> None:
    write(repo, "one")
    made = home().parent
    made.rename(made.with_suffix(".new"))
    assert (home() / "build" / "emulator" / "bin" / "judge").read_text() == "one"


def test_a_damaged_one_is_named(repo: Path) -> None:
    path = write(repo, "one")
    path.write_bytes(path.read_bytes()[:-40])
    found = unpacked.wheel()
    assert found is not None and found.home is None
    assert found.problem is not None and f"wheels/{NAME} is damaged" in found.problem


def test_a_repository_without_one(repo: Path) -> None:
    assert unpacked.wheel() is None
