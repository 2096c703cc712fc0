"""Points for an estimated speedup."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tilelab.model.case import Case, Message
from tilelab.model.estimate import EstimatedTime
from tilelab.model.evidence import CriterionEvidence, Evidence
from tilelab.model.lab import Criterion, Lab, SpeedCurve
from tilelab.model.measurement import Interval, Measurement, Timing
from tilelab.model.result import CriterionResult
from tilelab.score import results, scoring

CURVE = SpeedCurve(1.03, 0.9, ("02_tile",), "02_tile")
CORRECTNESS = Criterion("correctness", 60)
SPEED = Criterion("speed", 40, "gpu", CURVE, ("correctness",), estimated=True)
LAB = Lab("diff", "Adjacent difference", (CORRECTNESS, SPEED))
WHY = "needs an NVIDIA GPU (this machine has none)."
RIGHT = CriterionEvidence((Case("right", True, []),))
WRONG = CriterionEvidence((Case("wrong", False, [Message("it failed")]),))


def estimate(speedup: float, **changes: Any) -> EstimatedTime:
    """What is estimated for a file that is this many times as fast as the baseline."""
    found = EstimatedTime(
        gpu="NVIDIA X",
        milliseconds=8 / speedup,
        baseline_milliseconds=8.0,
        reference_milliseconds=2.0,
        ladder_milliseconds={"02_tile": 4.0},
    )
    return replace(found, **changes)


def estimated(speedup: float, **changes: Any) -> CriterionResult:
    return scoring.from_estimate(SPEED, CURVE, estimate(speedup, **changes), WHY)


def measured(speedup: float) -> CriterionResult:
    by_name = {"baseline": 1.0, "02_tile": 2.0, "reference": 4.0, "submission": speedup}
    timings = {
        name: Timing(ms=8 / by, device_ms=8 / by, cold_ms=8 / by, speedup=Interval(by, by, by))
        for name, by in by_name.items()
    }
    run = Measurement(rounds=9, discarded=0, sm_mhz=1980, clock="judge", timings=timings)
    return scoring.from_speed(SPEED, CURVE, run, [])


@pytest.mark.parametrize("speedup", [0.5, 1, 1.1, 1.5, 2, 3, 3.6, 4, 9])
def test_an_estimate_gets_the_points_of_the_same_measurement(speedup: float) -> None:
    found = estimated(speedup)
    assert found.points == measured(speedup).points
    assert found.status == "estimated"


def test_a_time_that_no_kernel_can_reach_waits_for_a_person() -> None:
    found = estimated(9, roof_milliseconds=1.0)  # 8 / 9 ms
    assert (found.status, found.points) == ("review", 0)
    assert "do not do all the work" in found.messages[-1]
    assert estimated(9, roof_milliseconds=0.9).status == "estimated"
    beyond = estimate(9, roof_milliseconds=1.0)
    released = scoring.from_estimate(SPEED, CURVE, beyond, WHY, released=True)
    assert (released.status, released.points) == ("estimated", 40)


def test_it_says_that_nothing_was_measured() -> None:
    (message,) = estimated(2).messages
    assert message.startswith("ESTIMATED on an NVIDIA X, not measured: 2.00 times as fast")
    assert message.endswith("A GPU's verdict replaces these points.")
    assert estimated(2).title == "speed (ESTIMATED)"


def test_a_slow_kernel_falls_short_and_has_the_pattern_of_one() -> None:
    assert estimated(2).falls_short and estimated(2).patterns == (scoring.SLOW,)
    assert not estimated(4).falls_short and not estimated(4).patterns


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"missing": "it launches no kernel"}, "No time can be estimated: it launches no kernel."),
        ({"reference_milliseconds": None}, "have no estimated time to compare with"),
        ({"baseline_milliseconds": None}, "have no estimated time to compare with"),
        ({"ladder_milliseconds": {}}, "have no estimated time to compare with"),
        ({"reference_milliseconds": 7.9}, "hardly faster than the baseline"),
    ],
)
def test_without_an_estimate_nothing_is_lost_or_earned(changes: dict[str, Any], said: str) -> None:
    found = estimated(4, **changes)
    assert (found.status, found.points) == ("not_run", 0)
    assert found.messages[0].startswith(f"NOT RUN: {WHY}") and said in found.messages[0]


def row(correctness: CriterionEvidence, speed: CriterionEvidence, lab: Lab = LAB) -> Any:
    tested = {"correctness": correctness, "speed": speed}
    return results.of(Evidence("graded", tested=tested), lab).criteria[1]


def test_the_lab_has_to_ask_for_it() -> None:
    found = CriterionEvidence(not_run=WHY, estimate=estimate(4))
    assert row(RIGHT, found).status == "estimated"
    unasked = replace(SPEED, estimated=False)
    plain = replace(LAB, criteria=(CORRECTNESS, unasked))
    assert row(RIGHT, found, plain).status == "not_run"


def test_a_wrong_result_gets_no_points_for_its_estimate() -> None:
    found = row(WRONG, CriterionEvidence(not_run=WHY, estimate=estimate(4)))
    assert (found.status, found.points) == ("fail", 0)


def test_what_was_measured_counts_beside_an_estimate() -> None:
    timings = {
        name: Timing(ms=1, device_ms=1, cold_ms=1, speedup=Interval(by, by, by))
        for name, by in {"baseline": 1, "02_tile": 2, "reference": 4, "submission": 2}.items()
    }
    times = Measurement(rounds=9, discarded=0, sm_mhz=1, clock="judge", timings=timings)
    case = (Case("fast", True, []),)
    found = row(RIGHT, CriterionEvidence(case, {"speed": times}, estimate=estimate(4)))
    assert (found.status, found.points) == ("partial", measured(2).points)
