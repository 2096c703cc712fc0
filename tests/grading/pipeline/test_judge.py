"""Reading what a judge leaves behind: only a complete and consistent report is evidence.

The judges here are scripts that write what a broken judge could write.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from support import unbuilt
from tilelab.base.errors import InfraError
from tilelab.pipeline import judge
from tilelab.pipeline.judge import Workers
from tilelab.score import lab
from tilelab.score.cases import Case

PASSED = '<TestCase name="good"><OverallResult success="true"/></TestCase>'
FAILED = (
    '<TestCase name="bad"><Info> n = 3 </Info>'
    '<Failure filename="f" line="1"> 2 of 3 are wrong. [pattern: tail] </Failure>'
    '<Expression success="false" type="CHECK" filename="f" line="2">'
    "<Original> a == b </Original><Expanded> 1 == 2 </Expanded></Expression>"
    '<OverallResult success="false"/></TestCase>'
)
TOTALS = '<OverallResults/><OverallResultsCases successes="1" failures="0"/>'


def report(*cases: str, totals: str = TOTALS) -> str:
    return f'<?xml version="1.0"?><Catch2TestRun name="x">{"".join(cases)}{totals}</Catch2TestRun>'


class Judge:
    """A script in place of a judge: it leaves the report, metrics and output of one run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = folder / "judge"
        self.toolchain = unbuilt("emulator", folder)

    def run(
        self, xml: str, *, metrics: str = "", then: str = "exit 0", printed: str = ""
    ) -> object:
        (self.folder / "xml").write_text(xml)
        (self.folder / "metrics").write_text(metrics)
        (self.folder / "printed").write_text(printed)
        self.program.write_text(
            "#!/bin/sh\n"
            f'cd "{self.folder}"\necho "$*" >> arguments\n'
            'while [ "$1" != -- ]; do\n'
            '  case $1 in --metrics) cp metrics "$2" ;; --student-output) cp printed "$2" ;; esac\n'
            "  shift\ndone\n"
            f'cp xml "$5"\n{then}\n'
        )
        self.program.chmod(0o755)
        workers = Workers(
            {"submission": Path("/w"), "baseline": Path("/b"), "reference": Path("/r")}
        )
        return judge.run(lab.load("diff"), self.toolchain, "correctness", workers, seed=7)

    @property
    def runs(self) -> list[str]:
        return (self.folder / "arguments").read_text().splitlines()


@pytest.fixture
def fake(tmp_path: Path) -> Judge:
    return Judge(tmp_path)


def test_a_complete_report_is_read(fake: Judge) -> None:
    verdict = fake.run(
        report(PASSED, FAILED),
        metrics='{"speed": {"rounds": 9}}\n{"more": {}}\n',
        printed="hello",
        then="exit 1",
    )
    assert verdict == judge.Judgment(
        cases=[
            Case("good", True, []),
            Case("bad", False, ["2 of 3 are wrong. (n = 3) [pattern: tail]", "expected: 1 == 2"]),
        ],
        metrics={"speed": {"rounds": 9}, "more": {}},
        student_output="hello",
    )
    (arguments,) = fake.runs
    assert "--worker submission=/w --worker baseline=/b --worker reference=/r" in arguments
    assert "--seed 7 --time-limit 5.0 --memory-limit 2048" in arguments
    assert arguments.endswith("[correctness]")


def test_catch2_version_2_is_read_too(fake: Judge) -> None:
    xml = f'<Catch name="x"><Group name="x">{PASSED}<OverallResults/></Group>{TOTALS}</Catch>'
    verdict = fake.run(xml)
    assert isinstance(verdict, judge.Judgment)
    assert [case.name for case in verdict.cases] == ["good"]


@pytest.mark.parametrize(
    ("xml", "then", "sentence"),
    [
        (report(PASSED)[:-20], "exit 0", "no complete report"),
        ("", "exit 0", "no complete report"),
        (report(PASSED), "exit 1", "contradicts"),
        (report(PASSED, FAILED), "exit 0", "contradicts"),
        (report(PASSED, totals=""), "exit 0", "no totals"),
        (report(), "exit 0", r"no test with the tag \[correctness\]"),
        (report('<TestCase name="a"></TestCase>'), "exit 0", "no result for 'a'"),
        (
            report(
                '<TestCase name="a"><Exception> bad_alloc </Exception>'
                '<OverallResult success="false"/></TestCase>'
            ),
            "exit 1",
            "the judge failed in 'a': bad_alloc",
        ),
        (
            report('<TestCase name="a"><OverallResult success="true" skips="1"/></TestCase>'),
            "exit 0",
            "skipped 'a'",
        ),
        (report(PASSED), "kill -9 $$", "contradicts"),
        (report(PASSED)[:-20], "echo died; kill -9 $$", "it said: died"),
    ],
)
def test_anything_less_is_no_grade_and_is_tried_twice(
    fake: Judge, xml: str, then: str, sentence: str
) -> None:
    with pytest.raises(InfraError, match=sentence):
        fake.run(xml, then=then)
    assert len(fake.runs) == 2


def test_the_second_try_counts(fake: Judge) -> None:
    then = "[ -e second ] && exit 0\ntouch second\nexit 9"
    assert isinstance(fake.run(report(PASSED), then=then), judge.Judgment)
    assert len(fake.runs) == 2


def test_a_judge_that_gives_up_says_why(fake: Judge) -> None:
    with pytest.raises(InfraError, match=r"gave up: no device\\x1b"):
        fake.run("", metrics='{"infrastructure_error": "no device\\u001b"}\n', then="exit 3")


def test_a_judge_that_is_not_there(fake: Judge) -> None:
    toolchain = dataclasses.replace(fake.toolchain, judge="/nowhere/judge")
    with pytest.raises(InfraError, match="could not be started"):
        judge.run(
            lab.load("diff"), toolchain, "correctness", Workers({"submission": Path("/w")}), seed=7
        )


def test_control_characters_of_a_report_are_escaped(fake: Judge) -> None:
    xml = report(FAILED.replace("2 of 3", "\u202e&#x9b;2"))
    verdict = fake.run(xml, then="exit 1")
    assert isinstance(verdict, judge.Judgment)
    assert verdict.cases[0].messages[0].startswith("\\u202e\\x9b2 are wrong.")
