"""A quiz as Moodle XML, which Moodle imports into a course's question bank.

The format: https://docs.moodle.org/en/Moodle_XML_format
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

from tilelab.exports.quiz.items import asked, named, spellings, with_code
from tilelab.exports.xml_text import safe
from tilelab.model.questions.viva import Question, Viva


def content(viva: Viva, student: str = "") -> bytes:
    """The file. Its questions are in a category of their own, which names the student, if any."""
    root = ET.Element("quiz")
    category = ET.SubElement(ET.SubElement(root, "question", type="category"), "category")
    # A slash would begin another category.
    name = safe(" ".join(filter(None, (viva.lab, student, viva.file)))).replace("/", "_")
    _text(category, f"$course$/{name}")
    for number, question in enumerate(viva.questions, 1):
        _add(root, number, question, viva)
    ET.indent(root)
    data: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def _add(root: ET.Element, number: int, question: Question, viva: Viva) -> None:
    kind = _kind(question)
    item = ET.SubElement(root, "question", type=kind)
    _text(ET.SubElement(item, "name"), named(number, question))
    _text(ET.SubElement(item, "questiontext", format="html"), asked(question, viva))
    _text(ET.SubElement(item, "generalfeedback", format="html"), with_code(question.why))
    ET.SubElement(item, "defaultgrade").text = "1"
    if kind == "multichoice":
        ET.SubElement(item, "single").text = "true"
        ET.SubElement(item, "shuffleanswers").text = "false"
        ET.SubElement(item, "answernumbering").text = "abc"
        for i, choice in enumerate(question.choices):
            _answer(item, choice, is_right=i == question.answer[0])
    elif kind == "numerical":
        answer = _answer(item, str(question.answer[0]), is_right=True)
        ET.SubElement(answer, "tolerance").text = "0"
    else:
        ET.SubElement(item, "usecase").text = "0"
        for spelling in spellings(question.answer):
            _answer(item, spelling, is_right=True)


def _kind(question: Question) -> str:
    if question.choices:
        return "multichoice"
    return "numerical" if len(question.answer) == 1 else "shortanswer"


def _answer(item: ET.Element, text: str, *, is_right: bool) -> ET.Element:
    answer = ET.SubElement(item, "answer", fraction="100" if is_right else "0", format="plain_text")
    _text(answer, text)
    return answer


def _text(parent: ET.Element, text: str) -> None:
    ET.SubElement(parent, "text").text = safe(text)
