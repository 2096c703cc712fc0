"""`tilelab comment` as an instructor types it, and what students and instructors read then."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import typed
from tilelab.model.evidence import Evidence
from tilelab.model.grade import Grade
from tilelab.model.result import CriterionResult, Result
from tilelab.record.fingerprint import Inputs
from tilelab.record.store import Entry, Store

pytestmark = pytest.mark.drawn(pool="comments on files", count=5)

TEXT = "one\ntwo\nthree\n"
COURSE = """
[rubric.naming]
text = "Names say what a thing is for."
points = -1.5
"""


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with a record of two files, and a course."""
    out = tmp_path / "results"
    out.mkdir()
    store = Store(out)
    for student in ("amber", "basil"):
        inputs = Inputs(student, "lab", "harness", "tools", 7)
        found = Evidence("graded", student, source=TEXT)
        store.keep("diff", inputs, found, {"backend": "emulator", "gpu": None}, 1.0)
        row = CriterionResult("correctness", "pass", 50, 60, [])
        result = Result(student, "diff", "graded", 50, 60, student, [row])
        store.write([Entry(Grade(result), inputs.key)])
    store.close()
    (tmp_path / "course.toml").write_text(COURSE)
    return tmp_path


def types(desk: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return typed.run(*arguments, cwd=desk, env=typed.environment())


def comment(desk: Path, rows: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    (desk / "comments.csv").write_text(rows)
    return types(desk, "comment", "comments.csv", *arguments)


def test_a_student_reads_it_at_the_line(desk: Path) -> None:
    rows = (
        "student;lab;line;comment;points;item;by\n"
        'amber;diff;2;"Why twice; and not once?";;;kim\n'
        "amber;diff;3;;;naming;lee\n"
        "amber;diff;;A neat idea.;+2,5;;kim\n"
    )
    done = comment(desk, rows, "--course", "course.toml")
    assert done.returncode == 0, done.stderr
    assert "Noted 3 comments on 1 file." in done.stdout
    assert "amber,51,51,60,60" in (desk / "results" / "gradebook.csv").read_text()
    results = json.loads((desk / "results" / "results.json").read_text())["submissions"]
    amber, basil = results
    assert amber["final_score"] == 51 and basil["remarks"] == []
    assert [(one["line"], one["points"], one["by"]) for one in amber["remarks"]] == [
        (0, 2.5, "kim"),
        (2, 0, "kim"),
        (3, -1.5, "lee"),
    ]
    assert types(desk, "feedback").returncode == 0
    page = (desk / "results" / "feedback" / "amber" / "diff.html").read_text()
    plain = (desk / "results" / "feedback" / "amber" / "diff.md").read_text()
    for text in (page, plain):
        for said in ("Why twice; and not once?", "Names say what a thing is for.", "A neat idea."):
            assert said in text
        assert "kim" not in text and "lee" not in text
        assert "+2.5" in text and "-1.5" in text and "51 / 60" in text
    assert plain.index("2 | two") < plain.index("| Why twice") < plain.index("3 | three")
    assert types(desk, "report").returncode == 0
    assert (
        "kim: A neat idea.; lee: Names" in (desk / "results" / "report" / "index.html").read_text()
    )


def test_what_is_said_again_replaces_and_nothing_takes_back(desk: Path) -> None:
    for text, score in (("First,-5", 45), ("Second,-3", 47), (",", 50)):
        assert (
            comment(
                desk, f"student,lab,line,comment,points,by\namber,diff,1,{text},kim\n"
            ).returncode
            == 0
        )
        assert f"amber,{score}," in (desk / "results" / "gradebook.csv").read_text()


def test_taking_back_is_said_and_so_is_that_nothing_was_there(desk: Path) -> None:
    header = "student,lab,line,comment,by,\n"
    assert "Noted 1 comment on 1 file." in comment(desk, f"{header}amber,diff,1,x,ta1,\n").stdout
    said = comment(desk, f"{header}amber,diff,1,,TA1,\nbasil,diff,2,,kim,\n").stdout
    assert "Noted" not in said and "Took back 1 comment.\n" in said
    assert "Nothing to take back: basil/diff, line 2 has no comment by kim.\n" in said
    assert all(not grade.remarks for grade in Store.existing(desk / "results").grades())


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("", "must be a header with student, lab, comment"),
        ("name,lab,comment\n", "unknown column name; expected one of student, lab"),
        ("student,lab,,comment\namber,diff,x,y\n", "column 3 has no name: write one in the"),
        ("student,lab,comment,\namber,diff,x,y\n", "line 2: 4 cells for 3 columns"),
        ("student,comment,lab,Comment\namber,x,diff,y\n", "2 columns are called comment: keep"),
        ("student,lab,by,comment\namber,diff,k,x\namber,diff,K,y\n", "about the same line"),
        ("student,lab,line,comment\namber,dif,1,x\n", "row 2: the record has no file amber/dif"),
        ("student,lab,line,comment\nambre,diff,1,x\n", "Did you mean amber?; nothing"),
        (
            "student,lab,line,comment\namber,diff,9,x\n",
            "the file has no line 9: its lines are 1 to",
        ),
        (
            "student,lab,line,comment\namber,diff,4,x\n",
            "the file has no line 4: its lines are 1 to 3;",
        ),
        (
            "student,lab,line,comment\namber,diff,1,first, second\n",
            "line 2: 5 cells for 4 columns. Put a name or a text with a comma",
        ),
        ('student,lab,line,comment\namber,diff,1,"first\n', "line 2: a cell has a quote that"),
        ("student,lab,line,comment\namber,diff,-1,x\n", "the file has no line -1"),
        ("student,lab,comment,points\namber,diff,x,many\n", "'many' is not a number of points"),
        ("student,lab,comment,points\namber,diff,x,nan\n", "'nan' is not a number of points"),
        ("student,lab,comment,points\namber,diff,,3\n", "points need a comment that says why"),
        ("student,lab,item\namber,diff,naming\n", "the rubric has no item naming"),
        (
            "student,lab,line,comment\namber,diff,1,x\namber,diff,1,y\nx,y,,z\n",
            "row 3: an earlier row is about the same line: write both into one comment "
            "(1 more row is wrong); nothing was noted",
        ),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_noted(desk: Path, rows: str, says: str) -> None:
    done = comment(desk, rows)
    assert done.returncode == 2 and says in done.stderr and "comments.csv" in done.stderr
    assert done.stderr.count("\n") == 1
    assert all(not grade.remarks for grade in Store.existing(desk / "results").grades())


def test_a_file_that_is_no_text_has_no_lines(desk: Path) -> None:
    store = Store(desk / "results")
    store.write([Entry(Grade(Result("cedar", "diff", "rejected", 0, 60, "of a binary")), None)])
    store.close()
    done = comment(desk, "student,lab,line,comment\ncedar,diff,1,x\n")
    assert done.returncode == 2 and "the record has no text of cedar/diff: it was" in done.stderr
    assert types(desk, "comment", "--page", "page.html").returncode == 0
    assert "amber" in (desk / "page.html").read_text()
    assert "cedar" not in (desk / "page.html").read_text()


def test_a_file_that_is_not_there_is_one_line(desk: Path) -> None:
    done = types(desk, "comment", "nowhere.csv")
    assert done.returncode == 2 and "nowhere.csv: No such file" in done.stderr
