"""Gradebooks of Canvas, Moodle and Blackboard, filled in as they were downloaded."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from hostile import TEXTS
from tilelab.base.errors import UserError
from tilelab.exports import blackboard, canvas, delimited, filling, moodle
from tilelab.model.evidence import Verdict
from tilelab.model.grade import Adjustment, Grade
from tilelab.model.result import CriterionResult, Result
from tilelab.model.student import Student

CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Diff (11),Quiz (12),Current Score,Final Grade\r\n"
    ",,,,,Manual Posting,,,\r\n"
    "    Points Possible,,,,,100.00,5.00,(read only),(read only)\r\n"
    '"Lovelace, Ada",901,0042,ada,"CS, 1",,5.00,93.1,A\r\n'
    '"Hopper, Grace",902,0043,grace,"CS, 1",EX,,12.0,\r\n'
    '"Test, Student",999,,t,"CS, 1",33.00,,,\r\n'
)
MOODLE = (
    "\ufeffIdentifier,Full name,Email address,Status,Grade,Maximum Grade,"
    '"Grade can be changed","Last modified (submission)","Last modified (grade)",'
    '"Feedback comments"\n'
    '"Participant 501","Ada Lovelace",ada@x.example,"Submitted, graded",,100.00,Yes,'
    '"Monday, 1 March 2027, 10:00 AM",-,\n'
    '"Participant 502","Grace Hopper",grace@x.example,"No submission",-,100.00,Yes,-,-,"a ""b"""\n'
)
GERMAN = (
    '\ufeffID,"Vollständiger Name",E-Mail-Adresse,Status,Bewertung,Bestwertung,'
    '"Bewertung kann geändert werden","Zuletzt geändert (Bewertung)"\n'
    'Teilnehmer/in501,"Ada Lovelace",ada@x.example,Abgegeben,"12,50","100,00",Ja,-\n'
    'Teilnehmer/in502,"Grace Hopper",grace@x.example,Abgegeben,,"100,00",Ja,-\n'
)
BLACKBOARD = (
    '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Availability"\t'
    '"Weighted Total [Total Pts: up to 100 Percentage] |70"\t'
    '"diff [Total Pts: 100 Score] |71"\t"My notes"\n'
    '"Lovelace"\t"Ada"\t"ada"\t"=""0042"""\t"Yes"\t"93"\t""\t"x"\n'
    '"Hopper"\t"Grace"\t"*grace"\t"0043"\t"Yes"\t""\t"12.00"\t""\n'
)
STUDENTS = [
    Student("ada", "Ada Lovelace", "ada@x.example", "0042"),
    Student("grace", "Grace Hopper", "grace@x.example", "0043"),
]


Read = Callable[[delimited.Delimited], filling.Sheet]


def grade(
    student: str, score: float | None, verdict: Verdict = "graded", most: float = 100
) -> Grade:
    return Grade(Result(student, "diff", verdict, score, most, "a", [], []))


GRADES = [grade("ada", 37.5), grade("grace", 80)]


def table(tmp_path: Path, text: str, encoding: str = "utf-8") -> delimited.Delimited:
    path = tmp_path / "downloaded.csv"
    path.write_bytes(text.encode(encoding))
    return delimited.read(path)


def filled(sheet: filling.Sheet, grades: list[Grade], **more: bool) -> filling.Filled:
    column = filling.choose(sheet, None, ("diff", "Adjacent differences", "Grade", "Bewertung"))
    return filling.fill(sheet, "diff", column, grades, STUDENTS, **more)


def cells(content: bytes, column: int, delimiter: str = ",") -> list[str]:
    text = content.decode("utf-8-sig")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return [row[column] for row in reader]


def test_canvas_gets_points_and_nothing_else(tmp_path: Path) -> None:
    done = filled(canvas.sheet(table(tmp_path, CANVAS)), [grade("ada", 37.5)])
    assert done.content.decode() == CANVAS.replace('"CS, 1",,5.00', '"CS, 1",37.5,5.00')
    assert done.count == 1


def test_who_is_excused_stays_so_and_who_is_not_found_is_listed(tmp_path: Path) -> None:
    done = filled(canvas.sheet(table(tmp_path, CANVAS)), GRADES)
    assert cells(done.content, 5)[3:] == ["37.5", "EX", "33.00"]
    assert any("grace (EX)" in note for note in done.notes)
    assert any("not among the students graded: Test, Student" in note for note in done.notes)


def test_names_with_commas_are_told_apart(tmp_path: Path) -> None:
    text = CANVAS.rstrip() + '\r\n"Lee, Kim",,,,S,,\r\n"Lee, Jo",,,,S,,\r\n'
    done = filled(canvas.sheet(table(tmp_path, text)), GRADES)
    assert any("graded: Test, Student; Lee, Kim; Lee, Jo" in note for note in done.notes)


def test_students_who_are_not_in_the_gradebook_are_listed(tmp_path: Path) -> None:
    text = "\r\n".join(CANVAS.split("\r\n")[:4]) + "\r\n"
    done = filled(canvas.sheet(table(tmp_path, text)), GRADES)
    assert any("not found in the gradebook" in note and "grace" in note for note in done.notes)


def test_canvas_with_semicolons_and_decimal_commas(tmp_path: Path) -> None:
    text = "Student;ID;SIS Login ID;Section;diff (11)\nAda;9;ada;S;\nGrace;8;grace;S;12,00\n"
    done = filled(canvas.sheet(table(tmp_path, text)), [grade("ada", 37.5)])
    assert done.content.decode() == text.replace("ada;S;", "ada;S;37,5")


def test_a_decimal_comma_between_commas_moves_no_cell(tmp_path: Path) -> None:
    text = (
        'Student,ID,SIS Login ID,Section,diff (11),Quiz (12)\nAda,9,ada,S,,8\nGrace,8,g,S,"1,5",\n'
    )
    done = filled(canvas.sheet(table(tmp_path, text)), [grade("ada", 37.5)])
    assert done.content.decode() == text.replace("ada,S,", 'ada,S,"37,5"')


def test_points_that_were_there_are_replaced_and_listed(tmp_path: Path) -> None:
    text = CANVAS.replace(",EX,", ",12.00,")
    done = filled(canvas.sheet(table(tmp_path, text)), GRADES)
    assert cells(done.content, 5)[3:5] == ["37.5", "80"]
    assert any("grace (12.00 before)" in note for note in done.notes)
    again = filled(canvas.sheet(table(tmp_path, done.content.decode())), GRADES)
    assert again.content == done.content
    assert not any("before" in note for note in again.notes)


@pytest.mark.parametrize("title", ["Current Score", "Final Grade", "nothing", "Section"])
def test_no_column_is_made(tmp_path: Path, title: str) -> None:
    sheet = canvas.sheet(table(tmp_path, CANVAS))
    with pytest.raises(UserError, match=r"'Diff', 'Quiz'"):
        filling.choose(sheet, title, ("diff",))


def test_a_canvas_column_without_a_number_would_be_a_new_assignment(tmp_path: Path) -> None:
    sheet = canvas.sheet(table(tmp_path, CANVAS.replace("Diff (11)", "diff")))
    with pytest.raises(UserError, match="would create a new assignment"):
        filling.choose(sheet, "diff", ("diff",))
    with pytest.raises(UserError, match="no column is called 'diff'"):
        filling.choose(sheet, None, ("diff",))


def test_a_column_is_found_by_any_of_its_names(tmp_path: Path) -> None:
    sheet = canvas.sheet(table(tmp_path, CANVAS))
    for title in ("Diff (11)", "diff", "DIFF"):
        assert filling.choose(sheet, title, ()) == 5
    assert filling.choose(sheet, "Quiz", ("diff",)) == 6


def test_two_columns_of_one_name_are_not_guessed(tmp_path: Path) -> None:
    sheet = canvas.sheet(table(tmp_path, CANVAS.replace("Quiz (12)", "diff (12)")))
    with pytest.raises(UserError, match=r"several columns .*: 'Diff \(11\)', 'diff \(12\)'$"):
        filling.choose(sheet, None, ("diff",))
    assert filling.choose(sheet, "diff (12)", ()) == 6


@pytest.mark.parametrize(
    ("late", "zero", "written"),
    [
        (grade("ada", None, "infra_error"), True, ""),
        (grade("ada", 0, "missing"), False, ""),
        (grade("ada", 0, "missing"), True, "0"),
        (grade("ada", 0, "compile_error"), False, "0"),
        (Grade(grade("ada", 80).result, days_late=1, lost_share=0.5), False, "40"),
        (
            Grade(grade("ada", 0, "missing").result, adjustment=Adjustment(9, "", "", "")),
            False,
            "9",
        ),
    ],
)
def test_no_zero_by_accident(tmp_path: Path, late: Grade, zero: bool, written: str) -> None:
    done = filled(canvas.sheet(table(tmp_path, CANVAS)), [late], zero_if_missing=zero)
    assert cells(done.content, 5)[3] == written


def test_other_points_in_the_system_are_pointed_out(tmp_path: Path) -> None:
    sheet = canvas.sheet(table(tmp_path, CANVAS.replace("100.00", "10.00")))
    assert any(
        "out of 10 points, and diff out of 100" in note for note in filled(sheet, GRADES).notes
    )
    speed = [CriterionResult("speed", "not_run", 0, 40)]
    without_gpu = Grade(Result("ada", "diff", "graded", 60, 100, "a", speed))
    notes = filled(canvas.sheet(table(tmp_path, CANVAS)), [without_gpu]).notes
    assert any(note.endswith("such as speed without a GPU, for 1 submission") for note in notes)


def test_a_moodle_worksheet_gets_points_and_nothing_else(tmp_path: Path) -> None:
    done = filled(moodle.sheet(table(tmp_path, MOODLE)), GRADES)
    expected = MOODLE.replace('graded",,100', 'graded",37.5,100').replace(",-,100", ",80,100")
    assert done.content.decode() == expected and done.count == 2


def test_a_worksheet_in_another_language(tmp_path: Path) -> None:
    done = filled(moodle.sheet(table(tmp_path, GERMAN)), GRADES)
    assert done.content.decode() == GERMAN.replace('"12,50"', '"37,5"').replace(
        'Abgegeben,,"100', 'Abgegeben,80,"100'
    )


def test_participants_of_an_anonymous_worksheet(tmp_path: Path) -> None:
    text = "Identifier,Status,Grade,Maximum Grade\nParticipant 501,x,,100.00\n"
    sheet = moodle.sheet(table(tmp_path, text))
    done = filling.fill(sheet, "diff", 2, [grade("501", 60)], [Student("501")])
    assert done.content.decode() == text.replace("x,,", "x,60,")


def test_participants_without_names_and_without_a_roster(tmp_path: Path) -> None:
    text = (
        "Identifier,Status,Grade,Maximum Grade\n"
        "Participant 501,Submitted,,100.00\nParticipant 502,No submission,,100.00\n"
    )
    sheet = moodle.sheet(table(tmp_path, text))
    key = "Participant_501"
    done = filling.fill(sheet, "diff", 2, [grade(key, 60)], [Student(key)])
    assert done.content.decode() == text.replace("Submitted,,", "Submitted,60,")
    assert any(
        note.endswith("not among the students graded: Participant 502") for note in done.notes
    )


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (canvas.sheet, "Student,ID,Section,diff (11)\nGrace H,0042,S,\nAda Lovelace,7,S,\n"),
        (
            moodle.sheet,
            "Identifier,Full name,Room,Status,Grade,Maximum Grade\n"
            "Participant 0042,Grace H,0042,x,,100\nParticipant 7,Ada Lovelace,,x,,100\n",
        ),
    ],
)
def test_somebody_elses_number_is_no_id(tmp_path: Path, read: Read, text: str) -> None:
    done = filled(read(table(tmp_path, text)), [grade("ada", 37.5)])
    assert "37.5" in done.content.decode().splitlines()[2] and done.count == 1


def test_two_of_one_name_are_told_apart_by_their_addresses(tmp_path: Path) -> None:
    text = MOODLE.replace("Grace Hopper", "Ada Lovelace")
    done = filled(moodle.sheet(table(tmp_path, text)), GRADES)
    assert cells(done.content, 4) == ["Grade", "37.5", "80"]


def test_a_group_of_one_is_no_id(tmp_path: Path) -> None:
    text = (
        "Identifier,Full name,Status,Group,Grade,Maximum Grade\nParticipant 7,Al B,x,0042,,100\n"
        "Participant 8,Cy D,x,1,,100\nParticipant 9,Ed F,x,1,,100\n"
    )
    sheet, nameless = moodle.sheet(table(tmp_path, text)), [Student("ada", id="0042")]
    assert filling.fill(sheet, "diff", 4, [grade("ada", 37.5)], nameless).count == 0


DEPARTMENTS = (
    "Identifier,Full name,Department,Year,Status,Grade,Maximum Grade,Grade can be changed\n"
    "Participant 501,Ada Lovelace,-,2027,Sub,,20,Yes\n"
    "Participant 502,Grace Hopper,,2027,Sub,,20,Yes\n"
)


def test_points_go_left_of_the_maximum_and_nowhere_else(tmp_path: Path) -> None:
    sheet = moodle.sheet(table(tmp_path, DEPARTMENTS))
    assert filling.only(sheet) == 5 and sheet.columns[5].most == 20
    # Another language: somebody has to say it.
    text = DEPARTMENTS.replace("Identifier", "Identificador").replace("Maximum", "Máxima")
    sheet = moodle.sheet(table(tmp_path, text))
    with pytest.raises(UserError, match="choose it with --column: 'Department', 'Grade'"):
        filling.only(sheet)
    assert filling.choose(sheet, "Grade", ()) == 5
    # Grades on a scale have no maximum.
    with pytest.raises(UserError, match="no grading worksheet"):
        moodle.sheet(
            table(tmp_path, DEPARTMENTS.replace("Maximum Grade", "Scale").replace("20,", "A,"))
        )


def test_a_file_for_moodles_import() -> None:
    students = [*STUDENTS, Student("nobody"), Student("eve", email="=cmd()@x.example")]
    grades = [grade("ada", 37.5), grade("grace", 0, "missing"), grade("nobody", 1), grade("eve", 2)]
    done = moodle.for_import("diff", grades, students)
    rows = list(csv.reader(io.StringIO(done.content.decode(), newline="")))
    assert rows == [["Email address", "ID number", "diff"], ["ada@x.example", "0042", "37.5"]]
    assert done.count == 1 and "nobody, eve" in done.notes[0]


def test_blackboard_gets_points_and_nothing_else(tmp_path: Path) -> None:
    sheet = blackboard.sheet(table(tmp_path, BLACKBOARD, "utf-16"))
    done = filled(sheet, GRADES)
    expected = BLACKBOARD.replace('"93"\t""', '"93"\t"37.5"').replace('"12.00"', '"80"')
    assert done.content == expected.encode("utf-16")
    assert [column.title for column in sheet.columns.values()] == ["diff"]
    with pytest.raises(UserError, match="would create a new assignment"):
        filling.choose(sheet, "My notes", ())


def test_blackboards_users_are_read_as_text(tmp_path: Path) -> None:
    people = blackboard.sheet(table(tmp_path, BLACKBOARD)).people
    assert [person.labels for person in people] == [("ada", "0042"), ("grace", "0043")]


def test_what_canvas_computes_takes_no_points(tmp_path: Path) -> None:
    text = CANVAS.replace("Current Score", "Labs (13)")
    assert list(canvas.sheet(table(tmp_path, text)).columns) == [5, 6]


@pytest.mark.parametrize("read", [canvas.sheet, moodle.sheet, blackboard.sheet])
def test_another_systems_file_is_refused(tmp_path: Path, read: object) -> None:
    own = {canvas.sheet: CANVAS, moodle.sheet: MOODLE, blackboard.sheet: BLACKBOARD}
    for text in {*own.values()} - {own[read]}:  # type: ignore[index]
        with pytest.raises(UserError, match="download it"):
            read(table(tmp_path, text))  # type: ignore[operator]


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "control"])
def test_nothing_that_a_student_wrote_gets_in(tmp_path: Path, name: str) -> None:
    students = [Student(TEXTS[name], TEXTS[name], TEXTS[name], "0042")]
    sheet = canvas.sheet(table(tmp_path, CANVAS))
    done = filling.fill(sheet, "diff", 5, [grade(TEXTS[name], 37.5)], students)
    assert done.content.decode() == CANVAS.replace('"CS, 1",,5.00', '"CS, 1",37.5,5.00')
    assert not any("\x1b" in note or "\n" in note for note in done.notes)
