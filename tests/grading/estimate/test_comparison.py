"""The statistics with which estimated times are compared with measured ones."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest

from support import REPO

sys.path.insert(0, str(REPO / "tests" / "measure" / "estimates"))

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


def test_nine_in_ten_lie_in_the_interval() -> None:
    rows = [row(100, measured) for measured in range(80, 181)]
    interval = results.interval(rows)
    assert (interval.least, interval.most) == (pytest.approx(0.85), pytest.approx(1.75))
    assert sum(map(interval.holds, rows)) == 91


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
    import write_results

    page = write_results.Page("nvidia_h200").text()
    assert page == PAGE.read_text(), "run: python3 tests/measure/estimates/write_results.py"
