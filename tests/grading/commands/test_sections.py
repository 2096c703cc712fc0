"""`--section` of the commands that have it, and sections and groups in what they write."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from msgspec.structs import replace

from made_grades import keep
from support import REPO
from synthetic_class import passed
from tilelab.commands import sections
from tilelab.commands.instructor import grade
from tilelab.labs import lab
from tilelab.model.student import Student
from tilelab.pipeline import class_folder, intake
from tilelab.pipeline.class_folder import Collected, Handed
from tilelab.record.jobs import Job
from tilelab.record.store import Store
from typed import types

pytestmark = pytest.mark.drawn(pool="sections of a class", count=2)

STUDENTS = [
    Student("amber", "Amber Stone", "a@u.edu", "1", "A, Lab 1", "red"),
    Student("basil", "Basil Umber", "b@u.edu", "2", "A", "red"),
    Student("cedar", "Cedar Elm", "c@u.edu", "3", "B/2"),
    Student("dill"),
]


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A record with two sections, a group, and somebody of whom the roster says nothing."""
    (tmp_path / "results").mkdir()
    record = Store(tmp_path / "results")
    for student in STUDENTS:
        keep(record, student.key, passed(1), source="a\nb\n")
    record.enroll(STUDENTS)
    record.close()
    return tmp_path


def rows(path: Path) -> dict[str, tuple[str, str]]:
    with path.open(newline="") as file:
        return {row["student"]: (row["section"], row["group"]) for row in csv.DictReader(file)}


def test_the_gradebook_has_a_column_for_each(desk: Path) -> None:
    types(desk, "export", "csv")
    assert rows(desk / "results/gradebook.csv") == {
        "amber": ("A, Lab 1", "red"),
        "basil": ("A", "red"),
        "cedar": ("B/2", ""),
        "dill": ("", ""),
    }


@pytest.mark.parametrize(
    ("section", "students"),
    [("A", ["amber", "basil"]), ("lab 1", ["amber"]), ("B/2", ["cedar"])],
)
def test_a_section_is_exported_and_sent_feedback(
    section: str, students: list[str], desk: Path
) -> None:
    types(desk, "export", "csv", "--section", section)
    assert list(rows_of(desk)) == students
    types(desk, "export", "moodle", "--section", section, "--to", "moodle.csv")
    assert len((desk / "moodle.csv").read_text().splitlines()) == 1 + len(students)
    types(desk, "feedback", "--section", section)
    assert sorted(path.name for path in (desk / "results/feedback").iterdir()) == students


def test_a_section_s_file_does_not_replace_that_of_the_class(desk: Path) -> None:
    for words in (("moodle", "--lab", "diff"), ("junit",)):
        types(desk, "export", *words)
        for part in (("--section", "A"), ("--section", "B/2"), ("--student", "amber")):
            types(desk, "export", *words, *part)
    files = {path.name: path.read_text() for path in (desk / "results").glob("[mj]*-*.csv")}
    files |= {path.name: path.read_text() for path in (desk / "results").glob("junit*.xml")}
    assert len(files) == 8
    whole, part = files["moodle-diff.csv"], files["moodle-diff-A.csv"]
    assert "a@u.edu" in part and "c@u.edu" not in part and "c@u.edu" in whole
    whole, part = files["junit.xml"], files["junit-A.xml"]
    assert "diff.amber" in part and "diff.cedar" not in part and "diff.dill" in whole
    types(desk, "forget", "amber", "--yes")
    assert all("amber" not in path.read_text() for path in (desk / "results").glob("junit*"))


@pytest.mark.parametrize("named", ["cedar", "3", "C@u.edu", "Cedar Elm"])
def test_feedback_has_the_deadline_of_whomever_the_course_names(named: str, desk: Path) -> None:
    (desk / "course.toml").write_text(
        'time_zone = "UTC"\n[labs.diff]\ndeadline = 2027-03-01T12:00:00\n'
        f'[extensions."{named}"]\ndiff = 2027-03-04T12:00:00\n'
    )
    types(desk, "feedback", "--course", "course.toml")
    for student, day in (("amber", "2027-03-01"), ("cedar", "2027-03-04")):
        assert f"{day} 12:00" in (desk / "results/feedback" / student / "diff.md").read_text()


def rows_of(desk: Path) -> list[str]:
    (part,) = (desk / "results").glob("gradebook-*.csv")
    with part.open(newline="") as file:
        return [row["student"] for row in csv.DictReader(file)]


@pytest.mark.parametrize(
    "words", [("export", "csv"), ("feedback",), ("comment", "--page", "c.html")]
)
@pytest.mark.parametrize(
    ("section", "says"),
    [
        ("C", "nobody is in it; the sections are A, B/2, Lab 1"),
        ("lab1", "Did you mean Lab 1?"),
        ("", "nobody is in it"),
        ("x" * 10_000, "nobody is in it"),
    ],
)
def test_a_section_of_nobody_is_one_line(
    words: tuple[str, ...], section: str, says: str, desk: Path
) -> None:
    said = types(desk, *words, "--section", section, status=2)
    assert said.count("\n") == 1 and says in said and len(said) < 300


def test_a_student_and_a_section_both_narrow_the_choice(desk: Path) -> None:
    types(desk, "export", "csv", "--section", "A", "--student", "amber")
    assert rows_of(desk) == ["amber"]
    both = ("--student", "basil", "--student", "cedar")
    types(desk, "feedback", "--section", "A", *both)
    assert [path.name for path in (desk / "results/feedback").iterdir()] == ["basil"]
    for words in (("export", "csv"), ("feedback",), ("grade", "class", "--lab", "diff")):
        (desk / "class" / "cedar").mkdir(parents=True, exist_ok=True)
        (desk / "class" / "dill").mkdir(exist_ok=True)
        class_folder.write_notes(desk / "class", Collected(STUDENTS))
        said = types(desk, *words, "--section", "A", "--student", "cedar", status=2)
        assert "--section A: none of those whom --student names is in it" in said
        said = types(desk, *words, "--section", "A", "--student", "eve", status=2)
        assert "eve" in said and "none of those" not in said


def test_grade_takes_those_of_a_section_who_are_named() -> None:
    known = [one.key for one in STUDENTS]
    for named, section, found in (
        ([], None, []),
        (["cedar"], None, ["cedar"]),
        ([], "A", ["amber", "basil"]),
        (["cedar", "basil"], "A", ["basil"]),
        (["eve"], "A", ["eve"]),  # is said to be nobody where all are known
    ):
        assert sections.narrowed(named, section, STUDENTS, known) == found


def test_students_who_have_left_the_class_are_named(desk: Path) -> None:
    for student in ("amber", "basil"):
        (desk / "class" / student).mkdir(parents=True)
        (desk / "class" / student / "diff.cu").write_text("")
    says = "The record also has grades of cedar, dill, not in class now. They stay"
    assert says in types(desk, "grade", "class", "--lab", "diff", "--student", "amber")
    left = "2 not in the class, or not in its roster, when it was graded last"
    assert left in types(desk, "export", "csv")
    assert left in types(desk, "export", "moodle", "--lab", "diff")
    assert "not in its roster" not in types(desk, "export", "csv", "--student", "amber")
    types(desk, "forget", "cedar", "--yes")
    said = types(desk, "export", "moodle", "--lab", "diff")
    assert "1 not in the class" in said and "cedar" not in said
    (desk / "class" / "dill").mkdir()
    assert "also has" not in types(desk, "grade", "class", "--lab", "diff", "--student", "amber")


def test_students_with_another_name_than_before_are_named(desk: Path) -> None:
    rows = ["student,name,email,id", *(f"s_{one.key},{one.name},,{one.id}" for one in STUDENTS)]
    (desk / "roster.csv").write_text("\n".join(rows) + "\n")
    (desk / "course.toml").write_text('roster = "roster.csv"\n[labs.diff]\n')
    (desk / "class" / "s_amber").mkdir(parents=True)
    (desk / "class" / "s_amber" / "diff.cu").write_text("")
    grade = ("grade", "class", "--course", "course.toml")
    says = types(desk, *grade, status=2)
    assert "amber is s_amber now, basil is s_basil now, cedar is s_cedar now." in says
    assert "column `student`" in says
    rows[1] = "amber,Amber Stone,,1"
    (desk / "roster.csv").write_text("\n".join(rows) + "\n")
    says = types(desk, *grade)
    assert "before: basil is s_basil now, cedar is s_cedar now. What was graded" in says
    assert {"basil", "s_basil"} <= set(Store.existing(desk / "results").graded_students())


def test_without_sections_nothing_is_added(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    record = Store(tmp_path / "results")
    keep(record, "amber", passed(1))
    record.close()
    types(tmp_path, "export", "csv")
    assert (tmp_path / "results/gradebook.csv").read_text().startswith("student,diff,total")
    types(tmp_path, "report")
    assert (
        "by-section" not in (tmp_path / "results/report/index.html").read_text().split("<script")[0]
    )
    said = types(tmp_path, "feedback", "--section", "A", status=2)
    assert "the roster has no column for sections" in said


def test_the_page_for_comments_has_the_files_of_a_section(desk: Path) -> None:
    types(desk, "comment", "--page", "page.html", "--section", "B/2")
    page = (desk / "page.html").read_text()
    assert "cedar" in page and "amber" not in page
    assert "name a FILE" in types(desk, "comment", status=2)
    assert "are for a --page" in types(desk, "comment", "x.csv", "--section", "A", status=2)
    assert "none of these files" in types(
        desk, "comment", "--page", "p.html", "--lab", "nbody", status=2
    )
    assert "No such file" in types(desk, "comment", "--page", "no/p.html", status=2)


def test_a_comment_on_the_file_of_a_group_is_for_all(desk: Path) -> None:
    types(desk, "comment", "--page", "page.html")
    page = (desk / "page.html").read_text()
    assert '["amber", "diff", 0, [], "red"]' in page and '"basil"' not in page
    (desk / "a.csv").write_text(
        "student,lab,line,comment,points,by\namber,diff,1,Both.,-2,kim\nbasil,diff,2,Alone.,,kim\n"
        "cedar,diff,1,Mine.,,kim\namber,diff,2,Not basil.,,kim\n"
    )
    types(desk, "comment", "a.csv")
    grades = {one.result.student: one for one in Store.existing(desk / "results").grades()}
    said = {name: [one.text for one in grade.remarks] for name, grade in grades.items()}
    assert said == {
        "amber": ["Both.", "Not basil."],
        "basil": ["Both.", "Alone."],
        "cedar": ["Mine."],
        "dill": [],
    }
    assert grades["amber"].score == grades["basil"].score


def test_a_release_is_for_all_of_a_group(desk: Path) -> None:
    path = desk / "diff.cu"
    path.write_text("a\nb\n")
    todo = [Job(one, lab.load("diff"), path) for one in ("amber", "basil")]
    todo.append(Job("cedar", lab.load("diff"), desk / "other.cu"))
    record = Store.existing(desk / "results")
    grade._release(record, ["basil/diff"], todo)
    sha256 = intake.read(path).sha256
    released = [one.student for one in todo if record.is_released(one.student, "diff", sha256)]
    assert released == ["amber", "basil"]


def test_files_of_one_group_are_not_similar(desk: Path) -> None:
    text = (REPO / "grading" / "sample_class" / "fennel" / "nbody.cu").read_text()
    for student, more in (("amber", "int a;"), ("basil", "int b[2];"), ("cedar", "int c[2][2];")):
        (desk / "class" / student).mkdir(parents=True)
        (desk / "class" / student / "nbody.cu").write_text(text + more)
    (desk / "roster.csv").write_text("student,group\namber,red\nbasil,red\ncedar,\n")
    (desk / "course.toml").write_text('roster = "roster.csv"\n')
    (desk / "pages").mkdir()
    (desk / "pages" / "nbody-mine.html").write_text("mine")
    (desk / "pages" / "nbody-9.html").write_text("mine")
    types(desk, "similar", "class", "--out", "pages")
    assert len(list((desk / "pages").iterdir())) == 2 + 3
    types(desk, "similar", "class", "--out", "pages", "--course", "course.toml")
    assert len(list((desk / "pages").iterdir())) == 2 + 2
    (desk / "class" / "basil" / "nbody.cu").write_text(text + "int a;")
    said = types(desk, "similar", "class", "--course", "course.toml")
    assert "the same" not in said and "amber" in said
    (desk / "class" / "cedar" / "nbody.cu").write_text(text + "int a;")
    said = types(desk, "similar", "class", "--course", "course.toml")
    assert "the same to the letter: amber, basil, cedar" in said


def test_forgetting_one_member_keeps_the_groups_file(desk: Path) -> None:
    (desk / "class" / "amber").mkdir(parents=True)
    (desk / "class" / "cedar").mkdir()
    for student in ("amber", "cedar"):
        (desk / "class" / student / "diff.cu").write_text("a\nb\n")
    of_amber = Handed("amber", "diff", "2026-05-01T10:00:00Z", "amber.zip", 2, 3)
    of_cedar = Handed("cedar", "diff", "2026-05-02T10:00:00Z", "cedar.zip")
    class_folder.write_notes(desk / "class", Collected(files=[of_amber, of_cedar]))
    types(desk, "forget", "amber", "--class", "class", "--yes")
    assert not (desk / "class" / "amber").exists()
    left = class_folder.read_notes(desk / "class").files
    assert left == [of_cedar, replace(of_amber, student="basil", source="")]
    assert (desk / "class" / "basil" / "diff.cu").read_text() == "a\nb\n"
    types(desk, "forget", "cedar", "--class", "class", "--yes")
    assert {path.name for path in (desk / "class").iterdir()} == {"basil", "collected.json"}
    assert class_folder.read_notes(desk / "class").files == left[1:]
    assert {one.result.student for one in Store.existing(desk / "results").grades()} == {
        "basil",
        "dill",
    }
