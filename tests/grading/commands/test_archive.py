"""`tilelab archive`: a course without names, which still works."""

from __future__ import annotations

import json
import subprocess
import unicodedata
from pathlib import Path

import pytest
from msgspec.structs import replace

import made_grades
import typed
from support import REPO
from synthetic_class import passed
from tilelab.model.student import Student
from tilelab.record.store import Store

STUDENTS = [
    Student("amber", "Amber Quartz", "aquartz@uni.example", "7700421"),
    Student("77-00422", "Núria Ågren", "na17@uni.example", "7700422"),
    Student("basil", "", "", ""),
]
FENNEL = (REPO / "grading" / "sample_class" / "fennel" / "nbody.cu").read_text()


def run(*words: str | Path, status: int = 0) -> str:
    return typed.said(typed.run(*words), status)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """The results of three students whose names are everywhere."""
    out = tmp_path / "results"
    out.mkdir()
    record = Store(out)
    record.enroll(STUDENTS)
    record.configure("title", "GPUs in 2027")
    for one in STUDENTS:
        names = f"{one.key} {one.name} {one.email} {one.id}"
        wrong = replace(made_grades.WRONG, text=names, summary=names, got=f"/home/{one.key}/x")
        source = f"// by {names}\nint {one.key.replace('-', '_')}_kernel;\n/* {one.name} */\n"
        found = made_grades.failing("correctness", wrong)
        made_grades.keep(record, one.key, replace(found, messages=(names,)), source=source)
        made_grades.keep(record, one.key, passed(1), lab="nbody", source=FENNEL)
        record.adjust(one.key, "diff", 2, f"well done, {names}", "ada_the_tutor")
    record.close()
    return out


def unpacked(path: Path, to: Path) -> Path:
    # Python's tarfile warns without a filter from 3.12 on, and has none before 3.11.4.
    to.mkdir()
    subprocess.run(["tar", "-xf", path, "-C", to], check=True)
    (folder,) = to.iterdir()
    return folder


def test_no_name_is_in_any_byte(out: Path, tmp_path: Path) -> None:
    said = run("archive", tmp_path / "2027.tar.gz", "--out", out)
    assert "3 students" in said and "README" in said
    folder = unpacked(tmp_path / "2027.tar.gz", tmp_path / "there")
    assert sorted(path.name for path in folder.iterdir()) == [
        *("README.txt", "gradebook.csv", "record.sqlite", "results.json")
    ]
    words = {word for one in STUDENTS for word in (one.key, one.email, one.id, *one.name.split())}
    words |= {"aquartz", "na17", "ada_the_tutor"}
    for path in folder.iterdir():
        content = path.read_bytes().lower()
        for word in filter(None, words):
            for form in ("NFC", "NFD"):
                name = unicodedata.normalize(form, word.lower()).encode()
                assert name not in content, (path, word)


def test_grades_stay(out: Path, tmp_path: Path) -> None:
    run("archive", tmp_path / "2027.tar.gz", "--out", out)
    folder = unpacked(tmp_path / "2027.tar.gz", tmp_path / "there")
    before, after = Store.existing(out), Store.existing(folder)
    assert sorted(one.score or 0 for one in after.grades()) == sorted(
        one.score or 0 for one in before.grades()
    )
    assert after.graded_students() == {"s001", "s002", "s003"}
    assert len({one.score for one in after.grades()}) == 2
    (text,) = set(after.sources("nbody").values())
    assert text == FENNEL
    rows = json.loads((folder / "results.json").read_text())["submissions"]
    assert {row["student"] for row in rows} == after.graded_students()


def test_an_archive_can_be_reported_and_compared(out: Path, tmp_path: Path) -> None:
    run("archive", tmp_path / "2027.tar.gz", "--out", out)
    folder = unpacked(tmp_path / "2027.tar.gz", tmp_path / "there")
    run("report", "--out", folder)
    assert "GPUs in 2027" in (folder / "report" / "index.html").read_text()
    run("feedback", "--out", folder)
    (tmp_path / "class" / "cara").mkdir(parents=True)
    (tmp_path / "class" / "cara" / "nbody.cu").write_text(FENNEL)
    said = run("similar", tmp_path / "class", "--earlier", folder)
    assert f"cara, {folder}/s00" in said


def test_a_mistake_gets_a_line(out: Path, tmp_path: Path) -> None:
    (tmp_path / "there.tar.gz").write_text("mine")
    (tmp_path / "empty").mkdir()
    Store(tmp_path / "empty").close()
    for words, says in (
        ([tmp_path / "there.tar.gz", "--out", out], "there already"),
        ([tmp_path / "x.zip", "--out", out], "ends in .tar.gz"),
        ([tmp_path / "no" / "x.tar.gz", "--out", out], "no such folder"),
        ([tmp_path / "x.tar.gz", "--out", tmp_path], "has no record.sqlite"),
        ([tmp_path / "x.tar.gz", "--out", tmp_path / "empty"], "no grades"),
    ):
        said = run("archive", *words, status=2)
        assert says in said and said.count("\n") == 1
    assert (tmp_path / "there.tar.gz").read_text() == "mine"
