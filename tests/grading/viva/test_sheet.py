"""The sheet and the quiz files, read by parsers that are not ours, also of a hostile file."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
import zipfile
from html.parser import HTMLParser

import pytest

from hostile import TEXTS
from tilelab.exports.quiz import canvas, moodle
from tilelab.model.questions.viva import Question, Viva
from tilelab.report import viva_sheet

_NUMBER = Question(
    kind="k", line=2, ask="How many does `n < 3` load?", answer=(1024,), why="So `it` is."
)
_PAIR = Question(kind="k", line=3, ask="Which thread?", answer=(3, 1), why="The trace says so.")
_CHOICE = Question(
    kind="k", line=1, ask="What breaks?", answer=(1,), why="It does.", choices=("this", "that")
)
_VIVA = Viva(
    "diff",
    "Adjacent difference",
    "diff.cu",
    "int a;\nif (n < 3) b;\nc;\nd;\ne;\nf;\ng;\n",
    7,
    (_NUMBER, _PAIR, _CHOICE),
)
_TAGS = set(
    "html head meta title style body main section h1 h2 p ol li pre mark span code strong".split()
)


class _Page(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def _hostile(text: str) -> Viva:
    """Everything that a submission has a hand in says this text."""
    question = Question(kind=text, line=1, ask=f"{text}`{text}`?", answer=(0,), why=text)
    choice = Question(
        kind=text, line=1, ask=text, answer=(1,), why=text, choices=(f"a {text}", f"b {text}")
    )
    return Viva("diff", "Adjacent difference", text, f"{text}\n", 7, (question, choice))


def test_the_sheet_has_questions_first_and_answers_on_a_page_of_their_own() -> None:
    page = viva_sheet.page(_VIVA, "amber", "./tilelab viva diff diff.cu --seed 7")
    read = _Page(page)
    questions, answers = read.text.split("Answers: amber")
    assert "How many does n < 3 load?" in questions and "1,024" not in questions
    assert "1,024" in answers and "(3, 1)" in answers and "b: that" in answers
    assert "--seed 7" in answers
    assert "break-before: page" in page
    # Of the file there are three lines on each side.
    assert "2if (n < 3) b;" in questions and questions.count("1int a;") == 3
    assert "7g;" not in questions
    assert set(read.tags) <= _TAGS


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
def test_nothing_of_a_file_is_markup_in_the_sheet(text: str) -> None:
    page = viva_sheet.page(_hostile(text), text, text)
    read = _Page(page)
    assert set(read.tags) <= _TAGS
    assert read.attributes <= set("lang charset http-equiv content name class".split())
    assert page.count("<script") == 0 and "\x1b" not in page and "\u202e" not in page


def test_moodle_has_a_question_of_each_type() -> None:
    root = ET.fromstring(moodle.content(_VIVA))
    category, *questions = root
    assert category.findtext("category/text") == "$course$/diff diff.cu"
    assert [one.get("type") for one in questions] == ["numerical", "shortanswer", "multichoice"]
    number, pair, choice = questions
    assert "<code>n &lt; 3</code>" in (number.findtext("questiontext/text") or "")
    assert "   2 if (n &lt; 3) b;" in (number.findtext("questiontext/text") or "")
    assert number.findtext("generalfeedback/text") == "So <code>it</code> is."
    assert [(one.get("fraction"), one.findtext("text")) for one in number.iter("answer")] == [
        ("100", "1024")
    ]
    assert [one.findtext("text") for one in pair.iter("answer")] == [
        "(3, 1)",
        "(3,1)",
        "3, 1",
        "3,1",
    ]
    assert [(one.get("fraction"), one.findtext("text")) for one in choice.iter("answer")] == [
        ("0", "this"),
        ("100", "that"),
    ]


def test_students_with_the_same_file_have_quizzes_of_their_own() -> None:
    titles, ids = [], []
    for student in ("Amber Stone (amber)", "basil"):
        root = _assessment(canvas.content(_VIVA, student))
        assessment = root.find("q:assessment", _NAMESPACE)
        assert assessment is not None
        titles.append(assessment.get("title"))
        ids.append(assessment.get("ident"))
        category = ET.fromstring(moodle.content(_VIVA, student)).findtext("question/category/text")
        assert category == f"$course$/diff {student} diff.cu"
    assert titles == [
        "diff: Amber Stone (amber): questions about diff.cu",
        "diff: basil: questions about diff.cu",
    ]
    assert len(set(ids)) == 2


_NAMESPACE = {"q": "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"}


def _assessment(packed: bytes) -> ET.Element:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        manifest = ET.fromstring(archive.read("imsmanifest.xml"))
        named = {one.get("href") for one in manifest.iter() if one.tag.endswith("}file")}
        assert named == set(names) - {"imsmanifest.xml"}
        for name in names:
            ET.fromstring(archive.read(name))
        quiz = next(one for one in names if "/" in one and "meta" not in one)
        return ET.fromstring(archive.read(quiz))


def test_canvas_has_a_question_of_each_type() -> None:
    packed = canvas.content(_VIVA)
    assert packed == canvas.content(_VIVA)
    items = _assessment(packed).findall(".//q:item", _NAMESPACE)
    kinds = [one.findtext(".//q:fieldentry", "", _NAMESPACE) for one in items]
    assert kinds == ["numerical_question", "short_answer_question", "multiple_choice_question"]
    right = [[one.text for one in item.findall(".//q:varequal", _NAMESPACE)] for item in items]
    assert right[0] == ["1024"]
    assert right[1] == ["(3, 1)", "(3,1)", "3, 1", "3,1"]
    labels = {
        one.get("ident"): one.findtext(".//q:mattext", "", _NAMESPACE)
        for one in items[2].findall(".//q:response_label", _NAMESPACE)
    }
    (chosen,) = right[2]
    assert labels[chosen] == "that" and len(labels) == 2


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
def test_nothing_of_a_file_is_markup_in_a_quiz(text: str) -> None:
    viva = _hostile(text)
    root = ET.fromstring(moodle.content(viva))
    category = root.findtext("question/category/text") or ""
    assert category.count("/") == 1
    texts = [one.text or "" for one in root.iter("text")]
    texts += [one.text or "" for one in _assessment(canvas.content(viva)).iter() if one.text]
    for one in texts:
        # What is HTML for the platform has no tags but ours.
        read = _Page(one) if one.startswith("<p>") else None
        assert read is None or set(read.tags) <= {"p", "pre", "code"}
    assert not any("\x1b" in one or "\u202e" in one for one in texts)
