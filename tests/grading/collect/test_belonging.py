"""Sections and groups of rosters, and the files of groups."""

from __future__ import annotations

import datetime
import shlex
import subprocess
from pathlib import Path

import pytest

import downloads
from downloads import FIRST, SECOND, folder_of
from tilelab.collect import roster
from tilelab.collect.roster.people import Roster
from tilelab.labs import lab
from tilelab.model.course import Course
from tilelab.pipeline.class_folder import read_notes
from tilelab.pipeline.groups import Groups
from typed import types


def load(at: Path, *texts: str) -> Roster:
    paths = [at / f"roster{number}.csv" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return roster.load_all(Course(), paths)


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ("student,section\namber,A\n", ["A"]),
        # Canvas's gradebook, which has whole sentences, and its groups of a set
        ('Student,ID,SIS Login ID,Section,Lab (7)\n"Stone, Amber",1,amber,A,\n', ["A"]),
        ('Student,ID,SIS Login ID,Section\n"Stone, Amber",1,amber,A and B\n', ["A", "B"]),
        ('Student,ID,Section,Lab (7)\n"Stone, Amber",1,"A, B, and C",\n', ["A", "B", "C"]),
        ("name,canvas_user_id,user_id,login_id,sections\nAmber Stone,1,2,amber,A\n", ["A"]),
        # Moodle's participants
        (
            '"First name","Last name","Email address",Groups\nAmber,Stone,a@u.edu,"A, B"\n',
            ["A", "B"],
        ),
        ('"First name","Last name","Email address",Groups\nAmber,Stone,a@u.edu,No groups\n', []),
        # Gradescope
        ("First Name,Last Name,SID,Email,Role,Sections\nAmber,Stone,1,a@u,Student,A\n", ["A"]),
        ("student;section;groups\namber;A/1;B\n", ["A/1"]),
        ("student,section\namber,Research and Development\n", ["Research and Development"]),
        ("student,section\namber,  A\u202e   1 \n", ["A\\u202e 1"]),
    ],
)
def test_a_section_is_read_from_the_roster_of_each_system(
    text: str, sections: list[str], tmp_path: Path
) -> None:
    (student,) = load(tmp_path, text).students
    assert student.sections == sections


def test_one_section_has_one_spelling(tmp_path: Path) -> None:
    people = load(tmp_path, "student,section,group\na,Lab  1,red\nb,LAB 1,Red\nc,lab 1,\n")
    assert [one.section for one in people.students] == ["Lab 1"] * 3
    assert [one.group for one in people.students] == ["red", "red", ""]


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        ([f"student,section\namber,{'x' * 10_000}\n"], "row 2: the name of the section has more"),
        (["student,group\namber,red\nbasil,\n"], "group red: nobody but amber is in it"),
        (
            ["student,group\namber,red\nbasil,red\n", "student,group\namber,blue\ncedar,red\n"],
            "row 2: amber is in group red already, which counts, and not in blue",
        ),
        (["student,section\namber,A\n,B\n"], "row 3: names no student"),
    ],
)
def test_what_does_not_count_is_one_line(texts: list[str], says: str, tmp_path: Path) -> None:
    (remark,) = load(tmp_path, *texts).remarks
    assert says in remark and len(remark) < 200


def test_a_later_roster_tells_what_the_first_does_not(tmp_path: Path) -> None:
    people = load(
        tmp_path, "student,section\namber,A\n", "login_id,sections,group_name\namber,B,red\n"
    )
    (student,) = people.students
    assert (student.section, student.group) == ("A", "red")


def test_a_group_has_the_latest_time_of_its_members(tmp_path: Path) -> None:
    people = load(tmp_path, "student,group\na,red\nb,red\nc,red\nd,blue\n")
    first, last = (datetime.datetime(2027, 3, day, tzinfo=datetime.UTC) for day in (2, 3))
    course = Course(extensions={("a", "diff"): first, ("b", "diff"): last, ("d", "diff"): first})
    shared = Groups(people.students).course(course).extensions
    assert shared == {
        **dict.fromkeys([("a", "diff"), ("b", "diff"), ("c", "diff")], last),
        ("d", "diff"): first,
    }


# --- what groups hand in --------------------------------------------------------------------------


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    (tmp_path / "roster.csv").write_text(
        "student,section,group\namber,A,red\nbasil,A,red\ncedar,B,\ndill,B,blue\nelm,B,blue\n"
    )
    (tmp_path / "course.toml").write_text(downloads.COURSE)
    return tmp_path


def collected(desk: Path, files: dict[str, str | bytes], *takes: str) -> list[str]:
    """What is asked, and what can be answered."""
    folder_of(desk / "in", files)
    options = [one for take in takes for one in shlex.split(take)]
    said = types(desk, "collect", "in", "class", "--course", "course.toml", *options)
    lines = [line.strip() for line in said.splitlines()]
    return [line for line in lines if line.startswith(("--take", "rm ", "group"))]


def test_one_file_of_a_group_is_everybodys(desk: Path) -> None:
    folder_of(desk / "in", {"amber/diff.cu": FIRST, "cedar/diff.cu": SECOND})
    said = types(desk, "collect", "in", "class", "--course", "course.toml")
    assert "no file to judge (2): dill, elm" in said and "basil" not in said
    assert ["diff", "2", "2", "0"] in [line.split() for line in said.splitlines()]


def test_a_folder_may_have_the_name_of_a_group(desk: Path) -> None:
    assert collected(desk, {"RED/diff.cu": FIRST}) == []
    assert (desk / "class/amber/diff.cu").read_text() == FIRST
    assert (desk / "class/basil/diff.cu").read_text() == FIRST


def test_different_files_of_a_group_are_a_question_until_it_is_settled(desk: Path) -> None:
    files: dict[str, str | bytes] = {"amber/diff.cu": FIRST, "basil/diff.cu": SECOND}
    asked = collected(desk, files)
    assert asked[0].startswith("group red: amber and basil handed in different files for diff")
    drop_amber, drop_basil, keep = asked[1:]
    assert collected(desk, files) == asked
    assert collected(desk, files, keep) == []
    assert collected(desk, files) == []
    removed = collected(desk, files, drop_basil)
    assert removed == [shlex.join(["rm", "-r", "class/basil"])]
    subprocess.run(removed[0], shell=True, cwd=desk, check=True)
    assert collected(desk, files) == []
    assert "amber" in drop_amber and not (desk / "class/basil").exists()


def test_a_skeleton_is_not_another_file_and_equal_files_are_one(desk: Path) -> None:
    skeleton = lab.load("diff").pristine.read_text()
    assert collected(desk, {"amber/diff.cu": FIRST, "basil/diff.cu": skeleton}) == []
    assert collected(desk, {"dill/diff.cu": FIRST, "elm/diff.cu": FIRST}) == []


def test_the_class_keeps_sections_and_groups(desk: Path) -> None:
    collected(desk, {"amber/diff.cu": FIRST})
    amber = read_notes(desk / "class").students[0]
    assert (amber.section, amber.group) == ("A", "red")
