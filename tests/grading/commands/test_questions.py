"""A student's question about a grade: from a file of theirs to the answer in the next feedback."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from downloads import LINK, folder_of, tar_of, zip_of
from made_grades import keep
from synthetic_class import passed
from tilelab.model.grade import Asked
from tilelab.pipeline.class_folder import read_notes
from tilelab.record.store import Store
from typed import types

pytestmark = pytest.mark.drawn(pool="questions about grades", count=3)

ASKED = "diff, line 2: Why is this\na race?\n\nNBODY: And here?\n"


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A class of two that got their feedback."""
    (tmp_path / "results").mkdir()
    record = Store(tmp_path / "results")
    for student in ("amber", "basil"):
        keep(record, student, passed(1))
    keep(record, "amber", passed(1), lab="nbody")
    record.close()
    types(tmp_path, "feedback")
    folder_of(tmp_path / "class", {"amber/diff.cu": "a\n", "basil/diff.cu": "b\n"})
    return tmp_path


def ask(
    desk: Path, text: str | bytes, *words: str, name: str = "question.md", status: int = 0
) -> str:
    folder_of(desk / "in", {f"amber/{name}": text})
    return types(desk, "collect", "in", "class", *words, status=status)


def noted(desk: Path) -> list[tuple[str, str, int, str]]:
    found = read_notes(desk / "class").questions
    return [(one.student, one.lab, one.line, one.text) for one in found]


def record_of(desk: Path) -> Store:
    """The record, with what `grade` notes of the class."""
    record = Store.existing(desk / "results")
    record.ask(read_notes(desk / "class").questions)
    return record


def test_the_feedback_has_a_place_for_a_question_that_the_page_names(desk: Path) -> None:
    folder = desk / "results" / "feedback" / "amber"
    place = folder / "question.md"
    assert "diff, line 12" in place.read_text()
    for name in ("diff.html", "diff.md"):
        assert "question.md" in (folder / name).read_text()
        assert "diff, line 12" in (folder / name).read_text()
    assert "nothing" not in ask(desk, place.read_bytes() + b"diff: Why?\n")
    assert noted(desk) == [("amber", "diff", 0, "Why?")]
    place.write_text("mine")
    types(desk, "feedback")
    assert place.read_text() == "mine"


def test_a_question_is_asked_seen_answered_and_read(desk: Path) -> None:
    said = ask(desk, ASKED)
    assert (
        "Students ask about grades (2)" in said
        and "amber: diff, line 2: Why is this a race?" in said
    )
    assert "no diff.cu, but question.md" not in said
    assert noted(desk) == [
        ("amber", "diff", 2, "Why is this\na race?"),
        ("amber", "nbody", 0, "And here?"),
    ]
    record_of(desk)
    types(desk, "report")
    report = (desk / "results/report/index.html").read_text()
    assert "<strong>2</strong> open questions" in report
    first, second = re.findall(r"<td><code>([0-9a-f]{8})</code></td>", report)
    types(desk, "feedback")
    page = desk / "results/feedback/amber/diff.html"
    assert "Not answered yet" in page.read_text() and "a race?" in page.read_text()
    (desk / "a.csv").write_text(
        f"student,lab,comment,answers,by\namber,diff,Thread 3 reads it.,{first},kim\n"
    )
    for _ in range(2):
        assert "Answered 1 question." in types(desk, "comment", "a.csv")
    (desk / "b.csv").write_text(
        f"student,lab,comment,answers,by\namber,diff,See the book.,{first},lee\n"
    )
    types(desk, "comment", "b.csv")
    types(desk, "feedback")
    for text in (page.read_text(), page.with_suffix(".md").read_text()):
        assert text.count("Thread 3 reads it.") == 1 and "See the book." in text
        assert "kim" not in text and "Not answered yet" not in text
    assert "a race?" not in (desk / "results/feedback/basil/diff.html").read_text()
    types(desk, "report")
    report = (desk / "results/report/index.html").read_text()
    assert (
        "<strong>1</strong> open question<" in report and second in report and first not in report
    )


def test_an_answer_about_a_lab_without_a_grade_is_read(desk: Path) -> None:
    ask(desk, "scan, line 3: Will it be graded?\n")
    record_of(desk).ask([Asked("elm", "scan", 0, "Where am I?")])
    questions = record_of(desk).questions()
    rows = [f"{one.student},scan,It will.,{id}\n" for id, (one, _) in questions.items()]
    (desk / "a.csv").write_text("student,lab,comment,answers\n" + "".join(rows))
    assert "elm has no grade, so no feedback" in types(desk, "comment", "a.csv", status=2)
    (desk / "a.csv").write_text("student,lab,comment,answers\n" + rows[0])
    types(desk, "comment", "a.csv")
    types(desk, "feedback")
    for page in (desk / "results/feedback/amber").glob("*.md"):
        assert page.name == "question.md" or "scan, line 3: Will it be graded?" in page.read_text()
        assert page.name == "question.md" or "Answer: It will." in page.read_text()
    assert "It will." not in (desk / "results/feedback/basil/diff.md").read_text()


def test_asking_again_asks_once_and_answers_stay(desk: Path) -> None:
    ask(desk, ASKED)
    ask(desk, "diff: One more.\n" + ASKED)
    assert len(noted(desk)) == 3
    record = record_of(desk)
    record.ask(read_notes(desk / "class").questions)
    assert len(record.questions()) == 3


@pytest.mark.parametrize(
    "name", ["Question.MD", "question (1).md", "question-2.txt", "questions.md"]
)
def test_other_names_are_questions_too(name: str, desk: Path) -> None:
    ask(desk, ASKED, name=name)
    assert len(noted(desk)) == 2


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("diff, line 2:", 2),
        ("diff line 2 :", 2),
        ("# Diff, line 2:", 2),
        ("**diff.cu:2:**", 2),
        ("diff 2:", 2),
        ("diff:", 0),
        ("diff: 3 threads,", 0),
    ],
)
def test_heads_of_questions(head: str, line: int, desk: Path) -> None:
    ask(desk, f"{head} why?\n")
    ((_, lab, number, text),) = noted(desk)
    assert (lab, number) == ("diff", line) and text.endswith("why?")


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + ASKED,
        ASKED.replace("\n", "\r\n"),
        ASKED.encode("utf-16"),
        ASKED.replace("race", "r\xe4ce").encode("latin-1"),
    ],
)
def test_other_encodings_are_read(text: str | bytes, desk: Path) -> None:
    ask(desk, text)
    assert [one[1:3] for one in noted(desk)] == [("diff", 2), ("nbody", 0)]


def test_a_text_without_a_lab_is_asked_about(desk: Path) -> None:
    said = ask(desk, "Why so few points?\n", status=2)
    assert "amber: amber/question.md asks about a grade, and does not begin with a lab" in said
    assert "--take amber/question.md=amber/LAB" in said
    ask(desk, "Why so few points?\n", "--take", "amber/question.md=amber/diff")
    assert noted(desk) == [("amber", "diff", 0, "Why so few points?")]
    ask(desk, "Never mind.\n", "--take", "amber/question.md=", status=2)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"diff: " + b"x" * 5000, "a question has more than 4000 characters: cut"),
        (b"diff: x\n" * 30, "has more than 20 questions"),
        (b"diff: " + b"x" * 200_000, "has more than 100,000 characters, so it is cut"),
        (b"diff: x\n" + b"x" * 1_100_000, "is larger than 1 MiB"),
        (LINK, "is a link"),
    ],
)
def test_too_much_is_one_line(text: str | bytes, says: str, desk: Path) -> None:
    folder_of(desk / "in", {"basil/question.md": "diff: Why?"})
    said = ask(desk, text)
    assert says in " ".join(said.split())
    assert ("basil", "diff", 0, "Why?") in noted(desk)


def test_a_skeleton_of_a_question_asks_nothing(desk: Path) -> None:
    said = ask(desk, (desk / "results/feedback/amber/question.md").read_bytes(), status=2)
    assert "there is no file for a lab" in said


def test_a_question_by_each_way_of_handing_in(desk: Path) -> None:
    zip_of(
        desk / "canvas.zip",
        {"stoneamber_4711_90001_question.md": ASKED, "elmcedar_4712_90002_diff.cu": "x"},
    )
    zip_of(desk / "moodle.zip", {"Amber Stone_10023_assignsubmission_file_question.md": ASKED})
    tar_of(desk / "tar.tgz", {"amber/question.md": ASKED, "basil.zip": b"no zip"})
    for source in ("canvas.zip", "moodle.zip", "tar.tgz"):
        folder_of(desk / f"class {source}", {"amber/diff.cu": "a\n"})
        types(desk, "collect", source, f"class {source}")
        assert len(read_notes(desk / f"class {source}").questions) == 2
    said = types(desk, "collect", "tar.tgz", "new", status=2)
    assert "tar.tgz has only questions" in said and not (desk / "new").exists()


def test_of_a_repository_the_last_version_is_asked(desk: Path) -> None:
    clone = desk / "clones" / "amber"
    clone.mkdir(parents=True)
    who = ["-c", "user.name=x", "-c", "user.email=x@y"]
    subprocess.run(["git", "init", "-q"], cwd=clone, check=True)
    for text in ("diff: A draft.\n", ASKED):
        (clone / "question.md").write_text(text)
        subprocess.run(["git", "add", "."], cwd=clone, check=True)
        subprocess.run(["git", *who, "commit", "-qm", "ask"], cwd=clone, check=True)
    types(desk, "collect", "clones", "class")
    assert [one[1:3] for one in noted(desk)] == [("diff", 2), ("nbody", 0)]
    assert all(one.at for one in read_notes(desk / "class").questions)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("amber,diff,x,0123abcd,,", "amber/diff has not asked a question 0123abcd"),
        ("basil,diff,x,ID,,", "basil/diff has not asked a question"),
        ("amber,diff,,ID,,", "an answer needs a comment"),
        ("amber,diff,x,ID,2,", "an answer gives no points"),
    ],
)
def test_a_wrong_answer_is_one_line(row: str, says: str, desk: Path) -> None:
    ask(desk, ASKED)
    id = next(iter(record_of(desk).questions()))
    (desk / "a.csv").write_text("student,lab,comment,answers,points,item\n" + row.replace("ID", id))
    said = types(desk, "comment", "a.csv", status=2)
    assert said.count("\n") == 1 and says in said and "nothing was noted" in said


def test_questions_merge_and_are_forgotten(desk: Path) -> None:
    ask(desk, ASKED)
    record = record_of(desk)
    other = Store(desk)
    other.take_people(record)
    other.take_people(record)
    assert other.questions() == record.questions() and len(other.questions()) == 2
    types(desk, "forget", "amber", "--class", "class", "--yes")
    assert Store.existing(desk / "results").questions() == {} and noted(desk) == []
    assert not (desk / "results/feedback/amber").exists()
    assert b"And here?" not in (desk / "results/record.sqlite").read_bytes()
