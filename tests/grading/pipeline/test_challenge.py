"""The ranking of correct submissions by speed."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from support import SAMPLE_CLASS, needs_gpu, unbuilt
from tilelab.base.errors import SubmissionFailed
from tilelab.labs import lab
from tilelab.model.measurement import Interval, Measurement, Peak, Timing
from tilelab.model.result import CriterionResult, Result, Status
from tilelab.pipeline import challenge, submission
from tilelab.pipeline.challenge import Board
from tilelab.pipeline.harness import toolchain
from tilelab.pipeline.harness.session import Session

TOOL = unbuilt("cuda", Path())


def result(student: str, correctness: Status, speed: Status = "fail") -> Result:
    criteria = [
        CriterionResult("correctness", correctness, 1, 1),
        CriterionResult("speed", speed, 0, 1),
    ]
    return Result(student, "diff", "graded", 1, 2, criteria=criteria)


def measured(share: float) -> Measurement:
    own = Timing(
        ms=1 / share,
        device_ms=1.0,
        cold_ms=1.0,
        warm_ms=1.0,
        speedup=Interval(2 * share, 2 * share, 2 * share),
        share_of_peak=Interval(share, share, share),
    )
    return Measurement(
        rounds=9,
        discarded=0,
        sm_mhz=0,
        clock="judge",
        peak=Peak("bytes", 8e6, 1.0),
        timings={"submission": own},
    )


def board(monkeypatch: pytest.MonkeyPatch, results: list[Result]) -> Board:
    shares = {"ada": 0.5, "ben": 0.9, "cid": 0.7}

    def measure(path: Path, *_: object) -> dict[str, Measurement]:
        if path.parent.name == "eve":
            raise SubmissionFailed("it was wrong while it was timed")
        share = shares[path.parent.name]
        return {"many": measured(share), "few": measured(1 - share)}

    monkeypatch.setattr(challenge, "measure", measure)
    files = {(one.student, one.lab): Path("class", one.student, "diff.cu") for one in results}
    return challenge.rank(results, files, [lab.load("diff")], TOOL, 1, lambda _: None)


def test_the_share_of_the_peak_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    found = board(monkeypatch, [result(name, "pass") for name in ("ada", "ben", "cid")])
    assert [(one.problem, one.student) for one in found.entries] == [
        *(("many", name) for name in ("ben", "cid", "ada")),
        *(("few", name) for name in ("ada", "cid", "ben")),
    ]


def test_only_what_is_right_is_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = Result("fay", "diff", "missing", 0, 2)
    found = board(monkeypatch, [result("ada", "pass"), result("ben", "partial", "pass"), missing])
    assert {one.student for one in found.entries} == {"ada"}
    assert not found.notes


def test_who_fails_while_timed_takes_nobody_along(monkeypatch: pytest.MonkeyPatch) -> None:
    found = board(monkeypatch, [result("eve", "pass"), result("ada", "pass")])
    assert {one.student for one in found.entries} == {"ada"}
    assert found.notes == ["eve/diff.cu: it was wrong while it was timed"]


@needs_gpu
@pytest.mark.alone
def test_a_class_is_ranked_on_a_gpu() -> None:
    tools = [toolchain.prepare("cuda")]
    diff = lab.load("diff")
    # Only right files are ranked; the challenge takes times of its own.
    untimed = tuple(criterion for criterion in diff.criteria if not criterion.curve)
    not_timed = replace(diff, criteria=untimed)
    names = ("amber", "hazel", "ginger")
    results = [
        submission.grade(SAMPLE_CLASS / name / "diff.cu", not_timed, Session(tools, seed=3), name)
        for name in names
    ]
    files = {(name, "diff"): SAMPLE_CLASS / name / "diff.cu" for name in names}
    found = challenge.rank(results, files, [diff], tools[0], 3, lambda _: None)
    assert not found.notes
    assert [one.student for one in found.entries] == ["amber", "hazel"]
    assert found.entries[0].share_of_peak > found.entries[1].share_of_peak


def test_a_lab_without_speed_has_no_challenge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(challenge, "measure", lambda *_: pytest.fail("it was timed"))
    first = lab.load("first_kernel")
    good = replace(result("ada", "pass"), lab=first.name)
    found = challenge.rank(
        [good], {("ada", "diff"): Path("ada", "diff.cu")}, [first], TOOL, 1, lambda _: None
    )
    assert (found.entries, found.notes) == ([], [])
