"""`tilelab viva` as students and instructors type it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from support import REPO
from tilelab.model.student import Student
from tilelab.pipeline import class_folder
from tilelab.pipeline.class_folder import Collected
from typed import BARE, run

pytestmark = pytest.mark.drawn(pool="sheets of viva", count=3)

TILE = REPO / "solutions" / "diff" / "ladder" / "02_tile.cu"


def viva(*arguments: str | Path, given: str = "") -> subprocess.CompletedProcess[str]:
    # What compiles has to be found.
    env = {**BARE, "PATH": "/usr/local/bin:/usr/bin:/bin"}
    return run("viva", *arguments, given=given, env=env)


@pytest.mark.judges(lab="diff")
def test_a_student_is_asked_ten_questions_and_told_the_answers() -> None:
    # Nothing, then what is no answer, then numbers that are wrong.
    finished = viva("diff", TILE, given="\nnone\n" + "987654\n" * 40)
    assert "10 questions about 02_tile.cu. Enter skips one." in finished.stdout
    assert "\n1 of 10. " in finished.stdout and finished.stdout.count("It is ") >= 1
    assert "Please answer with" in finished.stdout
    again = viva("diff", TILE, given="\n" * 10)
    assert again.returncode == 0
    assert again.stdout.endswith("\n0 of 10 correct, 10 skipped.\n")
    assert max(map(len, again.stdout.splitlines())) <= 80
    other = viva("diff", TILE, "--seed", "2", given="\n" * 10)
    assert other.stdout != again.stdout


@pytest.mark.judges(lab="diff")
def test_an_end_of_input_is_polite() -> None:
    finished = viva("diff", TILE, given="\n")
    assert finished.returncode == 1
    assert finished.stdout.endswith("\nStopped: 0 of 1 correct.\n")
    nothing = viva("diff", TILE)
    assert nothing.returncode == 2
    assert nothing.stderr.splitlines()[-1].startswith("tilelab: the questions need your answers")


@pytest.mark.judges(lab="diff")
def test_one_file_gives_a_sheet_and_a_quiz(tmp_path: Path) -> None:
    sheet, quiz = tmp_path / "sheet.html", tmp_path / "quiz.xml"
    finished = viva("diff", TILE, "--sheet", sheet, "--format", "moodle", "--out", quiz)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout == f"Wrote {sheet}\nWrote {quiz}\n"
    assert "questions for 02_tile.cu" in sheet.read_text()
    assert quiz.read_text().count("<questiontext") == 10


@pytest.mark.judges(lab="diff")
def test_a_class_gets_a_sheet_each_and_a_line_for_what_is_wrong(tmp_path: Path) -> None:
    texts = {
        "amber": TILE.read_text(),
        "broken": '#include "diff.h"\nvoid diff(\n',
        "<b>&\u202e": TILE.read_text().replace("256", "128") + "// <script>alert(1)</script>\n",
        "zero": "int a\0;",
        "rules": '#include "diff.h"\nvoid diff(const int*, int*, int) { asm(""); }\n',
    }
    for student, text in texts.items():
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / "diff.cu").write_text(text)
    (tmp_path / "class" / "absent").mkdir()
    (tmp_path / "class" / "linked").mkdir()
    (tmp_path / "class" / "linked" / "diff.cu").symlink_to("/etc/passwd")
    out = tmp_path / "sheets"
    finished = viva("diff", tmp_path / "class", "--out", out, "--seed", "3")
    assert finished.returncode == 0, finished.stderr
    lines = finished.stdout.splitlines()
    assert len(lines) == 5, lines
    for name in ("broken", "zero", "rules", "linked"):
        assert sum(line.startswith(f"left out {name}: ") for line in lines) == 1, lines
    assert lines[-1] == f"Wrote 2 of 6 files: {out}/*.html"
    pages = sorted(out.iterdir())
    assert len(pages) == 2 and pages[0].name == "amber.html"
    hostile = pages[1].read_text()
    assert pages[1].name.startswith("b-") and "<script" not in hostile
    assert "&lt;b&gt;&amp;\\u202e" in hostile
    shutil.rmtree(out)


@pytest.mark.judges(lab="diff")
def test_a_quiz_of_a_class_names_its_student_and_a_line_the_members_of_a_group(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "class"
    (folder / "amber").mkdir(parents=True)
    (folder / "amber" / "diff.cu").write_text(TILE.read_text())
    members = [Student("amber", "Amber Stone", group="red"), Student("basil", group="red")]
    class_folder.write_notes(folder, Collected([*members, Student("cedar")]))
    done = viva("diff", folder, "--format", "moodle", "--out", tmp_path / "out", "--seed", "3")
    assert done.stdout.splitlines() == [
        f"Wrote 1 of 1 files: {tmp_path}/out/*.xml",
        "no file for basil: the group's file is that of amber",
    ]
    assert "$course$/diff Amber Stone (amber) diff.cu" in (tmp_path / "out/amber.xml").read_text()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nope"], "no lab 'nope'"),
        (["diff", "missing.cu"], "missing.cu: there is no such file"),
        (["diff", "--format", "pdf"], "--format is moodle or canvas, not 'pdf'"),
        (["diff", "EMPTY"], "has no diff.cu of any student"),
        (["diff", "EMPTY", "--sheet", "x.html"], "--sheet is for one file"),
        (["diff", str(TILE), "--out", "x"], "--out is for --format or for a class"),
    ],
)
def test_bad_input_is_one_clear_line(tmp_path: Path, arguments: list[str], says: str) -> None:
    (tmp_path / "empty" / "amber").mkdir(parents=True)
    words = [str(tmp_path / "empty") if one == "EMPTY" else one for one in arguments]
    finished = viva(*words)
    assert finished.returncode == 2
    assert says in finished.stderr and finished.stderr.count("\n") == 1
