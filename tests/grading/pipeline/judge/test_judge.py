"""Reading what a judge leaves behind: only a complete and consistent report is evidence.

The judges here are scripts that write what a broken judge could write.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from support import unbuilt
from tilelab.base.errors import InfraError
from tilelab.labs import lab
from tilelab.model.case import Case, Message, Place
from tilelab.model.evidence import Errors, Printed
from tilelab.model.measurement import Interval, Measurement, Timing
from tilelab.model.profile import Call, Metric
from tilelab.model.stream import VERSION
from tilelab.pipeline import judge
from tilelab.pipeline.judge import Workers
from tilelab.pipeline.judge.events import Judgment


def message(kind: str, text: str, **members: Any) -> dict[str, Any]:
    return {"type": "message", "test": "t", "kind": kind, "text": text, **members}


PASSED = [{"type": "test", "name": "good", "result": "passed"}]
DATA = {
    "inputs": ["n = 3"],
    "summary": "2 are wrong.",
    "places": [{"line": 12, "word": "out", "says": "here"}],
    "element": "out[1]",
    "expected": "1",
    "got": "2",
}
FAILED = [
    message("note", "a  remark."),
    message("failure", "2 of 3 are\nwrong.", context=["n = 3"], pattern="tail", **DATA),
    message("failure", "expected: 1 == 2", context=[]),
    {"type": "test", "name": "bad", "result": "failed"},
]
END = [{"type": "end"}]
RUN: dict[str, Any] = {"rounds": 9, "discarded": 1, "sm_mhz": 1980, "clock": "judge"}
TIMING = {"ms": 2, "device_ms": 2.5, "cold_ms": 3, "speedup": [1, 1.5, 2]}


class Judge:
    """A script in place of a judge: it leaves the events of one run."""

    def __init__(self, folder: Path) -> None:
        self.begin: Any = {"type": "begin", "version": VERSION}
        self.folder = folder
        self.program = folder / "judge"
        self.toolchain = unbuilt("emulator", folder)

    def run(self, *events: Any, then: str = "exit 0", cut: int = 0) -> Judgment:
        stream = "".join(json.dumps(event) + "\n" for event in (self.begin, *events))
        (self.folder / "stream").write_text(stream[: len(stream) - cut])
        self.program.write_text(
            "#!/bin/sh\n"
            f'cd "{self.folder}"\necho "$*" >> arguments\n'
            'while [ "$1" != -- ]; do\n'
            '  case $1 in --events) cp stream "$2" ;; esac\n'
            "  shift\ndone\n"
            f"{then}\n"
        )
        self.program.chmod(0o755)
        workers = Workers(
            {"submission": Path("/w"), "baseline": Path("/b"), "reference": Path("/r")}
        )
        return judge.run(lab.load("diff"), self.toolchain, "correctness", workers, seed=7)

    @property
    def runs(self) -> list[str]:
        return (self.folder / "arguments").read_text().splitlines()


NOTHING: dict[str, Any] = {"launches": [], "arguments": []}


@pytest.fixture
def fake(tmp_path: Path) -> Judge:
    return Judge(tmp_path)


def test_a_complete_stream_is_read(fake: Judge) -> None:
    found = fake.run(
        *(message("note", "well done"), *PASSED, *FAILED),
        {"type": "measurement", "problem": "speed", **RUN},
        {"type": "timing", "problem": "speed", "worker": "submission", **TIMING},
        {"type": "call", "call": "diff(n)", "input_bytes": 8, "output_bytes": 4, **NOTHING},
        {"type": "metric", "call": "diff(n)", "metric": "m", "unit": "steps", "value": 2},
        {"type": "output", "call": "diff(n)", "text": "hello"},
        {"type": "errors", "output": "df", "elements": 9, "rms": 0.5, "largest": 1.5},
        {"type": "errors", "output": "df", "elements": 8, "rms": 0.1, "largest": 0.2},
        {"type": "errors", "output": "df", "elements": 10, "rms": None, "largest": None},
        *END,
        then="exit 1",
    )
    assert found == Judgment(
        cases=[
            Case("good", True, [Message("well done")]),
            Case(
                "bad",
                False,
                [
                    Message(
                        "2 of 3 are wrong. (a remark, n = 3)",
                        "tail",
                        summary="2 are wrong.",
                        inputs=("n = 3",),
                        places=(Place(12, "out", "here"),),
                        element="out[1]",
                        expected="1",
                        got="2",
                    ),
                    Message("expected: 1 == 2", summary="expected: 1 == 2"),
                ],
            ),
        ],
        measurements={
            "speed": Measurement(
                **RUN,
                timings={
                    "submission": Timing(
                        ms=2, device_ms=2.5, cold_ms=3, speedup=Interval(1, 1.5, 2)
                    )
                },
            )
        },
        calls=[Call("diff(n)", 8, 4, (), {"m": Metric("steps", 2.0)}, ())],
        printed=[Printed("", "diff(n)", "hello")],
        errors=[Errors("df", 9, 0.5, 1.5)],
    )
    (arguments,) = fake.runs
    assert "--worker submission=/w --worker baseline=/b --worker reference=/r" in arguments
    assert "--seed 7 --time-limit 5.0 --memory-limit 2048" in arguments
    assert arguments.endswith("[correctness]")


def test_where_calls_cannot_be_filtered_the_judge_filters_none_and_is_patient(
    fake: Judge,
) -> None:
    fake.toolchain = dataclasses.replace(fake.toolchain, filters_calls=False)
    fake.run(*PASSED, *END)
    (arguments,) = fake.runs
    assert "--unfiltered 1" in arguments
    assert "--time-limit 100.0 " in arguments


def gave_up(text: str) -> dict[str, str]:
    return {"type": "infrastructure_error", "text": text}


@pytest.mark.parametrize(
    ("events", "then", "sentence"),
    [
        (PASSED, "exit 0", "no complete report"),
        ([], "exit 0", "no complete report"),
        ([*PASSED, *END], "exit 1", "contradicts"),
        ([*PASSED, *FAILED, *END], "exit 0", "contradicts"),
        (END, "exit 0", r"no test with the tag \[correctness\]"),
        ([{"type": "test", "name": "a"}, *END], "exit 0", "cannot be used"),
        ([["type"], *END], "exit 0", "cannot be used"),
        ([{"type": "measurement", "problem": "a", **RUN, "rounds": "9"}, *END], "exit 0", "rounds"),
        (
            [gave_up("the judge failed in 'a': bad_alloc"), *PASSED, *END],
            "exit 1",
            "the judge failed in 'a': bad_alloc",
        ),
        ([{"type": "test", "name": "a", "result": "skipped"}, *END], "exit 0", "skipped 'a'"),
        ([*PASSED, *END], "kill -9 $$", "contradicts"),
        (PASSED, "echo died; kill -9 $$", "it said: died"),
    ],
)
def test_anything_less_is_no_grade_and_is_tried_twice(
    fake: Judge, events: list[Any], then: str, sentence: str
) -> None:
    with pytest.raises(InfraError, match=sentence):
        fake.run(*events, then=then)
    assert len(fake.runs) == 2


@pytest.mark.parametrize(
    ("begin", "sentence"),
    [
        ({"type": "begin", "version": 2}, "version 2, and this TileLab reads version 1"),
        ({"type": "tests", "count": 1}, "cannot be used"),
    ],
)
def test_events_of_another_version_are_not_read(fake: Judge, begin: Any, sentence: str) -> None:
    fake.begin = begin
    with pytest.raises(InfraError, match=sentence):
        fake.run(*PASSED, *END)


@pytest.mark.parametrize("cut", [2, 5, 17])
def test_half_a_line_is_no_evidence(fake: Judge, cut: int) -> None:
    with pytest.raises(InfraError, match="no complete report"):
        fake.run(*PASSED, *END, cut=cut)


def test_the_second_try_counts(fake: Judge) -> None:
    then = "[ -e second ] && exit 0\ntouch second\nexit 9"
    assert fake.run(*PASSED, *END, then=then).cases == [Case("good", True, [])]
    assert len(fake.runs) == 2


def test_a_judge_that_gives_up_says_why(fake: Judge) -> None:
    with pytest.raises(InfraError, match=r"gave up: no device\\x1b"):
        fake.run(gave_up("no device\u001b"), then="exit 3")


def test_a_judge_that_is_not_there(fake: Judge) -> None:
    toolchain = dataclasses.replace(fake.toolchain, judge="/nowhere/judge")
    with pytest.raises(InfraError, match="could not be started"):
        judge.run(
            lab.load("diff"), toolchain, "correctness", Workers({"submission": Path("/w")}), seed=7
        )


def test_control_characters_of_a_report_are_escaped(fake: Judge) -> None:
    hostile = message("failure", "\u202e\x9b2 are wrong.", context=[])
    found = fake.run(hostile, FAILED[-1], *END, then="exit 1")
    assert found.cases[0].texts == ["\\u202e\\x9b2 are wrong."]
