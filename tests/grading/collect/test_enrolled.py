"""Who is in a class that has a roster, and extensions of people who are not."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from tilelab.base.errors import UserError
from tilelab.collect import enrolled
from tilelab.model.course import Course
from tilelab.model.student import Student
from tilelab.pipeline.class_folder import ClassFolder, Collected, Handed, student_of

ROSTER = (
    "student,name,email,id\namber,Amber Stone,as@uni.edu,0042\nbasil,Basil Umber,basil@uni.edu,7\n"
)
LATER = datetime.datetime(2027, 3, 4, tzinfo=datetime.UTC)


def course(folder: Path, *extended: str, roster: str | None = ROSTER) -> Course:
    path = folder / "roster.csv"
    if roster is not None:
        path.write_text(roster)
    return Course(
        extensions={(student, "diff"): LATER for student in extended},
        rosters=(path,) if roster is not None else (),
        path=folder / "course.toml",
    )


def class_of(*folders: str, students: tuple[Student, ...] = ()) -> ClassFolder:
    return ClassFolder([Path("CLASS", name) for name in folders], [], Collected(list(students)))


def keys(found: ClassFolder) -> list[str]:
    return [student.key for student in found.collected.students]


def test_students_of_the_roster_without_a_folder_are_in_the_class(tmp_path: Path) -> None:
    found = enrolled.of_course(class_of("amber"), course(tmp_path))
    assert keys(found) == ["amber", "basil"]
    assert found.collected.students[0] == Student("amber", "Amber Stone", "as@uni.edu", "0042")


@pytest.mark.parametrize("name", ["0042", "AS@uni.edu", "Amber Stone", "Stone, Amber"])
def test_a_folder_may_be_named_by_whatever_the_roster_knows(tmp_path: Path, name: str) -> None:
    found = enrolled.of_course(class_of(name), course(tmp_path))
    assert keys(found) == [name, "basil"]
    assert found.collected.students[0].name == "Amber Stone"


@pytest.mark.parametrize(
    "folders", [("0042", "amber"), ("Amber Stone", "as@uni.edu"), ("Jose\u0301", "José")]
)
def test_two_folders_of_one_student_are_one_line(folders: tuple[str, str], tmp_path: Path) -> None:
    with pytest.raises(UserError) as error:
        enrolled.of_course(class_of(*folders), course(tmp_path))
    key = "José" if "José" in folders else "amber"
    assert str(error.value) == (
        f"CLASS/{folders[0]} and {folders[1]} are folders of the same student, {key}: put the "
        "files that count into one, and remove the other"
    )


QUARTZ = Student("amber", "Amber Quartz", "aq@uni.edu", "17")


@pytest.mark.parametrize(
    ("before", "rows"),
    [
        (QUARTZ, "amber,Amber Stone,as@uni.edu,18"),
        (QUARTZ, "amber,Amber Stone,as@uni.edu,18\naq17,Amber Quartz,aq@uni.edu,17"),
        (replace(QUARTZ, id="", email=""), "amber,Basil Umber,,"),
        (replace(QUARTZ, name=""), "amber,,,18\naq17,,,17"),
    ],
)
def test_a_key_that_became_another_student_s_is_one_line(
    before: Student, rows: str, tmp_path: Path
) -> None:
    of = course(tmp_path, roster=f"student,name,email,id\n{rows}\n")
    with pytest.raises(UserError) as error:
        enrolled.of_course(class_of("amber", students=(before,)), of)
    said = str(error.value)
    assert said.startswith("amber was ") and " before, and is " in said and "\n" not in said


@pytest.mark.parametrize(
    "row",
    [
        "amber,Amber Quartz,aq@uni.edu,0017",  # a mistake in the id
        "amber,Amber Miller,,17",
        "amber,Amber Miller,,",
        'amber,"Quartz, Amber",new@uni.edu,18',
        "amber,,,",
    ],
)
def test_a_student_may_get_other_data(row: str, tmp_path: Path) -> None:
    of = course(tmp_path, roster=f"student,name,email,id\n{row}\n")
    assert keys(enrolled.of_course(class_of("amber", students=(QUARTZ,)), of)) == ["amber"]


def test_a_folder_that_may_be_of_two_is_named(tmp_path: Path) -> None:
    of = course(tmp_path, roster="student,name,id\namber,Amber,17\n17,Basil,18\n")
    found = enrolled.of_course(class_of("17"), of)
    assert found.notes == ["17 may be 17 or amber in the roster: it counts for 17"]
    # `collect` names folders by keys.
    of_collect = class_of("17", students=(Student("17", "Basil", "", "18"),))
    assert enrolled.of_course(of_collect, of).notes == []


@pytest.mark.parametrize("roster", [ROSTER, None])
def test_folders_of_strangers_are_named(roster: str | None, tmp_path: Path) -> None:
    noted = (Student("amber", "Amber Stone"),)
    for students, notes in ((noted, ["not in the roster: ambr, zed"]), ((), [])):
        found = enrolled.of_course(
            class_of("amber", "ambr", "zed", students=students), course(tmp_path, roster=roster)
        )
        assert found.notes == (["not in the roster: ambr, zed"] if roster else notes)


@pytest.mark.parametrize(
    ("folder", "named"),
    [
        ("0042", "amber"),
        ("amber", "0042"),
        ("Amber Stone", "AS@uni.edu"),
        ("Jose\u0301", "José"),
        ("José", "Jose\u0301"),
    ],
)
def test_a_course_may_name_a_student_by_whatever_is_known(
    folder: str, named: str, tmp_path: Path
) -> None:
    extended = course(tmp_path, named)
    extended = replace(extended, submitted=extended.extensions)
    found = enrolled.of_course(class_of(folder), extended)
    in_class = enrolled.for_class(extended, found)
    key = student_of(Path(folder))
    assert strangers(found, in_class) == []
    assert in_class.deadline(key, "diff") == LATER
    assert [(one.student, one.submitted) for one in found.collected.files] == [
        (key, LATER.isoformat())
    ]


def test_a_name_that_two_have_is_no_name_in_a_course(tmp_path: Path) -> None:
    extended = course(tmp_path, "Kim Lee", roster="student,name\nkim1,Kim Lee\nkim2,Kim Lee\n")
    found = enrolled.of_course(class_of("kim1"), extended)
    with pytest.raises(UserError) as error:
        enrolled.for_class(extended, found)
    assert str(error.value) == (
        f"{tmp_path}/course.toml: extensions.Kim Lee may be kim1 or kim2: write which one"
    )


def test_the_roster_of_today_counts_and_forgets_nobody(tmp_path: Path) -> None:
    before = (Student("amber", "Amber Flint"), Student("cedar", "Cedar Elm"))
    found = enrolled.of_course(class_of("amber", students=before), course(tmp_path))
    assert keys(found) == ["amber", "cedar", "basil"]
    assert [one.name for one in found.collected.students] == [
        "Amber Stone",
        "Cedar Elm",
        "Basil Umber",
    ]


def test_times_by_hand_count_and_need_no_collection(tmp_path: Path) -> None:
    by_hand = replace(course(tmp_path, roster=None), submitted={("amber", "diff"): LATER})
    noted = Handed("amber", "diff", "2027-03-01T00:00:00+00:00", "in.zip: diff.cu")
    for files in ([], [noted]):
        found = ClassFolder([Path("CLASS", "amber")], [], Collected([], files))
        (one,) = enrolled.of_course(found, by_hand).collected.files
        assert one.submitted == LATER.isoformat()
    strange = replace(by_hand, submitted={("ambr", "diff"): LATER})
    (line,) = enrolled.strangers_with_extensions(class_of("amber"), strange, Path("CLASS"))
    assert "submitted.ambr: CLASS has no such student. Did you mean amber?" in line


def test_without_a_roster_nothing_changes(tmp_path: Path) -> None:
    found = class_of("amber")
    assert enrolled.of_course(found, course(tmp_path, roster=None)) is found


def test_a_roster_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    the_course = course(tmp_path)
    (tmp_path / "roster.csv").unlink()
    with pytest.raises(UserError) as error:
        enrolled.of_course(class_of("amber"), the_course)
    assert str(error.value) == (
        f"{tmp_path}/roster.csv: No such file or directory ({tmp_path}/course.toml names this "
        "roster)"
    )


def strangers(found: ClassFolder, of: Course) -> list[str]:
    return enrolled.strangers_with_extensions(found, of, Path("CLASS"))


def test_an_extension_of_nobody_is_an_error_if_there_is_a_roster(tmp_path: Path) -> None:
    extended = course(tmp_path, "amber", "bazil", "zoe")
    found = enrolled.of_course(class_of("amber"), extended)
    with pytest.raises(UserError) as error:
        strangers(found, extended)
    assert str(error.value) == (
        f"{tmp_path}/course.toml: extensions.bazil: CLASS has no such student. "
        "Did you mean basil? (1 more like that)"
    )


def test_a_student_of_the_roster_may_have_one_before_handing_anything_in(tmp_path: Path) -> None:
    extended = course(tmp_path, "basil")
    assert strangers(enrolled.of_course(class_of("amber"), extended), extended) == []


def test_without_a_roster_an_unknown_name_is_a_line(tmp_path: Path) -> None:
    lines = strangers(class_of("amber"), course(tmp_path, "umber", "amber", roster=None))
    assert lines == [
        f"{tmp_path}/course.toml: extensions.umber: CLASS has no such student. Did you mean amber?"
    ]
