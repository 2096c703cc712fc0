"""Several rosters are one, and nobody is lost, mixed up or guessed."""

from __future__ import annotations

import zoneinfo
from pathlib import Path

import pytest
from msgspec.structs import replace

from tilelab.collect import roster
from tilelab.collect.attempts import Identity
from tilelab.collect.roster.people import Roster
from tilelab.model.course import Course
from tilelab.model.student import Student

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
FIRST = (
    "student,name,email,id\n"
    "amber,Amber Stone,amber@uni.edu,0042\n"
    "basil,Basil Umber,basil@uni.edu,0043\n"
    "zoe,Zoë Ünal,,\n"
    "kim1,Kim Lee,,51\n"
    "kim2,Kim Lee,,52\n"
)


def merged(at: Path, *texts: str) -> Roster:
    paths = [at / f"{number}.csv" for number in range(1, len(texts) + 1)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return roster.load_all(Course(time_zone=BERLIN), paths)


def keys(people: Roster) -> list[str]:
    return [one.key for one in people.students]


def test_namesakes_of_canvas_stay_apart(tmp_path: Path) -> None:
    header = "Student,ID,Section,diff (77)\n"
    amber, kims = '"Stone, Amber",11,A,\n', '"Lee, Kim",13,A,\n"Lee, Kim",14,B,\n'
    people = merged(tmp_path, header + amber + kims + '"Lee, Kim",14,B,\n')
    assert keys(people) == ["Stone, Amber", "Lee, Kim 13", "Lee, Kim 14"]
    assert people.find(Identity("leekim_14", (("canvas", "14"),))) == "Lee, Kim 14"
    assert people.remarks == ["1.csv, row 5: Lee, Kim 14 is in row 4 already, which counts"]
    others = merged(tmp_path, header + kims, header + '"Lee, Kim",15,A,\n"Lee, Kim",14,A,\n')
    assert keys(others) == ["Lee, Kim 13", "Lee, Kim 14", "Lee, Kim 15"]


EVERYBODY = ["amber", "basil", "zoe", "kim1", "kim2"]


@pytest.mark.parametrize(
    "row",
    [
        "id,email\n0042,other@uni.edu\n",
        "login,email\nas7,AMBER@uni.edu\n",
        "login\nAmber\n",
        "student\namber@uni.edu\n",
        "username,name\nas7,amber STONE\n",
        'name\n"Stone, Amber"\n',
    ],
)
def test_a_row_of_the_same_student_adds_what_it_knows(row: str, tmp_path: Path) -> None:
    people = merged(tmp_path, FIRST, row)
    assert keys(people) == EVERYBODY and people.remarks == []
    amber = people.students[0]
    assert replace(amber, login="") == Student("amber", "Amber Stone", "amber@uni.edu", "0042")
    if "as7" in row:
        assert amber.login == "as7"
        assert people.find(Identity("?", (("login", "as7"),))) == "amber"


def test_what_the_first_roster_does_not_say_comes_from_the_next(tmp_path: Path) -> None:
    people = merged(
        tmp_path, "student\namber\n", "login,name,email,id\namber,Amber Stone,a@uni.edu,7\n"
    )
    assert people.students == [Student("amber", "Amber Stone", "a@uni.edu", "7", login="amber")]


@pytest.mark.parametrize("name", ["Zoe Unal", "ÜNAL, ZOE", "unal  zoë", "Ünal Zoë"])
def test_names_are_the_same_whatever_case_accents_and_order(name: str, tmp_path: Path) -> None:
    people = merged(tmp_path, FIRST, f'name,id\n"{name}",77\n')
    assert keys(people) == EVERYBODY and people.remarks == []
    assert people.student("zoe").id == "77"


def test_namesakes_are_never_guessed(tmp_path: Path) -> None:
    people = merged(tmp_path, FIRST, "name,email\nLee Kim,kim@uni.edu\n")
    assert keys(people) == EVERYBODY
    assert people.remarks == [
        "2.csv, row 2: Lee Kim may be kim1 or kim2: give both rows the same id, login or email"
    ]
    people = merged(tmp_path, FIRST, "name,email\nZoë Ünal,a@uni.edu\nZoe Unal,b@uni.edu\n")
    assert keys(people) == EVERYBODY
    assert [line[:34] for line in people.remarks] == [
        "2.csv, row 2: Zoë Ünal may be zoe:",
        "2.csv, row 3: Zoe Unal may be zoe:",
    ]


def test_a_namesake_with_another_id_is_another_student(tmp_path: Path) -> None:
    people = merged(tmp_path, FIRST, "student,name,id\nstone2,Amber Stone,99\n")
    assert keys(people) == [*EVERYBODY, "stone2"] and people.remarks == []
    assert people.find(Identity("?", (("name", "Amber Stone"),))) is None


def test_a_conflict_is_one_line_and_the_id_counts(tmp_path: Path) -> None:
    people = merged(tmp_path, FIRST, "id,email\n0042,basil@uni.edu\n")
    assert people.remarks == [
        "2.csv, row 2: the id 0042 is that of amber, but the email basil@uni.edu that of basil: "
        "amber counts"
    ]
    people = merged(tmp_path, FIRST, "id,name\n0042,Cedar Elm\n")
    assert people.remarks == [
        "2.csv, row 2: the id 0042 is that of amber (Amber Stone), but the name here is Cedar "
        "Elm: amber counts"
    ]
    assert keys(people) == EVERYBODY


def test_students_of_another_section_are_added(tmp_path: Path) -> None:
    people = merged(tmp_path, FIRST, "student,id\ncedar,60\n", "id,name\n60,Cedar Elm\n")
    assert keys(people) == [*EVERYBODY, "cedar"]
    assert people.student("cedar").name == "Cedar Elm"


def test_two_of_one_roster_with_one_id_are_said(tmp_path: Path) -> None:
    people = merged(tmp_path, "student,id\namber,1\nbasil,1\n")
    assert keys(people) == ["amber", "basil"]
    assert people.remarks == ["1.csv, row 3: the id 1 is that of amber, too: it names neither"]


def test_a_student_in_two_rows_of_the_next_roster_is_one_line(tmp_path: Path) -> None:
    people = merged(tmp_path, FIRST, "id,email\n0042,\n,amber@uni.edu\n")
    assert keys(people) == EVERYBODY
    assert people.remarks == ["2.csv, row 3: amber@uni.edu is in row 2 already, which counts"]


def test_moodle_s_worksheet_adds_its_times(tmp_path: Path) -> None:
    worksheet = (
        'Identifier,"Full name","Email address",Status,"Last modified (submission)"\n'
        '"Participant 7","Amber Stone",as@uni.edu,Submitted,"Monday, 1 March 2027, 11:58 PM"\n'
        '"Participant 8","Kim Lee",kl@uni.edu,Submitted,"Monday, 1 March 2027, 11:59 PM"\n'
    )
    people = merged(tmp_path, FIRST, worksheet)
    assert keys(people) == EVERYBODY and len(people.remarks) == 1
    for number, key in (("7", "amber"), ("8", None)):
        participant = Identity("?", (("moodle", number),))
        assert people.find(participant) == key
        assert people.time(participant) is not None


def test_control_characters_stay_out_of_folders_and_lines(tmp_path: Path) -> None:
    text = 'student,name,id\n"a\x1b[31m\tb","A\x00\x07","1\n2"\n"a\x1b[31m\tb","A","2"\n'
    people = merged(tmp_path, text, 'student,id\nc,"1\n2"\n')
    assert all(one.isprintable() for one in [*people.remarks, *keys(people)])
