"""Reading the judge's times."""

from __future__ import annotations

import copy
import math
from typing import Any

import msgspec
import pytest

from tilelab.base.errors import InfraError
from tilelab.model.measurement import Interval, Measurement, Peak, Work
from tilelab.score import measurement

WORKER = {"ms": 0.5, "device_ms": 0.49, "cold_ms": 0.6, "warm_ms": 0.5, "speedup": [1.5, 1.6, 1.7]}
GOOD: dict[str, Any] = {
    "speed": {
        "rounds": 9,
        "discarded": 1,
        "sm_mhz": 1980,
        "clock": "device",
        "peak": {"of": "bytes", "amount": 2e9, "ms": 0.4},
        "timings": {"submission": {**WORKER, "share_of_peak": [0.7, 0.8, 0.9]}},
    }
}


REFUSED = (InfraError, msgspec.ValidationError)


def read(times: object, problem: str) -> Measurement:
    return measurement.of(msgspec.convert(times, dict[str, Measurement]), problem)


def test_a_measurement_is_read() -> None:
    found = read(GOOD, "speed")
    assert (found.rounds, found.discarded, found.sm_mhz) == (9, 1, 1980)
    assert found.peak == Peak("bytes", 2e9, 0.4)
    own = found.timings["submission"]
    assert (own.ms, own.device_ms, own.cold_ms, own.warm_ms) == (0.5, 0.49, 0.6, 0.5)
    assert found.milliseconds("submission") == 0.49
    assert own.speedup == Interval(1.5, 1.6, 1.7)
    assert own.share_of_peak == Interval(0.7, 0.8, 0.9)


def test_the_peak_may_be_unknown() -> None:
    without = {key: value for key, value in GOOD["speed"].items() if key != "peak"}
    without["timings"] = {"a": WORKER}
    found = read({"speed": without}, "speed")
    assert found.peak is None
    assert found.timings["a"].share_of_peak is None


def test_work_is_read_where_it_was_written() -> None:
    assert read(GOOD, "speed").work is None
    work = {"n": 3, "operations": 6e8, "bytes": 1e9}
    found = read({"speed": {**GOOD["speed"], "work": work}}, "speed")
    assert found.work == Work(3, 6e8, 1e9)
    only_moves = {**GOOD["speed"], "work": {**work, "operations": 0}}
    assert read({"speed": only_moves}, "speed").work == Work(3, 0, 1e9)


@pytest.mark.parametrize(("part", "key"), [("peak", "amount"), ("peak", "ms"), ("work", "bytes")])
def test_amounts_that_cannot_be_are_no_measurement(part: str, key: str) -> None:
    broken = copy.deepcopy(GOOD)
    broken["speed"]["work"] = {"n": 3, "operations": 1, "bytes": 1}
    broken["speed"][part][key] = 0
    with pytest.raises(REFUSED):
        read(broken, "speed")


@pytest.mark.parametrize("bad", [-1, math.nan, math.inf, "many"])
def test_operations_that_cannot_be_are_no_measurement(bad: object) -> None:
    work = {"n": 3, "operations": bad, "bytes": 1}
    with pytest.raises(REFUSED):
        read({"speed": {**GOOD["speed"], "work": work}}, "speed")


@pytest.mark.parametrize(
    ("key", "bad"),
    [
        ("ms", 0),
        ("ms", math.nan),
        ("ms", "fast"),
        ("speedup", [2, 1, 3]),
        ("speedup", [1, 2]),
        ("speedup", None),
        ("share_of_peak", [math.inf] * 3),
    ],
)
def test_times_that_cannot_be_are_no_measurement(key: str, bad: object) -> None:
    broken = copy.deepcopy(GOOD)
    broken["speed"]["timings"]["submission"][key] = bad
    with pytest.raises(REFUSED):
        read(broken, "speed")


def test_what_was_not_measured_cannot_be_read() -> None:
    with pytest.raises(REFUSED):
        read({}, "speed")
