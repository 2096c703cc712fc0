"""Points for test cases and for speedups."""

from __future__ import annotations

import math

import pytest
from msgspec.structs import replace

from tilelab.base.errors import InfraError
from tilelab.model.case import Case, Message
from tilelab.model.lab import Criterion, Lab, SpeedCurve
from tilelab.model.measurement import Interval, Measurement, Peak, Timing
from tilelab.score import scoring

CORRECTNESS = Criterion("correctness", 60)
CURVE = SpeedCurve(start=1.05, full=0.9)
SPEED = Criterion("speed", 40, "gpu", CURVE)
LAB = Lab("diff", "Adjacent difference", (CORRECTNESS, SPEED), hints={"tail": "Round up."})


def failed(name: str, *messages: Message) -> Case:
    return Case(name, False, list(messages))


def cases(good: int, bad: int) -> list[Case]:
    return [Case("good", True, [])] * good + [failed("bad", Message("it failed"))] * bad


@pytest.mark.parametrize(
    ("passed", "failed", "points", "status"),
    [(5, 0, 60, "pass"), (4, 1, 48, "partial"), (1, 2, 20, "partial"), (0, 5, 0, "fail")],
)
def test_points_in_proportion(passed: int, failed: int, points: float, status: str) -> None:
    result = scoring.from_cases(CORRECTNESS, cases(passed, failed), LAB)
    assert (result.points, result.status, result.max) == (points, status, 60)


def test_messages_name_the_test_and_carry_the_hint() -> None:
    case = failed("diff is right", Message("3 are wrong.", "tail"), Message("4 are.", "none"))
    result = scoring.from_cases(CORRECTNESS, [case], LAB)
    assert result.messages == [
        "diff is right: 3 are wrong. Round up.",
        "diff is right: 4 are.",
    ]


@pytest.mark.parametrize(
    ("pattern", "says", "hint", "fits"),
    [
        ("launch_failed", "The grid has no block: a launch needs at least one.", "Count.", True),
        ("launch_failed", "A grid of 3 blocks cannot be divided into clusters.", "Count.", False),
        ("launch_failed", "The blocks of a cooperative launch run at once.", "Count.", False),
        ("launch_failed", "Its blocks need more registers than there are.", "Count.", False),
        ("launch_failed", "A block may have 9 bytes of shared memory.", "Count.", False),
        (
            "launch_failed",
            "A block may have 9 bytes of shared memory.",
            "shared memory",
            True,
        ),
        ("sector_excess", "Most of it comes from a.cu:3 `x = in[2 * i];` (99%).", "Load.", True),
        ("sector_excess", "Most of it comes from a.cu:3 `atomicAdd(p, 1);` (99%).", "Load.", False),
    ],
)
def test_no_hint_contradicts_what_a_message_says(
    pattern: str, says: str, hint: str, fits: bool
) -> None:
    lab = replace(LAB, hints={pattern: hint})
    (said,) = scoring.from_cases(CORRECTNESS, [failed("t", Message(says, pattern))], lab).messages
    assert said == (f"t: {says} {hint}" if fits else f"t: {says}")


@pytest.mark.parametrize("failed_at", range(3))
def test_what_lost_points_is_said_before_what_was_only_noted(failed_at: int) -> None:
    tests = [Case(name, True, [Message("Fine."), Message("Really.")]) for name in "abc"]
    tests[failed_at] = failed("why", Message("Wrong."))
    assert scoring.from_cases(CORRECTNESS, tests, LAB).messages[0] == "why: Wrong."


def test_patterns_are_kept_in_the_order_of_the_failures() -> None:
    first = failed("a", Message("1", "tail"), Message("2", "order"), Message("3"))
    again = failed("b", Message("4", "tail"))
    passed = Case("c", True, [Message("a note", "none")])
    result = scoring.from_cases(CORRECTNESS, [passed, first, again], LAB)
    assert result.patterns == ("tail", "order")


def test_messages_are_few_and_short() -> None:
    case = failed("t", *[Message("x" * 5000)] * 9)
    messages = scoring.from_cases(CORRECTNESS, [case], LAB).messages
    assert len(messages) == 5
    assert max(map(len, messages)) == 600
    assert messages[-1].endswith("(... and 4 more)")


def test_each_test_has_its_say_before_one_says_more() -> None:
    talkative = failed("a", Message("1"), Message("2"), Message("3"))
    brief = failed("b", Message("4"))
    messages = scoring.from_cases(CORRECTNESS, [talkative, brief], LAB).messages
    assert messages == ["a: 1", "b: 4", "a: 2", "a: 3"]


def test_a_failure_without_a_text_is_still_told() -> None:
    assert scoring.from_cases(CORRECTNESS, [failed("t")], LAB).messages == ["t: failed."]


def timing(
    cold: float, warm: float, speedup: Interval, share_of_peak: Interval | None = None
) -> Timing:
    return Timing(
        ms=1.0,
        device_ms=1.0,
        cold_ms=cold,
        warm_ms=warm,
        speedup=speedup,
        share_of_peak=share_of_peak,
    )


def timed(
    *own: float,
    reference: float = 2.0,
    share: float | None = None,
    cold: float = 1.0,
    warm: float = 1.0,
) -> Measurement:
    """A measurement whose submission has this speedup: low, median and high."""
    interval = Interval(*own)
    best = Interval(reference, reference, reference)
    of_peak = None if share is None else Interval(share, share, share)
    return Measurement(
        rounds=9,
        discarded=0,
        sm_mhz=1980,
        clock="judge",
        timings={
            "submission": timing(cold, warm, interval, of_peak),
            "reference": timing(1.5, 1.2, best),
            "baseline": timing(1.2, 1.1, Interval(1.0, 1.0, 1.0)),
        },
        peak=Peak("bytes", 1e9, 0.5),
    )


def test_speed_is_explained() -> None:
    result = scoring.from_speed(SPEED, CURVE, timed(1.398, 1.4, 1.404, share=0.87), ["a note"])
    assert result.status == "partial"
    assert result.points == pytest.approx(
        40 * math.log(1.4 / 1.05) / math.log(1.8 / 1.05), abs=0.01
    )
    assert result.messages == [
        "1.40 times as fast as the baseline (95% interval 1.40 to 1.40). The reference solution "
        "reaches 2.00. Points start at 1.05, half of them are at 1.37 and all at 1.80.",
        "1 ms per launch, 1000 GB/s: 87% of the GPU's peak, measured with its own copy.",
        "a note",
    ]


def test_an_interval_that_leaves_the_points_open_is_no_verdict() -> None:
    result = scoring.from_speed(SPEED, CURVE, timed(1.2, 1.4, 1.6), [])
    assert (result.status, result.points, result.max) == ("not_run", 0, 40)
    assert result.messages == [
        "INCONCLUSIVE: 1.40 times as fast as the baseline (95% interval 1.20 to 1.60), which "
        "would be between 9.91 and 31.26 points. Run it again when nothing else uses the GPU."
    ]


@pytest.mark.parametrize("interval", [(0.5, 0.8, 1.04), (1.9, 2.5, 4.0)])
def test_a_wide_interval_on_one_side_of_the_curve_is_a_verdict(
    interval: tuple[float, float, float],
) -> None:
    result = scoring.from_speed(SPEED, CURVE, timed(*interval), [])
    assert result.status == ("fail" if interval[0] < 1 else "pass")


def test_what_is_faster_than_the_machine_counts_only_when_it_is_released() -> None:
    impossible = timed(1.8, 1.8, 1.8, share=1.1)
    result = scoring.from_speed(SPEED, CURVE, impossible, [])
    assert (result.status, result.points, result.max) == ("review", 0, 40)
    assert result.messages[0].startswith("REVIEW: This counts 0 points until a person has read")
    assert result.messages[2:] == [
        "1 ms per launch, 1000 GB/s: 110% of the GPU's peak, measured with its own copy. "
        "No kernel that does all the work can be that fast."
    ]
    released = scoring.from_speed(SPEED, CURVE, impossible, [], released=True)
    assert (released.status, released.points) == ("pass", 40)


@pytest.mark.parametrize(("cold", "warm"), [(3.2, 1.0), (1.0, 2.6)])
def test_times_that_disagree_are_to_be_reviewed(cold: float, warm: float) -> None:
    result = scoring.from_speed(SPEED, CURVE, timed(1.8, 1.8, 1.8, cold=cold, warm=warm), [])
    assert (result.status, result.points) == ("review", 0)
    assert "which caches do not explain" in result.messages[2]


def test_a_cold_launch_may_take_as_much_longer_as_for_the_labs_own_kernels() -> None:
    agreeing = timed(1.8, 1.8, 1.8, cold=3.0, warm=2.4)
    assert scoring.from_speed(SPEED, CURVE, agreeing, []).status == "pass"


def test_who_was_not_timed_has_no_grade() -> None:
    with pytest.raises(InfraError):
        scoring.from_speed(SPEED, CURVE, replace(timed(1.0, 1.0, 1.0), timings={}), [])


def test_not_run_is_neither_passed_nor_failed() -> None:
    result = scoring.not_run(SPEED, "needs an NVIDIA GPU.")
    assert (result.status, result.points, result.max) == ("not_run", 0, 40)
    assert result.messages == ["NOT RUN: needs an NVIDIA GPU."]
