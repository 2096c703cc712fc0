"""What was found, for other programs."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tilelab.model.program import At, Ending, Finding, Report
from tilelab.programs.formats import junit, sarif
from tilelab.programs.running import Ended

RACE = Finding(
    "Data race: one reads a[0], and one writes it", 0, (At("a b.cu", 3), At("a b.cu", 7))
)
LEAK = Finding("Memory leak: 4 bytes were never freed", 1, ())


def ended(*findings: Finding, status: int = 0) -> Ended:
    return Ended(status, Report(Ending("", 1, ""), findings, ()))


def test_sarif_has_a_result_for_each_finding() -> None:
    (run,) = json.loads(sarif(ended(LEAK, RACE)))["runs"]
    assert [one["id"] for one in run["tool"]["driver"]["rules"]] == ["data-race", "memory-leak"]
    leak, race = run["results"]
    assert (leak["ruleId"], leak["level"], leak["locations"]) == ("memory-leak", "note", [])
    assert (race["ruleId"], race["ruleIndex"], race["level"]) == ("data-race", 0, "error")
    assert race["message"]["text"] == RACE.text
    places = [one["physicalLocation"] for one in (*race["locations"], *race["relatedLocations"])]
    assert [one["region"]["startLine"] for one in places] == [3, 7]
    # A reference, in which a space cannot be.
    assert {one["artifactLocation"]["uri"] for one in places} == {"a%20b.cu"}


def test_files_of_the_working_folder_have_relative_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = (At(str(tmp_path / "one.cu"), 1), At("/elsewhere/two.cuh", 2))
    (run,) = json.loads(sarif(ended(Finding("Misaligned: x", 0, files))))["runs"]
    (result,) = run["results"]
    places = [*result["locations"], *result["relatedLocations"]]
    uris = [one["physicalLocation"]["artifactLocation"]["uri"] for one in places]
    assert uris == ["one.cu", "file:///elsewhere/two.cuh"]


@pytest.mark.parametrize(("status", "is_whole"), [(0, True), (143, False)])
def test_sarif_says_whether_the_run_was_whole(status: int, is_whole: bool) -> None:
    (run,) = json.loads(sarif(ended(status=status)))["runs"]
    assert run["invocations"] == [{"executionSuccessful": is_whole, "exitCode": status}]
    assert run["results"] == []


def test_junit_fails_for_each_mistake() -> None:
    suites = ElementTree.fromstring(junit(ended(RACE, LEAK, RACE)))
    assert (suites.get("tests"), suites.get("failures"), suites.get("errors")) == ("2", "2", "0")
    cases = suites.findall("testsuite/testcase")
    assert [one.get("classname") for one in cases] == ["a b.cu:3", "a b.cu:3"]
    assert {one.find("failure").get("message") for one in cases} == {RACE.text}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("run", "errors"),
    [
        (ended(LEAK), "0"),
        (ended(status=139), "1"),
        (Ended(0, None), "1"),
        (Ended(0, Report(Ending("", 0, ""), (), ())), "1"),
        (Ended(0, Report(Ending("_exit()", 1, ""), (), ())), "1"),
    ],
)
def test_junit_passes_only_if_all_was_looked_at(run: Ended, errors: str) -> None:
    suites = ElementTree.fromstring(junit(run))
    assert (suites.get("tests"), suites.get("failures"), suites.get("errors")) == ("1", "0", errors)


def test_what_a_program_printed_into_a_finding_breaks_no_format() -> None:
    hostile = Finding('Data race: \x00\x1b[31m <a> & "b" ]]>', 0, ())
    ElementTree.fromstring(junit(ended(hostile)))
    json.loads(sarif(ended(hostile)))
