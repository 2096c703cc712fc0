"""`tilelab similar` as an instructor types it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support import REPO, SAMPLE_CLASS
from tilelab.similar.page import CAUTION


def similar(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", "tilelab", "similar", *map(str, arguments)]
    environment = {"PYTHONPATH": str(REPO / "grading"), "COLUMNS": "120", "PYTHONUTF8": "1"}
    finished = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "Traceback" not in finished.stdout + finished.stderr
    return finished


@pytest.fixture
def a_class(tmp_path: Path) -> Path:
    mine = (SAMPLE_CLASS / "amber" / "nbody.cu").read_text()
    other = (SAMPLE_CLASS / "fennel" / "nbody.cu").read_text()
    files = {
        "ada": mine,
        "bob": mine.replace("softening", "s"),
        "eve": mine.replace("256", "128") + "int more;\n",
        "fay": other,
        "gil": "int a\0;",
    }
    for student, text in files.items():
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / "nbody.cu").write_text(text)
    return tmp_path / "class"


def test_copies_are_reported_and_nothing_else(a_class: Path) -> None:
    pages = a_class.parent / "pages"
    finished = similar(a_class, "--out", pages)
    assert finished.returncode == 0, finished.stderr
    assert "nbody, 4 files" in finished.stdout and CAUTION in finished.stdout
    assert "the same apart from names and comments: ada, bob" in finished.stdout
    assert "eve" in finished.stdout and "fay" not in finished.stdout
    assert "left out gil: nbody.cu has a NUL byte" in finished.stdout
    (page,) = pages.iterdir()
    assert page.name == "nbody-1.html" and "nbody: ada and eve" in page.read_text()


def test_a_class_without_copies_is_told_so() -> None:
    finished = similar(SAMPLE_CLASS, "--lab", "diff")
    assert "diff: no two of 8 files are alike." in finished.stdout


def test_a_mistake_gets_a_line(tmp_path: Path) -> None:
    finished = similar(tmp_path / "nothing")
    assert finished.returncode == 2 and "nothing: No such file" in finished.stderr
    finished = similar(SAMPLE_CLASS, "--lab", "nope")
    assert finished.returncode == 2 and "no lab 'nope'" in finished.stderr
