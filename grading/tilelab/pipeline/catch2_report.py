"""Reads the report that a judge, a Catch2 program, leaves as XML."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from tilelab.base import process
from tilelab.base.errors import InfraError
from tilelab.base.text import printable, shorten
from tilelab.score.cases import Case

_MAX_BYTES = 16 * 1024 * 1024
_TEXTS = ("Info", "Warning", "Failure", "Expression")


def read(path: Path, finished: process.Finished) -> list[Case]:
    """The test cases of a complete report, else InfraError: half a report is no evidence."""
    said = shorten(printable(finished.output.strip()), 300) or "nothing"
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise InfraError("the judge's report is too large to be read.")
        root = ET.parse(path).getroot()
    except (OSError, ET.ParseError) as error:
        raise InfraError(
            f"the judge left no complete report (exit status {finished.status}); it said: {said}"
        ) from error
    # Catch2 3 puts the totals into the root; Catch2 2 does so too, and into the group as well.
    if root.find("OverallResultsCases") is None and root.find("OverallResults") is None:
        raise InfraError(f"the judge's report has no totals; it said: {said}")
    return [_read_case(element) for element in root.iter("TestCase")]


def _read_case(element: ET.Element) -> Case:
    name = element.get("name", "")
    result = element.find("OverallResult")
    if result is None:
        raise InfraError(f"the judge's report has no result for '{name}'.")
    if (broken := next(element.iter("Exception"), None)) is not None or (
        broken := next(element.iter("FatalErrorCondition"), None)
    ) is not None:
        # A submission's faults end its worker, never the judge.
        raise InfraError(f"the judge failed in '{name}': {shorten(_text(broken), 300)}")
    if result.get("skips", "0") != "0":
        raise InfraError(f"the judge skipped '{name}'.")
    passed = result.get("success") == "true"
    messages = [_text(warning) for warning in element.iter("Warning")]
    return Case(printable(name), passed, messages if passed else _failures(element))


def _failures(case: ET.Element) -> list[str]:
    """A text per failed assertion: what it says, and the values that Info noted before it."""
    failures: list[str] = []
    notes: list[str] = []
    for element in case.iter():
        if element.tag not in _TEXTS or element.get("success") == "true":
            continue
        if element.tag in ("Info", "Warning"):
            notes.append(_text(element))
            continue
        said = _text(element) if element.tag == "Failure" else _expression(element)
        where = f" ({', '.join(dict.fromkeys(notes))})" if notes else ""
        # The pattern that the judge names stays last: scoring looks for it there.
        failures.append(_insert_before_pattern(said, where))
        notes = []
    return failures


def _insert_before_pattern(said: str, where: str) -> str:
    head, bracket, pattern = said.rpartition(" [pattern: ")
    return f"{head}{where}{bracket}{pattern}" if bracket else said + where


def _expression(element: ET.Element) -> str:
    expanded = element.find("Expanded")
    return f"expected: {_text(expanded)}" if expanded is not None else "a check failed"


def _text(element: ET.Element) -> str:
    return printable(" ".join((element.text or "").split()))
