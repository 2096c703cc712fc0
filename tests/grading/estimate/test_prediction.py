"""The time of a call, and what limits it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tilelab.estimate import prediction, simulation
from tilelab.estimate.figures import Figures
from tilelab.estimate.prediction import Prediction
from tilelab.model import stream
from tilelab.model.simulation import Simulated, Unknown

GPU = Figures(
    "NVIDIA X",
    (9, 0),
    {"dram_read": 4e12, "gigahertz": 2.0, "multiprocessors": 100.0, "dram_latency": 2048.0}
    | {"dram_copy": 3.5e12},
    0.5,
    2.0,
)
LAUNCH = Simulated(
    kernel="k",
    cycles=2e6,
    instructions=1e6,
    resident_blocks=8,
    blocks_per_multiprocessor=80,
    share_simulated=1,
    busy={"issue": 0.1, "l1": 0.1, "l2": 0.1, "atomics": 0.1, "dram": 0.1},
    stalls={"long_scoreboard": 5.0, "wait": 1.0, "barrier": 2.0},
    l2_bytes=5e9,
    dram_bytes=4e9,
    bytes_in_flight=16 * 1024.0,
    unknown_branches=0,
    unlike=0,
    spread=0,
    waited=(),
    blocks=(),
)


def predict(*launches: Simulated) -> Prediction:
    found = prediction.predict(launches, GPU)
    assert isinstance(found, Prediction)
    return found


def test_cycles_become_milliseconds_with_an_interval() -> None:
    one = predict(LAUNCH)
    assert one.milliseconds == pytest.approx(1.0, rel=0.01)
    assert one.least == pytest.approx(one.milliseconds / 2)
    assert one.most == pytest.approx(one.milliseconds * 2)


def test_the_interval_is_wider_where_blocks_do_unequal_work() -> None:
    one, both = predict(replace(LAUNCH, spread=0.2)), predict(LAUNCH, replace(LAUNCH, spread=0.2))
    assert one.most == pytest.approx(one.milliseconds * 2 * 1.2)
    assert one.least == pytest.approx(one.milliseconds / 2 / 1.2)
    assert both.most == pytest.approx(both.milliseconds * 2 * 1.1)


def test_units_rest_while_a_launch_begins_and_ends() -> None:
    assert prediction.busy(LAUNCH, GPU)["dram"] == pytest.approx(0.1, rel=0.01)
    short = replace(LAUNCH, cycles=2000, busy={**LAUNCH.busy, "dram": 0.9})
    assert prediction.busy(short, GPU)["dram"] < 0.6
    assert prediction.limiter(short, GPU).startswith("latency: ")


def test_times_of_launches_add() -> None:
    once, twice = predict(LAUNCH), predict(LAUNCH, LAUNCH)
    assert twice.milliseconds == pytest.approx(2 * once.milliseconds)


def test_the_shortest_launch_takes_microseconds() -> None:
    assert predict(replace(LAUNCH, cycles=1)).milliseconds > 0.003


@pytest.mark.parametrize(
    ("launch", "said"),
    [
        (replace(LAUNCH, unknown_branches=0.5), "depends on what an earlier launch computed"),
        (replace(LAUNCH, unlike=0.5), "changes while it runs"),
        (replace(LAUNCH, spread=1.5), "its blocks do unequal work"),
    ],
)
def test_it_abstains_where_the_simulation_says_too_little(launch: Simulated, said: str) -> None:
    found = prediction.predict([LAUNCH, launch], GPU)
    assert isinstance(found, str)
    assert said in found


def test_a_call_without_launches_has_no_time() -> None:
    assert prediction.predict([], GPU) == "it launches no kernel"


def busy(unit: str) -> Simulated:
    return replace(LAUNCH, busy={**LAUNCH.busy, unit: 0.9})


@pytest.mark.parametrize(
    ("launch", "said"),
    [
        (busy("dram"), "DRAM: it moves 4.0 TB/s, and a copy 3.5"),
        (busy("l2"), "the L2 cache, which works 90% of the time"),
        (busy("l1"), "L1 and shared memory, which work 90% of the time"),
        (busy("issue"), "the schedulers"),
        (
            replace(LAUNCH, busy={**LAUNCH.busy, "atomics": 0.9, "l1": 1.0}),
            "atomics, which take turns 90% of the time",
        ),
        (LAUNCH, "latency: 16 KiB in flight per multiprocessor, 40 needed"),
        (replace(LAUNCH, bytes_in_flight=1e6), "the latency of DRAM"),
        (replace(LAUNCH, dram_bytes=1e9), "the latency of the L2 cache"),
        (replace(LAUNCH, stalls={"long_scoreboard": 1.0, "barrier": 2.0}), "barriers"),
    ],
)
def test_the_limiter_is_the_busiest_unit_or_the_longest_wait(launch: Simulated, said: str) -> None:
    assert said in prediction.limiter(launch, GPU)


def test_the_output_of_the_estimator_is_read() -> None:
    assert simulation.read(stream.text_of([LAUNCH, LAUNCH])) == [LAUNCH, LAUNCH]


def test_the_estimator_says_why_it_abstains() -> None:
    output = stream.text_of([LAUNCH, Unknown("the instruction SYNCS")])
    assert simulation.read(output) == "the instruction SYNCS"


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("usage\n", "the estimator said: usage"),
        ('{"type": "begin", "version": 1}\nestimator: x\n', "the estimator said: estimator: x"),
        ('{"type": "begin", "version": 2}\n', "version 2, and this TileLab reads version 1"),
        ('{"type": "begin", "version": 1}\n{"type": "end"}\n', "cannot be used"),
    ],
)
def test_anything_else_is_an_error(output: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        simulation.read(output)


def test_copies_and_fills_take_time() -> None:
    alone = prediction.predict([LAUNCH], GPU)
    small = prediction.predict([LAUNCH], GPU, [1024])
    large = prediction.predict([LAUNCH], GPU, [7 * 10**9, 35 * 10**8])
    assert isinstance(alone, Prediction)
    assert isinstance(small, Prediction)
    assert isinstance(large, Prediction)
    assert small.milliseconds == pytest.approx(alone.milliseconds + 0.0005)
    assert small.limiter == alone.limiter
    assert large.milliseconds == pytest.approx(alone.milliseconds + 3 + 2 * 0.0005)
    assert large.limiter.startswith("copies and fills")
