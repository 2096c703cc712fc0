"""The statistics with which estimated times are compared with measured ones."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import pytest

from support import REPO
from tilelab.estimate import figures

sys.path.insert(0, str(REPO / "tests" / "measure" / "estimates"))

import estimates
import limiters
import results
from kernels import CALLS, LADDER_SIZES, MISTAKE_SIZES, kernels
from statistic import quantile, rank_correlation, ranks

PAGE = REPO / "docs" / "results" / "estimates.md"


def row(estimated: float | None, measured: float, **other: str) -> results.Row:
    names = {"lab": "diff", "kernel": "a", "kind": "ladder", "problem": "diff 8", "reason": ""}
    names |= other
    return results.Row(
        names["lab"],
        names["kernel"],
        names["kind"],
        names["problem"],
        measured,
        estimated,
        (),
        limiters.LATENCY,
        names["reason"],
    )


def test_equal_values_share_the_mean_of_their_ranks() -> None:
    assert ranks([3, 1, 2, 1]) == [3, 0.5, 2, 0.5]


def test_a_rank_correlation_sees_only_the_order() -> None:
    assert rank_correlation([1, 2, 3], [10, 20, 4000]) == pytest.approx(1)
    assert rank_correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    # By hand: the squared differences of the ranks are 1, 1, 0 and 0; 1 - 6 * 2 / (4 * 15).
    assert rank_correlation([1, 2, 3, 4], [2, 1, 3, 4]) == pytest.approx(0.8)
    assert math.isnan(rank_correlation([1, 1], [1, 2]))


def test_a_quantile_lies_between_values() -> None:
    assert quantile([4, 1, 3, 2], 0.5) == 2.5
    assert quantile([1, 2], 1) == 2


def test_the_interval_leaves_out_a_share_at_each_end() -> None:
    rows = [row(1000, measured) for measured in range(800, 1801)]
    interval = results.interval(rows)
    assert (interval.least, interval.most) == (pytest.approx(0.835), pytest.approx(1.765))
    held = sum(map(interval.holds, rows))
    assert held == pytest.approx((1 - 2 * results.OUTSIDE) * 1001, abs=2)


def test_pairs_of_steps_that_are_close_have_no_order() -> None:
    # Only a and c, b and c, a and d, and b and d are a tenth apart; d is estimated too low.
    times = {"a": (1.0, 1.0), "b": (0.9, 1.05), "c": (1.3, 1.2), "d": (0.95, 1.21)}
    rows = [row(estimated, it, kernel=name) for name, (estimated, it) in times.items()]
    (ranked,) = results.ranked(rows)
    assert (ranked.pairs, ranked.in_order) == (4, 3)


def test_a_limiter_is_right_if_it_is_the_top_stall_or_a_busy_unit() -> None:
    assert limiters.of_stall("lg_throttle") == limiters.L1
    busy = {"dram": 0.7, "l2": 0.1, "l1": 0.2, "issue": 0.6}
    assert limiters.busy_groups(busy) == {limiters.BANDWIDTH, limiters.ISSUE}
    named = results.Named("diff", "ladder", limiters.LATENCY, frozenset({"x", "y"}), "y")
    assert named.is_right and not named.is_same


def test_functions_from_elsewhere_count_as_kernels() -> None:
    course = [row(1, 1, problem="diff 8"), row(1, 1, problem="diff 16")]
    others = [row(1, 1, kind="elsewhere", problem=f"{name} 8") for name in ("a", "b")]
    assert len({one.file for one in course}) == 1
    assert len({one.file for one in others}) == 2


def test_an_abstention_counts_and_has_no_error() -> None:
    rows = [row(1.1, 1), row(None, 1, kernel="b", reason="why")]
    summary = results.summarize(rows, {"diff": results.Interval(0.9, 1.2)})
    assert summary is not None
    assert (summary.kernels, summary.estimates, summary.abstained) == (2, 1, 1)
    assert summary.error == pytest.approx(0.1) and summary.covered == 1
    assert results.summarize(rows[1:], {}) is None


def test_a_busy_memory_outweighs_what_warps_wait_for() -> None:
    assert limiters.group(0.7, 0.1, "long_scoreboard") == limiters.BANDWIDTH
    assert limiters.group(0.5, 0.1, "long_scoreboard") == limiters.LATENCY
    assert limiters.group(0.5, 0.1, "no_instruction") == limiters.OTHER


def test_every_kernel_has_a_problem_to_solve() -> None:
    assert set(CALLS) == set(LADDER_SIZES) == set(MISTAKE_SIZES)
    for kernel in kernels():
        assert isinstance(kernel.source, Path) and kernel.source.is_file()
        assert kernel.problems()


def test_the_page_is_what_the_results_say() -> None:
    page = estimates.text(estimates.measured())
    assert page == PAGE.read_text(), "run: ./tilelab measure estimates"


def test_the_interval_of_each_gpu_is_that_of_the_page() -> None:
    interval = json.loads((results.RESULTS / "summary.json").read_text())["interval"]
    for one in figures.known():
        assert (one.least, one.most) == (round(interval["least"], 2), round(interval["most"], 2))
