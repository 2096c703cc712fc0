"""Words for estimated times."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tilelab.model.estimate import EstimatedTime
from tilelab.screens import estimate

ESTIMATE = EstimatedTime(
    gpu="NVIDIA X",
    compared=True,
    problem="64 x 64",
    milliseconds=2.0,
    least=1.5,
    most=2.75,
    baseline_milliseconds=8.0,
    reference_milliseconds=1.6,
    limiters=("latency",),
)


MISSING = EstimatedTime(gpu="NVIDIA X", problem="64 x 64", missing="it launches no kernel")


def said(**changes: Any) -> list[str]:
    return list(estimate.lines(replace(ESTIMATE, **changes)))


def test_a_time_comes_with_its_interval_and_what_it_is_worth() -> None:
    assert said() == [
        "ESTIMATED on an NVIDIA X, for 64 x 64: 2 ms, nine times in ten between 1.5 ms and "
        "2.75 ms; 4 times as fast as the baseline, and the reference solution is 5 times as fast.",
        "Limited by latency.",
    ]


def test_a_copy_without_solutions_compares_with_the_baseline() -> None:
    assert said(reference_milliseconds=None)[0].endswith("4 times as fast as the baseline.")


def test_a_gain_of_thousands_is_written_out() -> None:
    (first, _) = said(baseline_milliseconds=3664.0)
    assert "1,800 times as fast as the baseline" in first
    assert "the reference solution is 2,300 times as fast" in first


def test_each_call_has_its_limiter() -> None:
    assert said(limiters=("barriers", "DRAM"))[1:] == [
        "Call 1: limited by barriers.",
        "Call 2: limited by DRAM.",
    ]


def test_a_gpu_that_nobody_compared_is_told() -> None:
    assert said(compared=False)[-1] == (
        "Estimates were compared with an H100 and an H200 only, not with this GPU."
    )


def test_without_an_estimate_the_reason_is_given() -> None:
    assert list(estimate.lines(MISSING)) == [
        "No time can be estimated on an NVIDIA X, for 64 x 64: it launches no kernel."
    ]


def test_nothing_is_said_where_nothing_was_tried() -> None:
    assert list(estimate.lines(None)) == []


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (0.00345, "3.45 µs"),
        (0.1234, "123 µs"),
        (0.9999, "1,000 µs"),
        (12.34, "12.3 ms"),
        (1234.5, "1,230 ms"),
    ],
)
def test_times_have_three_digits(milliseconds: float, text: str) -> None:
    assert estimate.time(milliseconds) == text


def test_a_hint_says_only_what_limits() -> None:
    assert list(estimate.limits(ESTIMATE)) == [
        "",
        "On an NVIDIA X, it would be limited by latency.",
    ]
    assert list(estimate.limits(MISSING)) == []
    assert list(estimate.limits(None)) == []
