"""Which speedup gets which share of the points."""

from __future__ import annotations

import itertools
import math

import pytest

from tilelab.base.errors import InfraError
from tilelab.model.lab import SpeedCurve
from tilelab.model.measurement import Interval, Measurement, Timing
from tilelab.score import scale

PLAIN = SpeedCurve(start=1.05, full=0.9)
LESSON = SpeedCurve(start=1.03, full=0.9, ladder=("02_tile",), half="02_tile")


def measured(**speedups: float) -> Measurement:
    """A measurement of kernels with these speedups over the baseline."""
    timings = {
        name.removeprefix("step_"): Timing(
            ms=1.0, device_ms=1.0, cold_ms=1.0, speedup=Interval(by, by, by)
        )
        for name, by in {"baseline": 1.0, **speedups}.items()
    }
    return Measurement(rounds=9, discarded=0, sm_mhz=1980, clock="judge", timings=timings)


@pytest.mark.parametrize(
    ("speedup", "share"),
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
def test_without_a_step_the_scale_is_one_logarithm(speedup: float, share: float) -> None:
    plain = scale.measured(PLAIN, measured(reference=2.0))
    assert plain.share(speedup) == pytest.approx(share)


@pytest.mark.parametrize("tile", [1.2, 1.5, 1.9])
def test_the_lessons_step_gets_half_of_the_points_or_more(tile: float) -> None:
    found = scale.measured(LESSON, measured(reference=4.0, step_02_tile=tile))
    assert 0.5 <= found.share(0.99 * tile) < 0.65
    assert found.share(0.9 * tile) < 0.5


def test_shares_grow_on_either_side_of_the_lessons_step() -> None:
    found = scale.measured(LESSON, measured(reference=4.0, step_02_tile=1.3))
    shares = [found.share(1 + by / 100) for by in range(300)]
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] == 1
    steps = [after - before for before, after in itertools.pairwise(shares)]
    assert max(steps) < 0.05


@pytest.mark.parametrize("tile", [0.7, 1.0, 1.1])
def test_a_step_that_hardly_gains_leaves_room_for_noise(tile: float) -> None:
    found = scale.measured(LESSON, measured(reference=4.0, step_02_tile=tile))
    assert found.half == pytest.approx(1.1 * 1.03)


@pytest.mark.parametrize("tile", [2.5, 4.0, 9.0])
def test_a_fast_step_does_not_take_points_away(tile: float) -> None:
    found = scale.measured(LESSON, measured(reference=4.0, step_02_tile=tile))
    assert found == scale.measured(SpeedCurve(1.03, 0.9), measured(reference=4.0))


def test_a_slow_reference_is_no_grade() -> None:
    with pytest.raises(InfraError, match=r"only 1\.10 times as fast"):
        scale.measured(PLAIN, measured(reference=1.1))  # 0.9 * 1.1 < 1.05


def test_a_step_that_was_not_timed_is_no_grade() -> None:
    with pytest.raises(InfraError, match="did not time the 02_tile"):
        scale.measured(LESSON, measured(reference=4.0))


def test_the_ladder_has_the_submission_between_the_labs_own_kernels() -> None:
    speed = measured(reference=4.0, step_02_tile=1.5, submission=2.0)
    rungs = scale.ladder(LESSON, scale.measured(LESSON, speed), speed)
    assert [(round(rung.speedup, 2), rung.name) for rung in rungs] == [
        (1.0, "baseline"),
        (1.42, "half of the points"),
        (1.5, "ladder step 02_tile"),
        (2.0, "your kernel"),
        (3.6, "all points"),
        (4.0, "reference solution"),
    ]
    assert [rung.name for rung in rungs if rung.is_own] == ["your kernel"]
