"""`tilelab export` as an instructor types it, on a record."""

from __future__ import annotations

import base64
import csv
import json
import re
import subprocess
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

import pytest
from msgspec.structs import replace

import typed
from support import REPO
from tilelab.commands.formats import Format
from tilelab.model.course import Assignment, Course
from tilelab.model.grade import Grade
from tilelab.model.result import CriterionResult, Result
from tilelab.model.student import Student
from tilelab.record.store import Entry, Store
from tilelab.report import class_report, course_noted

pytestmark = pytest.mark.drawn(pool="exports of a record", count=11)

CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Adjacent difference (77)\n"
    "Points Possible,,,,,60\n"
    '"Lovelace, Ada",1,0042,,S,\n"Hopper, Grace",2,,grace,S,\n"Byron, Lord",3,,,S,\n'
)


def result(student: str, lab: str, points: float) -> Result:
    criteria = [CriterionResult("correctness", "partial", points, 60, ["why"])]
    return Result(student, lab, "graded", points, 60, "ab", criteria)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    folder.mkdir()
    store = Store(folder)
    store.enroll([Student("ada", "Ada Lovelace", "ada@x.example", "0042")])
    grades = [result("ada", "diff", 37.5), result("grace", "diff", 50), result("ada", "nbody", 8)]
    store.write([Entry(Grade(one), None) for one in grades])
    store.close()
    return folder


def export(record: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    if "--out" not in arguments and arguments[0] not in ("gradescope-zip", "github-workflow"):
        arguments += ("--out", record)
    return typed.run("export", *arguments, cwd=record.parent, env=typed.environment())


def test_points_go_into_the_gradebook(record: Path) -> None:
    downloaded = record.parent / "canvas.csv"
    downloaded.write_text(CANVAS)
    finished = export(record, "canvas", "--lab", "diff", "--gradebook", downloaded)
    assert finished.returncode == 0, finished.stderr
    filled = (record / "canvas-diff.csv").read_text()
    assert filled == CANVAS.replace("0042,,S,", "0042,,S,37.5").replace("grace,S,", "grace,S,50")
    assert "2 students have points" in finished.stdout and "Byron, Lord" in finished.stdout
    assert downloaded.read_text() == CANVAS


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["canvas", "--lab", "diff"], ["--gradebook"]),
        (["canvas", "--gradebook", "canvas.csv"], ["one lab", "--lab", "diff, nbody"]),
        (["canvas", "--lab", "nbody", "--gradebook", "canvas.csv"], ["canvas.csv: no", "'nbody'"]),
        (["canvas", "--lab", "diff", "--gradebook", "none.csv"], ["none.csv", "No such file"]),
        (
            ["canvas", "--lab", "diff", "--gradebook", "canvas.csv", "--to", "canvas.csv"],
            ["what you downloaded", "--to"],
        ),
        (
            ["blackboard", "--lab", "diff", "--gradebook", "canvas.csv"],
            ["canvas.csv: this is no grade"],
        ),
        (["canvas", "--lab", "diff", "--gradebook", "wrong.csv"], ["wrong.csv: this is no gradeb"]),
        (["moodle", "--lab", "diff", "--gradebook", "wrong.csv"], ["tilelab: ", "wrong.csv: "]),
        (["junit", "--student", "eve"], ["no grades of eve"]),
        (["junit", "--to", "/nowhere/junit.xml"], ["/nowhere/junit.xml"]),
        (["gradescope", "--lab", "diff"], ["one student", "--student", "ada, grace"]),
        (["gradescope", "--student", "ada"], ["one lab", "--lab"]),
        (["gradescope-zip"], ["--lab"]),
        (["gradescope-zip", "--lab", "nope"], ["no lab 'nope'"]),
        (["github-workflow", "--image", "a: b"], ["--image a: b", "such as debian:13"]),
        (["github-workflow", "--image", ""], ["--image", "no name of a container"]),
        (["csv", "--out", "/nowhere"], ["/nowhere"]),
        (["excel"], ["excel"]),
    ],
)
def test_a_mistake_gets_a_line(record: Path, arguments: list[str], words: list[str]) -> None:
    (record.parent / "canvas.csv").write_text(CANVAS)
    (record.parent / "wrong.csv").write_text("a,b\n1,2\n")
    finished = export(record, *arguments)
    assert finished.returncode == 2
    for word in words:
        assert word in finished.stderr
    assert (record.parent / "canvas.csv").read_text() == CANVAS


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["csv", "--gradebook", "x.csv"], "--gradebook: it is for canvas, moodle, blackboard"),
        (["csv", "--course", "x.toml"], "--course: it is for gradescope-zip, github-workflow"),
        (["csv", "--zero-missing"], "--zero-missing: it is for canvas, moodle, blackboard"),
        (["junit", "--column", "diff"], "--column: it is for canvas, moodle, blackboard"),
        (["github", "--image", "debian:13"], "--image: it is for github-workflow"),
        (["canvas", "--image", "debian:12"], "--image: it is for github-workflow"),
        (["gradescope", "--course", "x.toml"], "--course: it is for gradescope-zip"),
        (["gradescope-zip", "--lab", "diff", "--student", "ada"], "--student: it is for csv, "),
        (["gradescope-zip", "--lab", "diff", "--out", "x"], "--out: it is for csv, "),
        (["github-workflow", "--section", "A"], "--section: it is for csv, "),
    ],
)
def test_an_option_of_other_formats_is_one_line(
    arguments: list[str], says: str, record: Path
) -> None:
    finished = export(record, *arguments)
    assert finished.returncode == 2 and finished.stderr.count("\n") == 1
    assert f"export {arguments[0]} does not take {says}" in finished.stderr
    assert [path.name for path in record.parent.iterdir()] == ["results"]


def test_a_column_needs_a_gradebook(record: Path) -> None:
    finished = export(record, "moodle", "--lab", "diff", "--column", "diff")
    assert finished.returncode == 2 and "--column is for a --gradebook" in finished.stderr


def test_each_format_writes_its_file(record: Path) -> None:
    for name in ("csv", "junit"):
        assert export(record, name).returncode == 0
    for name in ("gradescope", "github"):
        assert export(record, name, "--student", "grace").returncode == 0
    rows = list(csv.reader((record / "gradebook.csv").open(newline="")))
    assert rows[0][:4] == ["student", "diff", "nbody", "total"]
    assert rows[1][:4] == ["ada", "37.5", "8", "45.5"] and rows[2][:4] == ["grace", "50", "", ""]
    assert len(ET.parse(record / "junit.xml").getroot()) == 3
    assert json.loads((record / "gradescope.json").read_text())["tests"][0]["score"] == 50
    encoded = (record / "github.txt").read_text().removeprefix("result=")
    assert json.loads(base64.b64decode(encoded))["max_score"] == 60


def test_a_lab_that_left_the_course_counts_in_no_total(record: Path) -> None:
    store = Store(record)
    course_noted.write(store, Course(assignments={"diff": Assignment()}, path=Path("course.toml")))
    store.close()
    finished = export(record, "csv")
    assert (
        "Not in the course, so in no total, though the record has their grades: nbody\n"
        in finished.stdout
    )
    rows = list(csv.reader((record / "gradebook.csv").open(newline="")))
    assert rows[0] == ["student", "diff", "total", "diff max", "total max"]
    assert rows[1][:3] == ["ada", "37.5", "37.5"]
    # It is exported if asked for, and the record has it.
    finished = export(record, "csv", "--lab", "nbody")
    assert "Not in the course" not in finished.stdout
    class_report.write(record, Store.existing(record))
    report = (record / "report" / "index.html").read_text()
    assert '<td class="points" data-order="37.5">37.5</td>' in report
    assert "ada,8,8,60,60" in (record / "gradebook-nbody.csv").read_text()
    store = Store.existing(record)
    assert store.labs() == ["diff", "nbody"]
    course_noted.write(store, Course(path=Path("course.toml")))  # all labs count as they come
    store.close()
    assert "Not in the course" not in export(record, "csv").stdout
    assert (record / "gradebook.csv").read_text().startswith("student,diff,nbody,total")


def test_a_part_of_the_gradebook_does_not_replace_it(record: Path) -> None:
    store = Store(record)
    store.enroll([Student("ada", section="A/1")])
    store.close()
    assert export(record, "csv").returncode == 0
    whole = (record / "gradebook.csv").read_bytes()
    for words in (["--section", "a/1"], ["--lab", "diff", "--student", "ada"]):
        assert export(record, "csv", *words).returncode == 0
        assert (record / "gradebook.csv").read_bytes() == whole
    parts = sorted(record.glob("gradebook-*.csv"))
    assert [path.name[:13] for path in parts] == ["gradebook-a_1", "gradebook-dif"]
    assert all("ada" in path.read_text() for path in parts)
    finished = typed.run("forget", "ada", "--out", record, "--yes")
    assert finished.returncode == 0 and not any(path.exists() for path in parts)


def test_moodle_can_import_by_email(record: Path) -> None:
    finished = export(record, "moodle", "--lab", "diff")
    assert finished.returncode == 0 and "grace" in finished.stdout
    rows = list(csv.reader((record / "moodle-diff.csv").open(newline="")))
    assert rows[1:] == [["ada@x.example", "0042", "37.5"]]


def test_autograders_need_no_record(tmp_path: Path) -> None:
    empty = tmp_path / "nothing"
    assert export(empty, "gradescope-zip", "--lab", "diff").returncode == 0
    assert "run_autograder" in zipfile.ZipFile(tmp_path / "autograder-diff.zip").namelist()
    assert export(empty, "github-workflow", "--image", "debian:12").returncode == 0
    assert "container: debian:12" in (tmp_path / "classroom.yml").read_text()


@pytest.mark.parametrize("kind", ["gradescope-zip", "github-workflow"])
def test_an_autograder_is_for_a_lab_of_the_course(kind: str, tmp_path: Path) -> None:
    course = tmp_path / "course.toml"
    course.write_text("[labs.nbody]\n[labs.diff]\n")
    done = export(tmp_path, kind, "--lab", "transpose", "--course", course)
    assert done.returncode == 2
    assert f"--lab transpose: {course} has no such lab; its labs are nbody, diff" in done.stderr


def test_autograders_are_those_of_the_course(tmp_path: Path) -> None:
    course = tmp_path / "course.toml"
    course.write_text("[labs.nbody]\n[labs.diff]\ntotal = 20\n[labs.diff.points]\nspeed = 0\n")
    empty = tmp_path / "nothing"
    assert export(empty, "github-workflow", "--course", course).returncode == 0
    assert "runners: nbody,diff\n" in (tmp_path / "classroom.yml").read_text()
    done = export(empty, "gradescope-zip", "--lab", "diff", "--course", course)
    assert done.returncode == 0
    with zipfile.ZipFile(tmp_path / "autograder-diff.zip") as archive:
        assert b"[criteria.speed]" not in archive.read("labs/diff/lab.toml")


def test_the_guide_has_a_row_for_each_format() -> None:
    guide = (REPO / "docs" / "instructor.md").read_text(encoding="utf-8")
    table = guide.partition("| format | what it writes |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `([\w-]+)`", table, re.MULTILINE)) == set(Format)


def test_all_exports_have_one_maximum_per_lab(record: Path) -> None:
    store = Store(record)
    refused = Result("eve", "diff", "rejected", 0, 100, "cd", [], ["diff.cu is a link."])
    missing = Result("bob", "diff", "missing", 0, 45, messages=["There is no diff.cu."])
    store.write([Entry(Grade(one), None) for one in (refused, missing)])
    store.close()
    said = typed.types(
        record.parent, "adjust", "ada/diff", "--points", "1", "--comment", "x", "--out", "results"
    )
    assert "are out of" not in said
    found = json.loads((record / "results.json").read_text())["submissions"]
    assert {one["max"] for one in found if one["lab"] == "diff"} == {60}
    rows = csv.DictReader((record / "gradebook.csv").open(newline=""))
    assert {row["diff max"] for row in rows} == {"60"}
    for student in ("eve", "bob"):
        export(record, "gradescope", "--student", student, "--lab", "diff")
        (test,) = json.loads((record / "gradescope.json").read_text())["tests"]
        assert test["max_score"] == 60
        export(record, "github", "--student", student)
        encoded = (record / "github.txt").read_text().removeprefix("result=")
        assert json.loads(base64.b64decode(encoded))["max_score"] == 60


def test_grades_out_of_other_points_are_named(record: Path) -> None:
    store = Store(record)
    of_another_course = replace(result("eve", "diff", 10), max=20)
    store.write([Entry(Grade(of_another_course), None)])
    store.close()
    words = ("adjust", "ada/diff", "--points", "1", "--comment", "x", "--out", "results")
    said = typed.types(record.parent, *words)
    assert "diff: eve is out of 20 points, and others out of 60. To give all the same" in said
    assert "nbody: " not in said
