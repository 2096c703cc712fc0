"""`tilelab forget`: nothing of a student is left, and nothing of another one is lost."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace

import made_grades
from support import REPO
from synthetic_class import passed
from tilelab.model.student import Student
from tilelab.pipeline import class_folder
from tilelab.pipeline.class_folder import Collected, Decision, Handed
from tilelab.record import store
from tilelab.record.store import Store
from typed import run, said

pytestmark = pytest.mark.drawn(pool="who is forgotten", count=2)

AMBER = Student("amber", "Amber Quartz", "amber.q@uni.example", "7700421")
BASIL = Student("basil", "Basil Thyme", "basil@uni.example", "7700422")
DECISIONS = [Decision("amber's.cu", "amber", "diff", "ab"), Decision("b.cu", "basil", "diff", "cd")]
WORDS = (b"amber", b"Amber", b"Quartz", b"7700421", b"amber_was_here")
OWN = "// amber_was_here\nint a;\n"
SHARED = "int the_same_text;\n"


@dataclass(frozen=True)
class Course:
    """A class of two, its results, and pages of `similar`."""

    folder: Path

    @property
    def out(self) -> Path:
        return self.folder / "results"

    @property
    def files(self) -> Path:
        return self.folder / "class"

    def types(self, *words: str | Path, status: int = 0) -> str:
        return said(run(*words), status)

    def forget(self, *words: str | Path, status: int = 0) -> str:
        return self.types("forget", *words, "--out", self.out, status=status)

    def naming(self, folder: Path) -> list[Path]:
        """The files in a folder in which there is anything of the student."""
        return [
            path
            for path in folder.rglob("*")
            if path.is_file()
            and (any(word in path.read_bytes() for word in WORDS) or "amber" in str(path.name))
        ]


@pytest.fixture
def course(tmp_path: Path) -> Course:
    course = Course(tmp_path)
    for student in ("amber", "basil"):
        (course.files / student).mkdir(parents=True)
        (course.files / student / "diff.cu").write_text(OWN if student == "amber" else SHARED)
    handed = [Handed(student, "diff", source=f"{student}.zip") for student in ("amber", "basil")]
    class_folder.write_notes(course.files, Collected([AMBER, BASIL], handed, DECISIONS))
    course.out.mkdir()
    record = Store(course.out)
    record.enroll([AMBER, BASIL])
    wrong = made_grades.failing("correctness", replace(made_grades.WRONG, text="amber_was_here"))
    made_grades.keep(record, "amber", wrong, source=OWN)
    for lab in ("diff", "nbody"):
        made_grades.keep(record, "basil", passed(1), lab=lab, source=SHARED)
    made_grades.keep(record, "amber", passed(1), lab="nbody", source=SHARED)
    record.adjust("amber", "diff", 5, "Amber Quartz did this well", "ada")
    record.adjust("basil", "diff", 2, "helps others", "ada")
    record.release("amber", "diff", "ab")
    record.close()
    course.types("feedback", "--out", course.out)
    course.types("report", "--out", course.out)
    course.types("export", "moodle", "--lab", "diff", "--out", course.out)
    course.types("export", "junit", "--out", course.out)
    course.types("export", "csv", "--out", course.out)
    rows = "lab,problem,rank,student,ms\r\ndiff,x,1,amber,1\r\ndiff,x,2,basil,2\r\n"
    (course.out / "leaderboard.csv").write_text(rows)
    (course.out / "grader.log").write_text("amber/diff.cu: failed\n")
    return course


def test_nothing_is_left(course: Course) -> None:
    before = Store.existing(course.out)
    kept = [one for one in before.grades() if one.result.student == "basil"]
    before.close()
    said = course.forget("amber", "--class", course.files, "--yes")
    assert course.naming(course.folder) == []
    assert "Still names" not in said and "A comment still" not in said
    assert "that are gone: 1\n" in said and "backups" in said and "learning systems" in said
    assert all(f"{what}, " in said for what in ("`viva`", "`comment`", "folders (see --to)"))
    after = Store.existing(course.out)
    assert after.grades() == kept
    assert after.students() == {"basil": BASIL}
    assert [one.source for one in map(after.evidence, after.seconds())] == [SHARED, SHARED]
    assert sqlite3.connect(course.out / store.NAME).execute(
        "PRAGMA integrity_check"
    ).fetchone() == ("ok",)
    assert (course.out / "leaderboard.csv").read_text().endswith("\ndiff,x,2,basil,2\n")
    assert (course.out / "feedback" / "basil" / "diff.html").is_file()
    assert not (course.out / "feedback" / "amber").exists()
    assert "basil" in (course.out / "report" / "index.html").read_text()
    noted = class_folder.read_notes(course.files)
    assert noted.students == [BASIL] and noted.decisions == DECISIONS[1:]
    assert [one.student for one in noted.files] == ["basil"]
    assert not (course.files / "amber").exists()


def test_nothing_is_left_in_a_write_ahead_log(course: Course) -> None:
    database = sqlite3.connect(course.out / store.NAME)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("UPDATE adjustment SET comment = comment || 'amber_was_here'")
    database.execute("UPDATE adjustment SET comment = 'well done'")
    database.commit()
    database.close()
    course.forget("amber", "--yes")
    assert course.naming(course.out) == []


def test_the_class_stays_unless_it_is_named(course: Course) -> None:
    said = course.forget("amber", "--yes")
    assert course.naming(course.out) == []
    assert (course.files / "amber" / "diff.cu").read_text() == OWN
    assert "--class" in said and "comes back" in said


def test_what_holds_for_the_group_is_handed_on(course: Course) -> None:
    late = "2027-03-03T10:00:00+00:00"
    record = Store.existing(course.out)
    record.enroll([replace(one, group="E") for one in (AMBER, BASIL)])
    made_grades.keep(record, "basil", passed(1), source=SHARED, submitted=late, days_late=2)
    record.close()
    said = course.forget("amber", "--yes")
    assert (
        "[submitted.amber] and [extensions.amber] in course.toml hold for the whole group" in said
    )
    assert "enter them as [submitted.basil] and [extensions.basil]; as" in said
    assert f"[submitted.basil] diff = {late}\n" in said
    assert "course.toml hold" not in course.forget("basil", "--yes")


def test_it_asks_first(course: Course) -> None:
    files = {path: path.read_bytes() for path in course.folder.rglob("*") if path.is_file()}
    said = course.forget("amber", status=1)
    assert "amber (Amber Quartz)" in said and "--yes" in said
    assert {path: path.read_bytes() for path in files} == files


@pytest.mark.parametrize("name", ["ambre", "../class", "basil/diff", ""])
def test_an_unknown_student_gets_a_line(course: Course, name: str) -> None:
    said = course.forget(name, "--yes", "--class", course.files, status=2)
    assert said.count("\n") == 1 and "has no student" in said
    if name == "ambre":
        assert "nearest name is amber" in said
    assert (course.files / "amber" / "diff.cu").exists()


def test_folders_that_are_not_there_get_a_line(course: Course) -> None:
    for words in (["--class", course.folder / "no"], ["--pages", course.folder / "no"]):
        said = course.forget("amber", "--yes", *words, status=2)
        assert said.count("\n") == 1 and "no" in said
    assert "no such folder" in course.types("forget", "amber", "--out", "/no/such", status=2)


def test_another_grader_is_not_disturbed(course: Course) -> None:
    with store.alone(course.out):
        assert "another grader" in course.forget("amber", "--yes", status=2)


def test_what_others_comments_say_is_named(course: Course) -> None:
    record = Store.existing(course.out)
    record.adjust("basil", "nbody", -5, "copied from Amber Quartz", "ada")
    record.close()
    assert "A comment still names the student, see `adjust`: basil/nbody" in course.forget(
        "amber", "--yes"
    )


def test_files_of_ones_own_stay_and_are_named(course: Course) -> None:
    mine = course.out / "notes.txt"
    mine.write_text("Talk to AMBER quartz\n")
    assert f"Still names the student, or cannot be read: {mine}\n" in course.forget(
        "amber", "--yes"
    )
    assert mine.exists()


def test_an_export_of_any_encoding_goes(course: Course) -> None:
    for name, encoding in (("blackboard-diff.xls", "utf-16"), ("canvas-diff.csv", "utf-8-sig")):
        (course.out / name).write_text('"Quartz, Amber"\t5\n', encoding=encoding)
    course.forget("amber", "--yes")
    assert not [path for path in course.out.iterdir() if path.name.startswith(("bl", "canvas"))]


def test_a_short_name_is_not_any_word(course: Course) -> None:
    record = Store.existing(course.out)
    made_grades.keep(record, "a", passed(1), source="int own;")
    record.close()
    (course.out / "notes.txt").write_text("a file of mine\n")
    (course.out / "list.csv").write_text("a,5\n")
    said = course.forget("a", "--yes")
    assert "notes.txt" not in said and "list.csv" in said


def test_pages_about_similar_files_go(course: Course) -> None:
    text = (REPO / "grading" / "sample_class" / "fennel" / "nbody.cu").read_text()
    for student, more in (("amber", "int a;"), ("basil", "int b[2];"), ("cara", "int c[2][2];")):
        (course.files / student).mkdir(exist_ok=True)
        (course.files / student / "nbody.cu").write_text(text + more)
    pages = course.folder / "pages"
    course.types("similar", course.files, "--lab", "nbody", "--out", pages)
    assert len(list(pages.iterdir())) == 3
    course.forget("amber", "--yes", "--pages", pages)
    (page,) = pages.iterdir()
    assert "basil and cara" in page.read_text()


def test_files_of_a_cluster_go_unless_jobs_may_read_them(course: Course) -> None:
    for name in ("batches", "evidence", "logs"):
        (course.out / "cluster" / name).mkdir(parents=True)
    batch = course.out / "cluster" / "batches" / "tilelab-1.json"
    batch.write_text('{"name": "amber/diff.cu"}')
    (course.out / "cluster" / "evidence" / "ab.json").write_text('{"source": "amber_was_here"}')
    (course.out / "cluster" / "logs" / "tilelab-1.log").write_text("amber/diff.cu failed")
    assert "jobs may still run" in course.forget("amber", "--yes", status=2)
    batch.unlink()
    course.forget("amber", "--yes")
    assert course.naming(course.out) == []


def test_the_last_student_of_a_class_can_be_forgotten(course: Course) -> None:
    course.forget("basil", "--yes")
    course.forget("amber", "--yes")
    assert course.naming(course.out) == []
