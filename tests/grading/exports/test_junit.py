"""JUnit XML, read by another parser."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from xml.dom import minidom

import pytest

from hostile import TEXTS, graded, refused
from tilelab.exports import junit
from tilelab.model.grade import Grade
from tilelab.model.result import CriterionResult, Result

CRITERIA = [
    CriterionResult("correctness", "pass", 40, 40, []),
    CriterionResult("safety", "partial", 5, 10, ["a race"]),
    CriterionResult("memory", "review", 0, 10, ["too good"]),
    CriterionResult("speed", "not_run", 0, 40, ["NOT RUN: no GPU"]),
]


def test_a_case_per_criterion() -> None:
    root = ET.fromstring(
        junit.text([Grade(Result("amber", "diff", "graded", 45, 100, "a", CRITERIA))])
    )
    (suite,) = root
    assert root.tag == "testsuites" and suite.tag == "testsuite"
    counts = {"tests": "4", "failures": "2", "errors": "0", "skipped": "1"}
    assert counts.items() <= suite.attrib.items() and counts.items() <= root.attrib.items()
    assert suite.attrib["name"] == "diff.amber"
    cases = {case.attrib["name"]: case for case in suite}
    assert list(cases) == ["correctness", "safety", "memory", "speed"]
    assert {case.attrib["classname"] for case in suite} == {"diff.amber"}
    assert [[child.tag for child in case] for case in suite] == [
        [],
        ["failure"],
        ["failure"],
        ["skipped"],
    ]
    failure = cases["safety"][0]
    assert failure.attrib == {"message": "5 of 10 points", "type": "failure"}
    assert failure.text == "a race"


@pytest.mark.parametrize(
    ("verdict", "outcome"),
    [("rejected", "failure"), ("compile_error", "failure"), ("missing", "failure")],
)
def test_a_file_that_was_not_run_has_a_case(verdict: str, outcome: str) -> None:
    result = Result("amber", "diff", verdict, 0.0, 100, None, [], ["why"])  # type: ignore[arg-type]
    case = ET.fromstring(junit.text([Grade(result)]))[0][0]
    assert case.attrib["name"] == "submission" and [one.tag for one in case] == [outcome]


def test_a_machine_error_is_no_failure() -> None:
    result = Result("amber", "diff", "infra_error", None, 100, None, [], ["no disk"])
    root = ET.fromstring(junit.text([Grade(result)]))
    assert (root.attrib["errors"], root.attrib["failures"]) == ("1", "0")


@pytest.mark.parametrize("make", [graded, refused])
def test_hostile_texts_stay_texts(make: type) -> None:
    text = junit.text([make(one) for one in TEXTS.values()])
    root = ET.fromstring(text.encode())
    assert len(root) == len(TEXTS)
    # Nothing of them became an element, and none of the characters that XML forbids is left.
    assert {element.tag for element in root.iter()} == {
        "testsuites",
        "testsuite",
        "testcase",
        "failure",
    }
    assert minidom.parseString(text.encode()).doctype is None
    assert not set(text) & set("\x00\x01\x07\x0b\x1b\x7f\ufffe\uffff\ud800")
    shown = root.find(".//testsuite[9]//failure")
    assert shown is not None and (shown.text or "").startswith(TEXTS["xml"])
