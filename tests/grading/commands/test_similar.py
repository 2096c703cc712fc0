"""`tilelab similar` as an instructor types it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import made_grades
from support import REPO, SAMPLE_CLASS
from synthetic_class import passed
from tilelab.record.store import Store
from tilelab.similar.page import CAUTION
from typed import run

pytestmark = pytest.mark.drawn(pool="similar files", count=2)


def similar(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run("similar", *arguments)


@pytest.fixture
def a_class(tmp_path: Path) -> Path:
    mine = (SAMPLE_CLASS / "fennel" / "nbody.cu").read_text()
    public = (REPO / "solutions" / "nbody" / "nbody.cu").read_text()
    files = {
        "ada": mine,
        "bob": mine.replace("softening", "s"),
        "eve": mine.replace("256", "128") + "int more;\n",
        "fay": public,
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
    assert "eve" in finished.stdout
    assert finished.stdout.count("fay") == 1 and "nbody: fay: no code of" in finished.stdout
    assert "left out gil: nbody.cu has a NUL byte" in finished.stdout
    (page,) = pages.iterdir()
    assert page.name == "nbody-1.html" and "nbody: ada and eve" in page.read_text()


def test_a_class_without_copies_is_told_so() -> None:
    finished = similar(SAMPLE_CLASS, "--lab", "diff")
    assert "diff: no two of 8 files are alike." in finished.stdout


def test_a_folder_for_pages_that_stays_empty_is_told(a_class: Path, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    none = f"Wrote no page to {pages}: nbody has no two files that are alike and differ."
    shutil.rmtree(a_class / "eve")
    finished = similar(a_class, "--out", pages)  # two files are the same, which needs no page
    assert none in finished.stdout and "ada, bob" in finished.stdout
    shutil.rmtree(a_class / "bob")
    finished = similar(a_class, "--out", pages)
    assert none in finished.stdout and "no two of 2 files" in finished.stdout
    assert not pages.exists()
    (a_class / "ada" / "nbody.cu").unlink()
    (a_class / "fay" / "nbody.cu").unlink()
    (a_class / "gil" / "nbody.cu").unlink()
    finished = similar(a_class, "--out", pages)
    assert finished.returncode == 2 and finished.stderr.count("\n") == 1
    assert f"{a_class} has no submissions" in finished.stderr


def test_an_earlier_year_is_a_class_or_a_record(a_class: Path, tmp_path: Path) -> None:
    text = (a_class / "eve" / "nbody.cu").read_text()
    shutil.rmtree(a_class / "eve")
    earlier = tmp_path / "2026"
    (earlier / "hal").mkdir(parents=True)
    (earlier / "hal" / "nbody.cu").write_text(text)
    (tmp_path / "results").mkdir()
    record = Store(tmp_path / "results")
    made_grades.keep(record, "ida", passed(1), lab="nbody", source=text)
    record.close()
    for folder, name in ((earlier, "hal"), (tmp_path / "results", "ida")):
        finished = similar(a_class, "--earlier", folder)
        assert finished.returncode == 0, finished.stderr
        assert f"{folder}/{name}" in finished.stdout and "nbody, 3 files" in finished.stdout
    both = similar(a_class, "--earlier", earlier, "--earlier", tmp_path / "results")
    assert f"{earlier}/hal, {tmp_path}/results/ida" in both.stdout


def test_a_mistake_gets_a_line(tmp_path: Path) -> None:
    finished = similar(tmp_path / "nothing")
    assert finished.returncode == 2 and "nothing: No such file" in finished.stderr
    for earlier, says in ((tmp_path / "none", "No such file"), (SAMPLE_CLASS, "the class itself")):
        finished = similar(SAMPLE_CLASS, "--earlier", earlier)
        assert finished.returncode == 2 and str(earlier) in finished.stderr
        assert says in finished.stderr and finished.stderr.count("\n") == 1
    finished = similar(SAMPLE_CLASS, "--lab", "nope")
    assert finished.returncode == 2 and "no lab 'nope'" in finished.stderr


def test_pages_do_not_go_into_the_class(a_class: Path) -> None:
    before = sorted(a_class.rglob("*"))
    for out in (a_class, a_class / "pages", a_class / "ada" / "pages"):
        for command in (("similar", a_class), ("viva", "nbody", a_class)):
            done = run(*command, "--out", out)
            assert done.returncode == 2 and done.stderr.count("\n") == 1
            assert "where each folder is a student's: name one outside" in done.stderr
    assert sorted(a_class.rglob("*")) == before
