"""Rosters as learning systems write them, and who is meant by what a download says."""

from __future__ import annotations

import datetime
import unicodedata
import zoneinfo
from pathlib import Path

import pytest

from tilelab.base.errors import UserError
from tilelab.collect import roster
from tilelab.collect.attempts import Identity, Kind, anything
from tilelab.collect.roster.people import Roster
from tilelab.model.student import Student


def load(text: str | bytes, at: Path) -> Roster:
    path = at / "roster.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return roster.load(path)


def known(**facts: str) -> Identity:
    kinds: dict[str, Kind] = {
        kind: kind for kind in ("key", "canvas", "moodle", "github", "id", "login", "email", "name")
    }
    return Identity("?", tuple((kinds[kind], value) for kind, value in facts.items()))


@pytest.mark.parametrize(
    "text",
    [
        "student,name,email,id\namber,Amber Stone,a@uni.edu,0042\n",
        "\ufeffstudent;name;email;id\r\namber;Amber Stone;a@uni.edu;0042\r\n",
        'student,name,email,id\n"amber","Amber Stone","a@uni.edu","0042"\n\n',
        # Canvas's gradebook
        "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (77)\n"
        '    Points Possible,,,,,100\n"Stone, Amber",4711,0042,amber,GPU,\n',
        # Moodle's participants, and its grading worksheet
        '"First name","Last name","Email address",Username,"ID number"\n'
        "Amber,Stone,a@uni.edu,amber,0042\n",
        'Identifier,"Full name","Email address","ID number",Username,Status\n'
        '"Participant 10023","Amber Stone",a@uni.edu,0042,amber,Submitted\n',
        # Gradescope
        "First Name,Last Name,SID,Email,Role,Login\n"
        "Amber,Stone,0042,a@uni.edu,Student,amber\nEve,Teacher,1,e@uni.edu,Instructor,eve\n",
        # Blackboard
        '"Last Name","First Name","Username","Student ID"\n"Stone","Amber","amber","0042"\n',
    ],
)
def test_rosters_of_all_systems(text: str, tmp_path: Path) -> None:
    people = load(text, tmp_path)
    assert [one.key for one in people.students] == ["amber"]
    assert people.students[0].id == "0042"
    for identity in (known(id="0042"), known(name="amber stone"), known(login="AMBER")):
        assert people.find(identity) == "amber"
    assert people.find(known(id="42")) is None


def test_numbers_of_one_system_mean_nothing_in_another(tmp_path: Path) -> None:
    people = load("student,name,id\namber,Amber Stone,4711\nbasil,Basil Umber,1\n", tmp_path)
    assert people.find(known(canvas="4711", name="umberbasil")) == "basil"
    assert people.find(known(moodle="4711", name="Basil Umber")) == "basil"
    assert people.find(known(canvas="4711")) is None


def test_a_name_that_two_students_have_is_nobody_s(tmp_path: Path) -> None:
    people = load("student,name\nkim1,Kim Lee\nkim2,Kim Lee\n", tmp_path)
    assert people.find(known(name="Kim Lee")) is None
    assert people.find(anything("kim2")) == "kim2"


def test_accents_are_the_same_however_they_are_encoded(tmp_path: Path) -> None:
    people = load("student,name\nzoe,Zoë Ünal\n", tmp_path)
    assert people.find(known(name=unicodedata.normalize("NFD", "ZOË  ünal"))) == "zoe"
    assert people.find(known(name="ünalzoë")) == "zoe"


def test_a_student_twice_is_one_line(tmp_path: Path) -> None:
    people = load("student,id\namber,1\nAMBER,2\nbasil,3\n", tmp_path)
    assert people.students == [Student("amber", id="1"), Student("basil", id="3")]
    assert people.remarks == ["roster.csv, row 3: AMBER is in row 2 already, which counts"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no column that names students"),
        ("amber,basil\n", "no column that names students"),
        (b"student\nJ\xf6rg\n", "is not UTF-8: save it as CSV UTF-8"),
        ("student\namber\n".encode("utf-16-le"), "is no text: save it as CSV UTF-8"),
        ("student\n" + '"' + "x" * 200_000 + '"\n', "is not CSV"),
        *(
            (f"student,name\n{rows}", f"roster.csv, line {line}: a cell has a quote that is not")
            for line, rows in (
                (2, 'amber,"Amber\nbasil,Basil\n'),
                (3, 'basil,Basil\n"amber,Amber\nclover,Clover\n'),
                (4, '"amber","Am\nber"\n"basil,Basil\n"clover","Clover"\n'),
            )
        ),
        (
            "student,name,email\nbasil,Basil,b@x\namber,Miller, Amber,a@x\n",
            "roster.csv, line 3: 4 cells for 3 columns. Put a name",
        ),
        ("student;name\nbasil;B\namber;M; A;;\n", "roster.csv, line 3: 5 cells for 2 columns"),
        (
            "student,name,email,id,,\namber,Stone, Amber,a@x,0042,\n",
            "roster.csv, line 2: 6 cells for 4 columns",
        ),
        ("\nstudent\namber\n", "roster.csv, line 1 is empty: the header must be the first line"),
        ("student,id,name,id\namber,1,A,2\n", "roster.csv has two columns 'id': remove one"),
        ("student,name\n", "roster.csv has no student: add a row for each below the header"),
        ("student,name\n\n,\n", "has no student"),
        ("name,role\nEve Teacher,Instructor\n", "has no student"),
        ("Student,ID,SIS User ID,Section\n    Points Possible,,,\n", "has no student"),
    ],
)
def test_what_is_no_roster_is_one_line(text: str | bytes, why: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=why):
        load(text, tmp_path)


_RANDOM = "9f3d6c0a5b1e4d2f8a7c6b5e4d3c2b1a0f9e8d7c"


@pytest.mark.parametrize(
    ("row", "is_student"),
    [
        (f'"Student, Test",99,,{_RANDOM},GPU,', False),
        (f"Test Student,99,,{_RANDOM},GPU,", False),
        ('"Student, Test",99,,,GPU,', False),
        ('"Student, Test",99,0043,test,GPU,', True),
        ('"Student, Test",99,,test,GPU,', True),
        (f'"Umber, Test",99,,{_RANDOM},GPU,', True),
    ],
)
def test_who_canvas_adds_for_teachers_is_no_student(
    row: str, is_student: bool, tmp_path: Path
) -> None:
    header = "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (77)\n"
    people = load(f'{header}"Stone, Amber",4711,0042,amber,GPU,\n{row}\n', tmp_path)
    assert len(people.students) == 1 + is_student
    says = "roster.csv, row 3: is no student, but Canvas's Test Student"
    assert people.remarks == ([] if is_student else [says])


def test_delimiters_at_the_end_of_a_row_shift_nothing(tmp_path: Path) -> None:
    people = load('student,name\n"amber","Miller, ""Amber""",, \n', tmp_path)
    assert [one.name for one in people.students] == ['Miller, "Amber"']


@pytest.mark.parametrize(
    "text",
    [
        'student;name;"notes on a, b, c and d"\namber;Stone;x\n',
        "sep=;\nstudent;name\namber;Stone\n",
        "sep=,\r\nstudent,name\r\namber,Stone\r\n",
        "\u200bstudent,na\u2060me\namber\u200b,\ufeffStone\n",
    ],
)
def test_what_only_a_spreadsheet_sees_is_no_part_of_a_roster(text: str, tmp_path: Path) -> None:
    people = load(text, tmp_path)
    assert [(one.key, one.name) for one in people.students] == [("amber", "Stone")]


def test_a_header_that_is_nearly_known_is_one_line(tmp_path: Path) -> None:
    people = load("student,E Mail address,Matrikelnummer\namber,a@x,1\n", tmp_path)
    assert people.remarks == [
        "roster.csv: the column 'e mail address' is not read. Did you mean email address?"
    ]


WORKSHEET = (
    'Identifier,"Full name","Email address",Status,"Last modified (submission)"\n'
    '"Participant 10023","Amber Stone",a@uni.edu,Submitted,"{time}"\n'
    '"Participant 10024","Basil Umber",b@uni.edu,"No submission",-\n'
)


@pytest.mark.parametrize(
    "time",
    [
        "Monday, 1 March 2027, 11:58 PM",
        "Monday, 1 March 2027, 11:58\u202fPM",
        "Monday, March 1, 2027, 11:58 PM",
        "Monday, 1 March 2027, 23:58",
        "1 March 2027, 11:58 PM",
        "March 1, 2027, 11:58 PM",
        "1 March 2027, 23:58",
        "Montag, 1. März 2027, 23:58",
        "Montag, 1. Ma\u0308rz 2027, 23:58",
        "1. März 2027, 23:58",
        "01.03.2027, 23:58",
    ],
)
def test_moodle_s_worksheet_has_the_times_of_its_download(time: str, tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text(WORKSHEET.format(time=time))
    people = roster.load(tmp_path / "roster.csv", zoneinfo.ZoneInfo("Europe/Berlin"))
    assert people.remarks == []
    when = people.time(known(moodle="10023"))
    assert when and when.isoformat() == "2027-03-01T22:58:00+00:00"
    assert people.time(known(moodle="10024")) is None


MONTHS = (
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
).split()


@pytest.mark.parametrize("day", ["", "Samstag, "])
@pytest.mark.parametrize(("number", "month"), [*enumerate(MONTHS, 1), (1, "Jänner"), (2, "Feber")])
def test_a_german_worksheet_has_times(day: str, number: int, month: str, tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text(
        'ID,"Vollständiger Name",E-Mail-Adresse,ID-Nummer,Status,"Zuletzt geändert (Abgabe)"\n'
        f'Teilnehmer/in10023,"Amber Stone",a@uni.edu,0042,x,"{day}28. {month} 2026, 14:05"\n'
        '"Teilnehmer/in 10024","Basil Umber",b@uni.edu,7,x,-\n'
    )
    people = roster.load(tmp_path / "roster.csv", datetime.UTC)
    assert people.remarks == []
    assert [(one.id, one.name) for one in people.students] == [
        ("0042", "Amber Stone"),
        ("7", "Basil Umber"),
    ]
    when = people.time(known(moodle="10023"))
    assert when and when.isoformat() == f"2026-{number:02}-28T14:05:00+00:00"
    assert people.find(known(moodle="10024")) == people.students[1].key
    assert people.time(known(moodle="10024")) is None


def test_german_participants_are_a_roster(tmp_path: Path) -> None:
    people = load(
        "Vorname;Nachname;E-Mail-Adresse;ID-Nummer;Gruppen\nAmber;Stone;a@uni.edu;0042;A\n",
        tmp_path,
    )
    assert people.students == [Student("0042", "Amber Stone", "a@uni.edu", "0042", "A")]


def test_times_that_cannot_be_read_are_one_line(tmp_path: Path) -> None:
    zone = zoneinfo.ZoneInfo("Europe/Berlin")
    for text, used, why in (
        ("lundi 1 mars 2027, 23:58", zone, "cannot be read; English and German ones can"),
        ("Montag, 31. Juni 2027, 23:58", zone, "cannot be read; English and German ones can"),
        ("Monday, 1 March 2027, 23:58", None, "needs time_zone in course.toml"),
    ):
        (tmp_path / "roster.csv").write_text(WORKSHEET.format(time=text))
        people = roster.load(tmp_path / "roster.csv", used)
        assert people.remarks == [f"roster.csv, row 2: the time '{text}' {why}"]
        assert len(people.students) == 2
