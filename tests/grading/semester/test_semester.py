"""A semester: what an instructor types from the first download to the last export.

It is lived twice, in peace and with a grader that is killed again and again. Both end alike.
"""

from __future__ import annotations

import csv
import json
import random
import re
import shlex
import shutil
from pathlib import Path

import pytest

import downloads
import school
from instructor import REFERENCE, Instructor
from support import REPO

# The first test builds a copy of the repository, which the others use.
pytestmark = [pytest.mark.long, pytest.mark.thorough]

KILLS = 20
EXPORTS = {
    "grades.csv": ["csv"],
    "grades.xml": ["junit"],
    "moodle.csv": ["moodle"],
    "canvas.csv": ["canvas", "--gradebook", "canvas_download.csv"],
    "blackboard.csv": ["blackboard", "--gradebook", "blackboard_download.csv"],
    "gradescope.json": ["gradescope", "--student", "00007"],
    "github.txt": ["github", "--student", "00007"],
}
HAND = ("--points", "3", "--comment", "a neat idea", "--out", "RESULTS")


def desk(folder: Path, repo: Path) -> Instructor:
    """A desk with course.toml, the roster and three downloads."""
    folder.mkdir()
    pupils = school.pupils()
    (folder / "course.toml").write_text(school.COURSE)
    (folder / "roster.csv").write_text(school.roster(pupils))
    (folder / "canvas_download.csv").write_text(school.canvas_gradebook(pupils))
    (folder / "blackboard_download.csv").write_text(school.blackboard_gradebook(pupils))
    school.blackboard(folder / "blackboard.zip", pupils[:70])
    school.gradescope(folder / "gradescope.zip", pupils[70:140])
    school.clones(folder / "clones", pupils[140:])
    return Instructor(repo, folder)


DOWNLOADS = ("blackboard.zip", "gradescope.zip", "clones")
GRADE = ("grade", "CLASS", "--course", "course.toml", "--out", "RESULTS", "--seed", "7")


def test_a_semester(repository: Path, tmp_path: Path) -> None:
    peace, war = (desk(tmp_path / name, repository) for name in ("peace", "war"))
    for one in (peace, war):
        one.types("collect", *DOWNLOADS, "CLASS", "--course", "course.toml")
    peace.types(*GRADE)
    chosen = random.Random(2027)
    for _ in range(KILLS):
        war.begins_and_is_killed(chosen.uniform(0.5, 4), *GRADE)
        # A jail may wait for a maker that was killed. The next grader ends it.
        assert war.has_nothing_running(but="bwrap")
    war.types(*GRADE)
    assert war.has_nothing_running()
    assert everything(war) == everything(peace)
    assert_as_handed_in(peace)

    change_a_test(repository)
    for one in (peace, war):
        before = everything(one)
        shown = one.types(*GRADE, status=1)
        assert "would change" in shown and "the lab's tests or kernels" in shown
        assert everything(one) == before
        one.types(*GRADE, "--yes")
        assert everything(one) != before
        one.types("adjust", "00007/diff", *HAND)
        one.types(*GRADE)
        for name, words in EXPORTS.items():
            one.types("export", *words, "--out", "RESULTS", "--to", name)
    assert everything(war) == everything(peace)
    for name in EXPORTS:
        assert (war.desk / name).read_bytes() == (peace.desk / name).read_bytes()
    # Nothing stays behind but locks.
    assert not list(war.desk.glob("tilelab-*/work-*"))


def test_the_commands_of_the_guide(repository: Path, tmp_path: Path) -> None:
    """Types each command of docs/instructor.md, in its order, with files of the names it uses."""
    one = desk(tmp_path / "desk", repository)
    amber = school.Pupil(0, REFERENCE, 0)
    basil = school.Pupil(1, REFERENCE.replace("+", "-"), 1)
    files = {"amber/diff.cu": amber.text or "", "basil/diff.cu": basil.text or ""}
    downloads.zip_of(one.desk / "DOWNLOADED.zip", files)
    shutil.copytree(REPO / "solutions" / "diff", one.desk / "solutions" / "diff")
    (one.desk / "DOWNLOADED.csv").write_text(
        "Student,ID,SIS Login ID,Section,Adjacent difference (77)\r\n"
        "    Points Possible,,,,100\r\n"
        '"Stone, Amber",1,amber,A,\r\n"Umber, Basil",2,basil,A,\r\n'
    )
    (one.desk / "roster.csv").write_text("student\namber\nbasil\n")
    (one.desk / "COMMENTS.csv").write_text("student,lab,line,comment\namber,diff,1,Neat.\n")
    for words in commands_of_the_guide():
        if words[0] == "merge":
            one.types("grade", "CLASS", "--out", "RESULTS_OF_GPU", "--seed", "3")
        if "--earlier" in words:
            shutil.copytree(one.desk / "CLASS", one.desk / "2026" / "CLASS")
            shutil.copytree(one.desk / "RESULTS", one.desk / "2025" / "RESULTS")
        if words[0] == "forget":  # which deletes it
            filled = (one.desk / "RESULTS" / "canvas-diff.csv").read_text()
        one.types(*words)
    assert '"Stone, Amber",1,amber,A,80' in filled
    assert (one.desk / "RESULTS" / "report" / "index.html").is_file()
    assert (one.desk / "RESULTS" / "feedback" / "amber" / "diff.html").is_file()
    assert (one.desk.parent / "gpu-labs" / "labs" / "diff" / "diff.cu").is_file()


def commands_of_the_guide() -> list[list[str]]:
    """Each command once; tests of clusters type those for a cluster."""
    text = (REPO / "docs" / "instructor.md").read_text()
    lines = re.findall(r"^    \./tilelab (.*)$", text, flags=re.MULTILINE)
    return [
        shlex.split(line)
        for line in dict.fromkeys(lines)
        if "..." not in line and "slurm" not in line
    ]


def everything(one: Instructor) -> tuple[str, object]:
    """The gradebook, and what programs read, but for what a person did and when."""
    found = json.loads((one.desk / "RESULTS" / "results.json").read_text())
    for submission in found["submissions"]:
        if submission["adjustment"]:
            submission["adjustment"]["at"] = ""
    return (one.desk / "RESULTS" / "gradebook.csv").read_text(), found


def assert_as_handed_in(one: Instructor) -> None:
    """Each student has a row, late work lost its share, and equal files earned equal points."""
    with (one.desk / "RESULTS" / "gradebook.csv").open(newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert set(rows) == {pupil.id for pupil in school.pupils()}
    earned: dict[tuple[str | None, int], set[str]] = {}
    for pupil in school.pupils():
        earned.setdefault((pupil.text, pupil.days_late), set()).add(rows[pupil.id]["diff"])
    assert all(len(points) == 1 for points in earned.values()), earned
    assert max(float(points) for (points,) in earned.values()) == 80  # speed is not run
    for (text, days), (points,) in earned.items():
        if text and days and (text, 0) in earned:
            (in_time,) = earned[text, 0]
            kept = {1: 0.9, 2: 0.8, 3: 0.7, 4: 0.0}[days]
            assert float(points) == pytest.approx(kept * float(in_time)), (days, in_time)


def change_a_test(repository: Path) -> None:
    """Takes a test of correctness out of the lab."""
    judge = repository / "tests" / "labs" / "diff" / "judge.cpp"
    text = judge.read_text()
    tag = '"diff is right for one block and less", "[correctness]"'
    assert tag in text
    judge.write_text(text.replace(tag, tag.replace("[correctness]", "[.]")))
