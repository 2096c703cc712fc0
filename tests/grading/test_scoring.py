"""Points: from test cases, from speed-ups."""

from __future__ import annotations

import math

import pytest

from tilelab import scoring
from tilelab.errors import InfraError
from tilelab.judge import Case
from tilelab.lab import Criterion, Lab, SpeedCurve

CORRECTNESS = Criterion("correctness", 60)
CURVE = SpeedCurve(start=1.05, full=0.9)
SPEED = Criterion("speed", 40, True, CURVE)
LAB = Lab("diff", "Adjacent difference", (CORRECTNESS, SPEED), hints={"tail": "Round up."})


def cases(passed: int, failed: int) -> list[Case]:
    return [Case("good", True, [])] * passed + [Case("bad", False, ["it failed"])] * failed


@pytest.mark.parametrize(
    ("passed", "failed", "points", "status"),
    [(5, 0, 60, "pass"), (4, 1, 48, "partial"), (1, 2, 20, "partial"), (0, 5, 0, "fail")],
)
def test_points_in_proportion(passed: int, failed: int, points: float, status: str) -> None:
    result = scoring.from_cases(CORRECTNESS, cases(passed, failed), LAB)
    assert (result.points, result.status, result.max) == (points, status, 60)


def test_messages_name_the_test_and_carry_the_hint() -> None:
    case = Case("diff is right", False, ["3 are wrong. [pattern: tail]", "4 are. [pattern: none]"])
    result = scoring.from_cases(CORRECTNESS, [case], LAB)
    assert result.messages == [
        "diff is right: 3 are wrong. Round up.",
        "diff is right: 4 are.",
    ]


def test_patterns_are_kept_in_the_order_of_the_failures() -> None:
    failed = Case("a", False, ["1 [pattern: tail]", "2 [pattern: order]", "3"])
    again = Case("b", False, ["4 [pattern: tail]"])
    passed = Case("c", True, ["a note [pattern: none]"])
    result = scoring.from_cases(CORRECTNESS, [passed, failed, again], LAB)
    assert result.patterns == ("tail", "order")


def test_messages_are_few_and_short() -> None:
    case = Case("t", False, ["x" * 5000] * 9)
    messages = scoring.from_cases(CORRECTNESS, [case], LAB).messages
    assert len(messages) == 5
    assert max(map(len, messages)) == 600
    assert messages[-1].endswith("(... and 4 more)")


def test_each_test_has_its_say_before_one_says_more() -> None:
    talkative, brief = Case("a", False, ["1", "2", "3"]), Case("b", False, ["4"])
    messages = scoring.from_cases(CORRECTNESS, [talkative, brief], LAB).messages
    assert messages == ["a: 1", "b: 4", "a: 2", "a: 3"]


def test_a_failure_without_a_text_is_still_told() -> None:
    assert scoring.from_cases(CORRECTNESS, [Case("t", False, [])], LAB).messages == ["t: failed."]


@pytest.mark.parametrize(
    ("speedup", "fraction"),
    [
        (0.001, 0),
        (1, 0),
        (1.05, 0),
        (math.sqrt(1.05 * 1.8), 0.5),
        (1.8, 1),
        (2, 1),
        (1e9, 1),
    ],
)
def test_the_curve_is_logarithmic(speedup: float, fraction: float) -> None:
    assert scoring.speed_fraction(speedup, 2.0, CURVE) == pytest.approx(fraction)


@pytest.mark.parametrize("bad", [0, -1, math.nan, math.inf])
def test_times_that_cannot_be_are_no_grade(bad: float) -> None:
    with pytest.raises(InfraError):
        scoring.speed_fraction(bad, 2, CURVE)
    with pytest.raises(InfraError):
        scoring.speed_fraction(2, bad, CURVE)


def test_a_slow_reference_is_no_grade() -> None:
    with pytest.raises(InfraError, match=r"only 1\.10 times as fast"):
        scoring.speed_fraction(2, 1.1, CURVE)  # 0.9 * 1.1 < 1.05


def test_speed_is_explained() -> None:
    metrics = {"criterion": "speed", "speedup": 1.4, "reference_speedup": 2.0}
    result = scoring.from_speed(SPEED, CURVE, metrics, ["a note"])
    assert result.status == "partial"
    assert result.points == pytest.approx(
        40 * math.log(1.4 / 1.05) / math.log(1.8 / 1.05), abs=0.01
    )
    assert result.messages == [
        "1.40 times as fast as the baseline; the reference solution: 2.00. Points begin at 1.05 "
        "and are full at 1.80.",
        "a note",
    ]


@pytest.mark.parametrize(
    "metrics", [{}, {"speedup": 2.0}, {"speedup": "2", "reference_speedup": 2}]
)
def test_a_missing_measurement_is_no_grade(metrics: dict[str, float | str]) -> None:
    with pytest.raises(InfraError):
        scoring.from_speed(SPEED, CURVE, metrics, [])


def test_not_run_is_neither_passed_nor_failed() -> None:
    result = scoring.not_run(SPEED, "needs an NVIDIA GPU.")
    assert (result.status, result.points, result.max) == ("not_run", 0, 40)
    assert result.messages == ["NOT RUN: needs an NVIDIA GPU."]
