"""JUnit XML, which build servers read: a test suite per submission, a test case per criterion."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from tilelab.base.text import points
from tilelab.exports.xml_text import safe
from tilelab.model.grade import Grade
from tilelab.model.result import CriterionResult


def text(grades: Sequence[Grade]) -> str:
    """The document. It holds only what all of its readers understand."""
    root = ET.Element("testsuites", name="tilelab")
    for grade in grades:
        root.append(_suite(grade))
    for name, count in _counts(root).items():
        root.set(name, str(count))
    ET.indent(root)
    data: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return data.decode() + "\n"


def _suite(grade: Grade) -> ET.Element:
    result = grade.result
    suite = ET.Element(
        "testsuite", name=safe(".".join(filter(None, (result.lab, result.student)))), time="0"
    )
    class_name = suite.get("name", "")
    for criterion in result.criteria:
        case = ET.SubElement(
            suite, "testcase", classname=class_name, name=safe(criterion.title), time="0"
        )
        _add_outcome(case, criterion)
    if result.verdict != "graded":
        case = ET.SubElement(suite, "testcase", classname=class_name, name="submission", time="0")
        outcome = "error" if result.verdict == "infra_error" else "failure"
        _add(case, outcome, result.verdict, result.messages)
    for name, count in _counts(suite).items():
        suite.set(name, str(count))
    return suite


def _add_outcome(case: ET.Element, criterion: CriterionResult) -> None:
    of_all = f"{points(criterion.points)} of {points(criterion.max)} points"
    if criterion.status == "not_run":
        _add(case, "skipped", "not run", criterion.messages)
    elif criterion.falls_short:
        _add(case, "failure", of_all, criterion.messages)


def _add(case: ET.Element, outcome: str, message: str, texts: Sequence[str]) -> None:
    element = ET.SubElement(case, outcome, message=safe(message), type=outcome)
    element.text = safe("\n".join(texts))


def _counts(element: ET.Element) -> dict[str, int]:
    names = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    found = {key: len(element.findall(f".//{tag}")) for key, tag in names.items()}
    return {"tests": len(element.findall(".//testcase")), **found}
