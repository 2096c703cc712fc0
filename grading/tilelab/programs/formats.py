"""What was found in a program, for other programs: SARIF for code scanning, JUnit for test reports.

SARIF: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from tilelab.base.text import printable
from tilelab.base.version import version
from tilelab.model.program import At, Finding
from tilelab.programs.running import Ended

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(ended: Ended) -> str:
    """A log with a result for each finding. Files below the working folder have relative paths."""
    findings = ended.report.findings if ended.report else ()
    rules = sorted({_kind(one) for one in findings})
    driver = {
        "name": "TileLab",
        "version": version(),
        "rules": [{"id": one, "name": _camel(one)} for one in rules],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": ended.was_watched, "exitCode": ended.status}],
        "results": [_result(one, rules) for one in findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _result(finding: Finding, rules: list[str]) -> dict[str, Any]:
    first, others = finding.places[:1], finding.places[1:]
    result: dict[str, Any] = {
        "ruleId": _kind(finding),
        "ruleIndex": rules.index(_kind(finding)),
        "level": "note" if finding.note else "error",
        "message": {"text": printable(finding.text)},
        "locations": [_location(one) for one in first],
    }
    if others:
        result["relatedLocations"] = [_location(one) for one in others]
    return result


def _location(at: At) -> dict[str, Any]:
    path = Path(at.file)
    here = Path.cwd()
    inside = path.is_relative_to(here) or not path.is_absolute()
    uri = quote(Path(os.path.relpath(path, here)).as_posix()) if inside else path.as_uri()
    region = {"startLine": max(at.line, 1)}
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


def junit(ended: Ended) -> str:
    """A test that fails for each mistake, or one that passes.

    It errs if the run was cut off, or if no kernel ran.
    """
    findings = ended.report.findings if ended.report else ()
    mistakes = [one for one in findings if not one.note]
    counts = {
        "tests": str(max(len(mistakes), 1)),
        "failures": str(len(mistakes)),
        "errors": str(int(not ended.was_watched and not mistakes)),
    }
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": "tilelab run --checked", **counts})
    for number, one in enumerate(mistakes, 1):
        name = f"{_kind(one)} {number}"
        case = ElementTree.SubElement(suite, "testcase", {"classname": _where(one), "name": name})
        message = {"message": printable(one.text), "type": _kind(one)}
        ElementTree.SubElement(case, "failure", message)
    if not mistakes:
        passed = {"classname": "tilelab", "name": "no mistakes"}
        case = ElementTree.SubElement(suite, "testcase", passed)
        if not ended.was_watched:
            status = f"the program ended with status {ended.status}"
            why = status if ended.is_cut_off else "this process ran no kernel"
            ElementTree.SubElement(case, "error", {"message": why, "type": "ending"})
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True)


def _where(finding: Finding) -> str:
    return (
        f"{Path(finding.places[0].file).name}:{finding.places[0].line}" if finding.places else "?"
    )


def _kind(finding: Finding) -> str:
    """What the sentence begins with, as an identifier: data-race."""
    return finding.text.partition(":")[0].lower().replace(" ", "-")


def _camel(kind: str) -> str:
    return "".join(word.capitalize() for word in kind.split("-"))


FORMATS: Mapping[str, Callable[[Ended], str]] = {"sarif": sarif, "junit": junit}
