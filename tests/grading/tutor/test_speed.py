"""Which task a right kernel could be made faster with, by what its profile counts."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from made_profile import call as a_call
from made_profile import counts as counts_of
from made_profile import launch as a_launch
from tilelab.estimate import gpus
from tilelab.labs import lab
from tilelab.model.lab import Condition
from tilelab.model.profile import Call, Counts, Launch, Metric
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.profiling.profile import profile_file
from tilelab.tutor import counts, speed
from tilelab.tutor.code import code_of
from tilelab.tutor.counts import METRICS


def sums(bytes_requested: int, thread_accesses: int) -> Counts:
    return counts_of(bytes_requested=bytes_requested, thread_accesses=thread_accesses)


def launch(**totals: Counts) -> Launch:
    """A launch of 4 blocks of 64 threads, of which 2 were observed."""
    return a_launch(block=(32, 2, 1), blocks=4, observed_blocks=2, shared_bytes=1000, totals=totals)


CALLS = [
    a_call(
        "nearest_neighbor(float3[100], int[100], 100)",
        launch(global_loads=sums(2048, 256), shared_loads=sums(0, 2500)),
        launch(global_loads=sums(0, 0), global_stores=sums(0, 250)),
    )
]


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("bytes_per_load", 8, "brings 8 bytes on average"),
        ("bytes_per_thread", 8, "loads 8 bytes in all"),  # 4096 bytes, 512 threads in two launches
        ("tile_loads_per_result", 10, "10 times per result"),
        ("tile_loads_per_pair", 0.5, "0.5 times per pair"),
        ("occupancy", 1, "room for 1 of"),
    ],
)
def test_a_metric_has_a_value_and_a_sentence(name: str, value: float, sentence: str) -> None:
    assert METRICS[name].value(CALLS) == value
    assert sentence in METRICS[name].says(CALLS)


@pytest.mark.parametrize(
    ("block", "shared_bytes", "share"),
    [
        ((1024, 1, 1), 0, 1),
        ((768, 1, 1), 0, 0.75),  # two blocks fit
        ((32, 1, 1), 0, 0.5),  # 32 blocks at most
        ((1, 1, 1), 0, 0.5),  # a warp is always whole
        ((256, 1, 1), 48 * 1024, 0.5),  # four tiles fit
    ],
)
def test_blocks_leave_room_for_a_share_of_the_threads(
    block: tuple[int, int, int], shared_bytes: int, share: float
) -> None:
    one = replace(launch(), block=block, shared_bytes=shared_bytes)
    assert METRICS["occupancy"].value([a_call("f()", launch(), one)]) == share


def test_a_kernel_that_loads_nothing_is_no_trouble() -> None:
    for calls in ([], [a_call("f()")]):
        assert all(metric.value(calls) in (0, 1) for metric in METRICS.values())


REPORTED = [a_call(f"f({n})", metrics={"own": Metric("steps in {}", n)}) for n in (1.5, 2.5, 0.5)]


def test_a_metric_of_the_lab_has_its_largest_value_and_its_own_words() -> None:
    metric = counts.find("own", [*CALLS, *REPORTED])
    assert metric is not None
    assert metric.value(REPORTED) == 2.5
    assert metric.says(REPORTED) == "Your kernel has 2.5 steps in {}."
    assert counts.find("own", CALLS) is None
    assert counts.find("bytes_per_load", REPORTED) is METRICS["bytes_per_load"]


@pytest.mark.parametrize(
    ("when", "calls", "is_of_use"),
    [
        (Condition("bytes_per_load", below=9), CALLS, True),
        (Condition("bytes_per_load", below=8), CALLS, False),
        (Condition("bytes_per_load", above=7), CALLS, True),
        (Condition("bytes_per_load", above=8), CALLS, False),
        (Condition("bytes_per_load", below=9), [], False),
        (Condition("own", above=2), REPORTED, True),
        (Condition("own", above=2.5), REPORTED, False),
        (Condition("own", above=2), CALLS, False),
        (Condition(unless="fast"), [], True),
        (Condition(unless="slow"), CALLS, False),
        (Condition("bytes_per_load", below=9, unless="slow"), CALLS, False),
    ],
)
def test_when_a_task_is_of_use(when: Condition, calls: list[Call], is_of_use: bool) -> None:
    assert speed.is_of_use(when, code_of("slow();"), calls) == is_of_use


@pytest.mark.parametrize("name", lab.all_labs())
def test_the_reference_solution_has_no_use_for_a_task_that_goes_by_code(name: str) -> None:
    the_lab = lab.load(name)
    assert speed.next_task(the_lab, code_of(the_lab.reference.read_text()), []) is None


@pytest.mark.parametrize(
    ("name", "path", "number"),
    [("diff", "ladder/02_tile.cu", 5), ("diff", "diff.cu", None), ("nbody", "nbody.cu", None)],
)
def test_the_counts_of_a_profile_name_the_task(
    emulator: Session, name: str, path: str, number: int | None
) -> None:
    the_lab = lab.load(name)
    file = the_lab.solutions / path
    task = speed.next_task(
        the_lab,
        code_of(file.read_text()),
        profile_file(file, the_lab, emulator, gpus.DEFAULT).calls,
    )
    assert (task.number if task else None) == number
