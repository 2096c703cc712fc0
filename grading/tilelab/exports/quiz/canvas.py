"""A quiz as QTI 1.2 in a zip file, which Canvas imports: Settings, Import Course Content.

The names of the fields are those of Canvas's own exports.
"""

from __future__ import annotations

import hashlib
import io
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Iterable

from tilelab.exports.quiz.items import asked, named, spellings, with_code
from tilelab.exports.xml_text import safe
from tilelab.model.questions.viva import Question, Viva

_QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
_PACKAGE = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
_CANVAS = "http://canvas.instructure.com/xsd/cccv1p0"

_RESPONSE = "response1"
_FEEDBACK = "general_fb"


def content(viva: Viva, student: str = "") -> bytes:
    """The zip file. The same questions to the same student, if one is named, make the same bytes.

    Several students may have the same file, and each needs a quiz of their own.
    """
    whose = f"{student}: " if student else ""
    title = safe(f"{viva.lab}: {whose}questions about {viva.file}")
    text = f"{viva.lab} {viva.file} {viva.seed} {student} {viva.text}"
    ident = "g" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    files = {
        "imsmanifest.xml": _manifest(ident),
        f"{ident}/{ident}.xml": _assessment(viva, ident, title),
        f"{ident}/assessment_meta.xml": _settings(viva, ident, title),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, root in files.items():
            ET.indent(root)
            data: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
            entry = zipfile.ZipInfo(name)  # dated 1980
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return packed.getvalue()


def _manifest(ident: str) -> ET.Element:
    root = ET.Element("manifest", identifier=f"{ident}_manifest", xmlns=_PACKAGE)
    metadata = ET.SubElement(root, "metadata")
    _child(metadata, "schema", "IMS Content")
    _child(metadata, "schemaversion", "1.1.3")
    ET.SubElement(root, "organizations")
    resources = ET.SubElement(root, "resources")
    quiz = ET.SubElement(resources, "resource", identifier=ident, type="imsqti_xmlv1p2")
    ET.SubElement(quiz, "file", href=f"{ident}/{ident}.xml")
    ET.SubElement(quiz, "dependency", identifierref=f"{ident}_meta")
    href = f"{ident}/assessment_meta.xml"
    kind = "associatedcontent/imscc_xmlv1p1/learning-application-resource"
    meta = ET.SubElement(resources, "resource", identifier=f"{ident}_meta", type=kind, href=href)
    ET.SubElement(meta, "file", href=href)
    return root


def _settings(viva: Viva, ident: str, title: str) -> ET.Element:
    root = ET.Element("quiz", identifier=ident, xmlns=_CANVAS)
    _child(root, "title", title)
    _child(root, "quiz_type", "practice_quiz")
    _child(root, "points_possible", f"{len(viva.questions)}.0")
    _child(root, "allowed_attempts", "1")
    return root


def _assessment(viva: Viva, ident: str, title: str) -> ET.Element:
    root = ET.Element("questestinterop", xmlns=_QTI)
    assessment = ET.SubElement(root, "assessment", ident=ident, title=title)
    section = ET.SubElement(assessment, "section", ident="root_section")
    for number, question in enumerate(viva.questions, 1):
        _add(section, f"{ident}_{number}", number, question, viva)
    return root


def _add(section: ET.Element, ident: str, number: int, question: Question, viva: Viva) -> None:
    kind = _kind(question)
    item = ET.SubElement(section, "item", ident=ident, title=named(number, question))
    fields = ET.SubElement(ET.SubElement(item, "itemmetadata"), "qtimetadata")
    for label, entry in (("question_type", kind), ("points_possible", "1.0")):
        field = ET.SubElement(fields, "qtimetadatafield")
        _child(field, "fieldlabel", label)
        _child(field, "fieldentry", entry)
    presentation = ET.SubElement(item, "presentation")
    _material(presentation, asked(question, viva), "text/html")
    _responses(presentation, question, kind)
    processing = ET.SubElement(item, "resprocessing")
    outcomes = ET.SubElement(processing, "outcomes")
    ET.SubElement(
        outcomes, "decvar", maxvalue="100", minvalue="0", varname="SCORE", vartype="Decimal"
    )
    always = ET.SubElement(processing, "respcondition", {"continue": "Yes"})
    ET.SubElement(ET.SubElement(always, "conditionvar"), "other")
    ET.SubElement(always, "displayfeedback", feedbacktype="Response", linkrefid=_FEEDBACK)
    right = ET.SubElement(processing, "respcondition", {"continue": "No"})
    _condition(ET.SubElement(right, "conditionvar"), question, kind)
    _child(right, "setvar", "100", action="Set", varname="SCORE")
    feedback = ET.SubElement(item, "itemfeedback", ident=_FEEDBACK)
    _material(ET.SubElement(feedback, "flow_mat"), with_code(question.why), "text/html")


def _kind(question: Question) -> str:
    if question.choices:
        return "multiple_choice_question"
    return "numerical_question" if len(question.answer) == 1 else "short_answer_question"


def _responses(presentation: ET.Element, question: Question, kind: str) -> None:
    if question.choices:
        one = ET.SubElement(presentation, "response_lid", ident=_RESPONSE, rcardinality="Single")
        choices = ET.SubElement(one, "render_choice")
        for i, choice in enumerate(question.choices):
            label = ET.SubElement(choices, "response_label", ident=_choice(i))
            _material(label, safe(choice), "text/plain")
        return
    typed = ET.SubElement(presentation, "response_str", ident=_RESPONSE, rcardinality="Single")
    is_number = {"fibtype": "Decimal"} if kind == "numerical_question" else {}
    blank = ET.SubElement(typed, "render_fib", is_number)
    ET.SubElement(blank, "response_label", ident="answer1")


def _condition(variable: ET.Element, question: Question, kind: str) -> None:
    """What counts as right."""
    if question.choices:
        _equal(variable, [_choice(question.answer[0])])
    elif kind == "numerical_question":
        number = str(question.answer[0])
        either = ET.SubElement(variable, "or")
        _equal(either, [number])
        between = ET.SubElement(either, "and")
        _child(between, "vargte", number, respident=_RESPONSE)
        _child(between, "varlte", number, respident=_RESPONSE)
    else:
        _equal(variable, spellings(question.answer))


def _equal(parent: ET.Element, answers: Iterable[str]) -> None:
    for one in answers:
        _child(parent, "varequal", one, respident=_RESPONSE)


def _choice(number: int) -> str:
    return str(1000 + number)


def _material(parent: ET.Element, text: str, kind: str) -> None:
    _child(ET.SubElement(parent, "material"), "mattext", text, texttype=kind)


def _child(parent: ET.Element, tag: str, text: str, **attributes: str) -> None:
    ET.SubElement(parent, tag, attributes).text = text
