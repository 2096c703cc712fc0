"""A course that changes each default: every page and export has its points and its times."""

from __future__ import annotations

import base64
import csv
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import downloads
from instructor import REFERENCE, Instructor

pytestmark = [pytest.mark.long, pytest.mark.thorough]

COURSE = """\
title = "Parallel machines"
time_zone = "Europe/Berlin"
roster = "people.csv"
[late]
percent_per_day = 25
most_days = 2
grace_minutes = 5
[labs.diff]
deadline = 2027-03-01T23:59:00
total = 20
[labs.diff.points]
memory = 40
speed = 0
[extensions.cedar]
diff = 2027-03-03T23:59:00
"""
ROSTER = """\
student;name;id;section;group
amber;Amber Stone;01;A;
basil;Basil Umber;02;A;
cedar;Cedar Elm;03;B;red
dora;Dora Flint;04;B;
elm;Elm Grove;05;B;
fern;Fern Gray;06;B;red
"""
# In time, three days late but with an extension of two, a day late, refused, and nothing.
HANDED_IN = {
    "amber": (REFERENCE, "2027-03-01-23-59-59"),
    "cedar": (REFERENCE, "2027-03-04-12-00-00"),
    "basil": (REFERENCE, "2027-03-02-00-05-00"),
    "dora": (REFERENCE + '\n#include "diff.h"\nint main() {}\n', "2027-03-01-12-00-00"),
}
POINTS = {"amber": "20", "basil": "15", "cedar": "15", "dora": "0", "elm": "0", "fern": "15"}


@pytest.fixture(scope="module")
def desk(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Instructor:
    """The class, graded."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "course.toml").write_text(COURSE)
    (folder / "people.csv").write_text(ROSTER)
    files = {
        f"diff_{student}_attempt_{when}_diff.cu": text
        for student, (text, when) in HANDED_IN.items()
    }
    downloads.zip_of(folder / "blackboard.zip", files)
    one = Instructor(repository, folder)
    one.types("collect", "blackboard.zip", "CLASS", "--course", "course.toml")
    one.types("grade", "CLASS", "--course", "course.toml", "--out", "RESULTS", "--seed", "7")
    return one


def test_the_gradebook_has_one_maximum(desk: Instructor) -> None:
    with (desk.desk / "RESULTS" / "gradebook.csv").open(newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert {student: row["diff"] for student, row in rows.items()} == POINTS
    assert {row["diff max"] for row in rows.values()} == {"20"}


def test_a_section_is_graded_and_exported_alone(desk: Instructor) -> None:
    alone = ("--out", "RESULTS_B", "--seed", "7", "--section", "b")
    (desk.desk / "RESULTS_B").mkdir()
    desk.types("grade", "CLASS", "--course", "course.toml", *alone)
    for folder, more in (("RESULTS_B", ()), ("RESULTS", ("--section", "B"))):
        desk.types("export", "csv", "--out", folder, "--to", "b.csv", *more)
        with (desk.desk / "b.csv").open(newline="") as file:
            rows = {row["student"]: row for row in csv.DictReader(file)}
        assert {name: row["diff"] for name, row in rows.items()} == {
            name: POINTS[name] for name in ("cedar", "dora", "elm", "fern")
        }
        assert {row["section"] for row in rows.values()} == {"B"}
        assert rows["fern"]["group"] == rows["cedar"]["group"] == "red"


def test_a_member_of_a_group_asks_and_reads_the_answer(desk: Instructor) -> None:
    downloads.folder_of(desk.desk / "asked", {"fern/question.md": "diff, line 1: Why 15?\n"})
    desk.types("collect", "asked", "CLASS", "--course", "course.toml")
    said = desk.types("grade", "CLASS", "--course", "course.toml", "--out", "RESULTS")
    assert "would change" not in said
    desk.types("report", "--out", "RESULTS")
    report = (desk.desk / "RESULTS" / "report" / "index.html").read_text()
    (id,) = re.findall(r"<td><code>([0-9a-f]{8})</code></td>", report)
    answer = f"student,lab,comment,answers\nfern,diff,A day late.,{id}\n"
    (desk.desk / "answers.csv").write_text(answer)
    desk.types("comment", "answers.csv", "--out", "RESULTS")
    desk.types("feedback", "--out", "RESULTS", "--course", "course.toml", "--section", "B")
    pages = desk.desk / "RESULTS" / "feedback"
    fern = (pages / "fern" / "diff.html").read_text()
    assert "Why 15?" in fern and "A day late." in fern and "15 / 20" in fern
    assert "2027-03-03 23:59 CET" in fern  # the extension is the group's
    assert "Why 15?" not in (pages / "cedar" / "diff.html").read_text()
    assert not (pages / "amber").exists()


def test_every_export_has_these_points(desk: Instructor) -> None:
    gradebook = ["Student,ID,SIS User ID,Section,Adjacent difference (77)"]
    gradebook += ["    Points Possible,,,,20"]
    names = {line.split(";")[1]: line.split(";")[0] for line in ROSTER.splitlines()[1:]}
    gradebook += [f'"{name}",{at},,A,' for at, name in enumerate(names)]
    (desk.desk / "canvas.csv").write_text("\r\n".join([*gradebook, ""]))
    said = desk.types("export", "canvas", "--gradebook", "canvas.csv", *_to("filled.csv"))
    assert "out of" not in said and "not run" not in said
    with (desk.desk / "filled.csv").open(newline="") as file:
        filled = {row["Student"]: row["Adjacent difference (77)"] for row in csv.DictReader(file)}
    assert {names[name]: points for name, points in filled.items() if name in names} == {
        **POINTS,
        "elm": "",  # nothing was handed in: --zero-missing gives 0
    }
    desk.types("export", "gradescope", "--student", "amber", *_to("gradescope.json"))
    tests = json.loads((desk.desk / "gradescope.json").read_text())["tests"]
    assert sum(one["score"] for one in tests) == sum(one["max_score"] for one in tests) == 20
    desk.types("export", "github", "--student", "amber", *_to("github.txt"))
    assert _github(desk.desk / "github.txt") == (20, 20)
    desk.types("export", "junit", "--student", "amber", *_to("junit.xml"))
    suite = ET.parse(desk.desk / "junit.xml").getroot().attrib
    assert (suite["tests"], suite["failures"], suite["errors"]) == ("3", "0", "0")


def test_pages_have_the_title_and_the_zone_of_the_course(desk: Instructor) -> None:
    desk.types("report", "--out", "RESULTS")
    report = (desk.desk / "RESULTS" / "report" / "index.html").read_text()
    assert "<h1>Parallel machines</h1>" in report and "UTC" not in report
    desk.types("feedback", "--out", "RESULTS", "--course", "course.toml")
    pages = desk.desk / "RESULTS" / "feedback"
    cedar = (pages / "cedar" / "diff.html").read_text()
    assert "2027-03-04 12:00 CET" in cedar and "2027-03-03 23:59 CET" in cedar
    assert "15 / 20" in cedar and "UTC" not in cedar
    assert "20 / 20" in (pages / "amber" / "diff.md").read_text()


def test_a_students_check_gives_the_same_points(desk: Instructor) -> None:
    desk.types("publish", "../students", "--course", "course.toml")
    students = desk.desk.parent / "students"
    front_page = (students / "README.md").read_text()
    assert "# Parallel machines" in front_page and "2027-03-01 23:59 CET" in front_page
    (students / "labs" / "diff" / "diff.cu").write_text(REFERENCE)
    student = Instructor(students, students)
    (students / "result.txt").write_text(student.types("check", "diff", "--format", "github"))
    assert _github(students / "result.txt") == (20, 20)


def _to(name: str) -> tuple[str, ...]:
    return ("--lab", "diff", "--out", "RESULTS", "--to", name)


def _github(path: Path) -> tuple[float, float]:
    """The points in the output of a step, and the maximum."""
    name, _, encoded = path.read_text().strip().partition("=")
    assert name == "result"
    result = json.loads(base64.b64decode(encoded))
    return sum(test["score"] for test in result["tests"]), result["max_score"]
