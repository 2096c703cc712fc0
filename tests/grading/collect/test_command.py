"""`tilelab collect` as an instructor runs it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import downloads
import typed
from support import REPO
from tilelab.pipeline.class_folder import read_class

pytestmark = pytest.mark.drawn(pool="collections", count=8)

WIDTH = 80


def collect(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return typed.run("collect", *arguments, cwd=cwd, env=typed.environment(columns=WIDTH))


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A folder with a course, its roster, and downloads."""
    (tmp_path / "roster.csv").write_text(downloads.ROSTER)
    (tmp_path / "course.toml").write_text(downloads.COURSE)
    downloads.zip_of(tmp_path / "bb.zip", downloads.BLACKBOARD)
    downloads.zip_of(tmp_path / "canvas.zip", downloads.CANVAS)
    return tmp_path


def test_the_summary_names_all_that_needs_a_look(course: Path) -> None:
    done = collect("bb.zip", "class", "--course", "course.toml", cwd=course)
    assert done.returncode == 0, done.stderr
    assert (
        done.stdout
        == """\
bb.zip: Blackboard
Late (1)
  basil/diff.cu: 1 day late
Missing (1)
  no file to judge (1): dill
Not in the roster (1)
  zed
Refused (1)
  bb.zip: Lab 1_eve_attempt_2027-03-01-08-00-00_diff.cu: is a link
Questions (1)
  clover: no diff.cu, but Diff.txt
      --take 'Lab 1_clover_attempt_2027-03-01-08-00-00_Diff.txt=clover/diff'
      --take 'Lab 1_clover_attempt_2027-03-01-08-00-00_Diff.txt='
  Add the right lines to the command. The class remembers them.
lab   files  missing  late
diff      3        2     1
5 students. Files: 3 new, 0 replaced, 0 as they were.
Wrote class
Next: ./tilelab grade class --course course.toml
"""
    )
    assert all(len(line) <= WIDTH for line in done.stdout.splitlines())
    found = read_class(course / "class")
    names = [path.name for path in found.students]
    assert names == ["amber", "basil", "zed"]


def test_an_attempt_in_time_counts_if_asked_for(course: Path) -> None:
    late = "Lab 1_amber_attempt_2027-03-05-08-00-00_diff.cu"
    downloads.zip_of(course / "bb.zip", {**downloads.BLACKBOARD, late: downloads.LATE})
    for policy, expected in (("last", downloads.LATE), ("before-deadline", downloads.SECOND)):
        options = ("--course", "course.toml", "--attempt", policy)
        assert collect("bb.zip", policy, *options, cwd=course).returncode == 0
        assert (course / policy / "amber" / "diff.cu").read_text() == expected


def test_a_later_collection_goes_on_with_the_roster(course: Path) -> None:
    collect("bb.zip", "class", "--course", "course.toml", cwd=course)
    done = collect("canvas.zip", "class", cwd=course)
    assert done.returncode == 0
    assert "Marked late by Canvas, which does not say when (1)\n  basil/diff.cu" in done.stdout
    assert "Files: 1 new, 0 replaced, 3 as they were." in done.stdout
    again = collect("canvas.zip", "class", cwd=course)
    assert "Files: 0 new, 0 replaced, 4 as they were." in again.stdout


@pytest.mark.parametrize("gone", [[], ["clover"], ["amber", "clover"]])
def test_who_is_left_out_of_a_later_roster_is_named(gone: list[str], course: Path) -> None:
    collect("bb.zip", "class", "--course", "course.toml", cwd=course)
    rows = downloads.ROSTER.splitlines(keepends=True)
    kept = [row for row in rows if row.split(",")[0] not in gone]
    assert len(kept) == len(rows) - len(gone)
    (course / "roster.csv").write_text("".join(kept))
    said = collect("bb.zip", "class", "--course", "course.toml", cwd=course).stdout
    if gone:
        names = f"{', '.join(gone)}: w{'as' if len(gone) == 1 else 'ere'}"
        assert f"{names} in the roster of the last collection, and in none" in said
    else:
        assert "last collection" not in said


def test_who_was_collected_without_a_roster_is_listed_later(course: Path) -> None:
    collect("canvas.zip", "class", cwd=course)
    done = collect("bb.zip", "class", "--course", "course.toml", cwd=course)
    assert (
        """\
Not in the roster (4)
  stoneamber_4711
  umberbasil_4712
  zed
  zinczed_4799
"""
        in done.stdout
    )


def test_a_time_by_hand_is_late_and_one_of_a_stranger_is_said(course: Path) -> None:
    with (course / "course.toml").open("a") as file:
        file.write("[submitted.basil]\ndiff = 2027-03-02T08:00:00\n")
        file.write("[submitted.bsil]\ndiff = 2027-03-02T08:00:00\n")
    done = collect("canvas.zip", "class", "--course", "course.toml", cwd=course)
    assert "Late (1)\n  basil/diff.cu: 1 day late\n" in done.stdout
    assert "Marked late" not in done.stdout
    assert "Counted as in time, for lack of a time: 2 files." in done.stdout
    said = " ".join(done.stdout.split())
    assert "course.toml: submitted.bsil: class has no such student. Did you mean basil?" in said
    # What a person says stays in course.toml, where it can be taken back.
    assert [one.submitted for one in read_class(course / "class").collected.files] == [None] * 3


def test_a_worksheet_adds_times_to_the_roster_of_the_course(course: Path) -> None:
    downloads.zip_of(course / "moodle.zip", downloads.MOODLE)
    (course / "worksheet.csv").write_text(
        'Identifier,"Full name","Email address","Last modified (submission)"\n'
        '"Participant 10023","Amber Stone",a@mail.edu,"Tuesday, 2 March 2027, 11:58 PM"\n'
    )
    options = ("--course", "course.toml", "--roster", "worksheet.csv")
    done = collect("moodle.zip", "class", *options, cwd=course)
    assert "amber/diff.cu: 1 day late" in done.stdout
    found = read_class(course / "class").collected
    assert [one.key for one in found.students] == ["amber", "basil", "clover", "dill"]
    # The roster of an earlier time stays the first one.
    collect("moodle.zip", "class", "--roster", "worksheet.csv", cwd=course)
    assert read_class(course / "class").collected.students == found.students


@pytest.mark.parametrize(
    ("column", "value", "name"),
    [
        ("github", "Octo-Cat", ""),
        ("canvas", "4711", "xyz_4711_90001_diff.cu"),
        ("moodle", "10023", "Xyz_10023_assignsubmission_file_/diff.cu"),
    ],
)
def test_a_later_collection_knows_all_that_the_roster_knew(
    column: str, value: str, name: str, course: Path
) -> None:
    (course / "roster.csv").write_text(f"student,name,{column}\namber,Amber Stone,{value}\n")
    if name:
        downloads.folder_of(course / "in", {name: downloads.FIRST})
    else:
        commits = [("2027-03-01T08:00:00 +0000", {"diff.cu": downloads.FIRST})]
        downloads.clone_of(course / "in" / "lab1-octo-cat", commits)
    for options in (("--roster", "roster.csv"), (), ()):
        said = collect("in", "class", *options, cwd=course).stdout
        assert "Not in the roster" not in said and "as they were" in said
    assert [path.name for path in read_class(course / "class").students] == ["amber"]


def test_a_later_collection_for_a_course_knows_what_another_roster_knew(course: Path) -> None:
    (course / "other.csv").write_text("student,canvas\namber,4711\n")
    downloads.folder_of(course / "in", {"xyz_4711_90001_diff.cu": downloads.FIRST})
    for options in (("--roster", "other.csv"), (), ()):
        said = collect("in", "class", "--course", "course.toml", *options, cwd=course).stdout
        assert "Not in the roster" not in said and "as they were" in said
    assert [path.name for path in read_class(course / "class").students] == ["amber"]


def test_a_later_collection_knows_the_times_of_a_worksheet(course: Path) -> None:
    downloads.zip_of(course / "moodle.zip", downloads.MOODLE)
    (course / "worksheet.csv").write_text(
        'Identifier,"Full name","Last modified (submission)"\n'
        '"Participant 10023","Amber Stone","Tuesday, 2 March 2027, 11:58 PM"\n'
    )
    for options in (("--roster", "worksheet.csv"), ()):
        collect("moodle.zip", "class", "--course", "course.toml", *options, cwd=course)
        noted = {one.student: one.submitted for one in read_class(course / "class").collected.files}
        assert noted["amber"] == "2027-03-02T22:58:00+00:00"


def test_an_answer_is_typed_once(course: Path) -> None:
    answer = ("--take", "clover/Diff.txt=clover/diff")
    downloads.zip_of(course / "plain.zip", downloads.PLAIN)
    for options in (answer, ()):
        done = collect("plain.zip", "class", "--course", "course.toml", *options, cwd=course)
        assert "Questions" not in done.stdout
    assert (course / "class" / "clover" / "diff.cu").read_text() == "no kernel"


@pytest.mark.parametrize(
    ("text", "says"), [(None, "roster.csv: No such file"), ("student\n", "has no student")]
)
def test_a_roster_of_the_course_that_cannot_be_used_is_one_line(
    text: str | None, says: str, course: Path
) -> None:
    (course / "roster.csv").unlink()
    if text is not None:
        (course / "roster.csv").write_text(text)
    done = collect("bb.zip", "class", "--course", "course.toml", cwd=course)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert says in done.stderr and "(course.toml names this roster)" in done.stderr
    assert not (course / "class").exists()


def test_students_whose_names_have_commas_are_told_apart(course: Path) -> None:
    (course / "roster.csv").write_text('name\nAmber\n"Lee, Kim"\n"Lee, Jo"\n')
    skeleton = (REPO / "labs" / "diff" / ".skeleton.cu").read_text()
    files = {"Amber/diff.cu": "int a;", "Lee, Max/diff.cu": skeleton, "Lee, Mia/diff.cu": skeleton}
    downloads.zip_of(course / "plain.zip", files)
    done = collect("plain.zip", "class", "--roster", "roster.csv", cwd=course)
    assert "no file to judge (2): Lee, Jo; Lee, Kim\n" in done.stdout
    assert "diff.cu: Lee, Max; Lee, Mia\n" in done.stdout


def test_unchanged_skeletons_are_named(course: Path) -> None:
    skeleton = (REPO / "labs" / "diff" / ".skeleton.cu").read_text()
    files = {f"{name}/diff.cu": skeleton for name in ("amber", "basil")}
    downloads.zip_of(course / "plain.zip", files)
    done = collect("plain.zip", "class", "--roster", "roster.csv", cwd=course)
    assert "Unchanged skeletons (1)\n  diff.cu: amber, basil\n" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["class"], "name a source"),
        (["nowhere.zip", "class"], "nowhere.zip: there is no such file"),
        (["roster.csv", "class"], "roster.csv is no folder, zip or tar file"),
        (["bb.zip", "course.toml"], "course.toml is a file"),
        (["bb.zip", "class", "--attempt", "best"], "expected one of last, before-deadline"),
        (["bb.zip", "class", "--attempt", "before-deadline"], "add --course"),
        (["bb.zip", "class", "--roster", "nowhere.csv"], "nowhere.csv: No such file"),
        (["bb.zip", "class", "--roster", "/dev/zero"], "/dev/zero is not a regular file"),
        (["bb.zip", "class", "--take", "zed"], "--take zed: --take is WHAT=STUDENT/LAB"),
        (["bb.zip", "class", "--take", "x=zed/diff"], "there is no such file or student in bb.zip"),
        ([".", "class"], "make the class somewhere else"),
        (["empty.zip", "class"], "there is no file for a lab in empty.zip"),
    ],
)
def test_a_mistake_is_one_line_and_leaves_no_class(
    arguments: list[str], words: str, course: Path
) -> None:
    downloads.zip_of(course / "empty.zip", {"amber/notes.txt": "sorry"})
    done = collect(*arguments, cwd=course)
    assert done.returncode == 2
    assert words in done.stderr and done.stderr.count("\n") == 1
    assert not (course / "class").exists()


def test_a_key_that_is_another_student_s_now_gets_nobody_s_files(course: Path) -> None:
    downloads.zip_of(course / "one.zip", {"amber/diff.cu": "int a;"})
    (course / "one.csv").write_text("student,name,id\namber,Amber Quartz,17\n")
    collect("one.zip", "class", "--roster", "one.csv", cwd=course)
    (course / "two.csv").write_text("student,name,id\namber,Amber Stone,18\n")
    (course / "two.toml").write_text('roster = "two.csv"\n')
    for command in (("collect", "one.zip", "class"), ("grade", "class")):
        done = typed.run(*command, "--course", "two.toml", cwd=course, env=typed.environment())
        assert done.returncode == 2 and done.stderr.count("\n") == 1
        assert "amber was Amber Quartz (17) before, and is Amber Stone (18)" in done.stderr


def test_a_class_is_not_made_in_a_record(course: Path) -> None:
    (course / "results").mkdir()
    (course / "results" / "record.sqlite").touch()
    done = collect("bb.zip", "results", cwd=course)
    assert done.returncode == 2 and "results holds record.sqlite" in done.stderr
    assert len(list((course / "results").iterdir())) == 1
