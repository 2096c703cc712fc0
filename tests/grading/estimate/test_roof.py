"""The least time that the calls of a lab take."""

from __future__ import annotations

import pytest

from tilelab.estimate import figures, roof
from tilelab.labs import lab
from tilelab.model.lab import Estimate

GPU = figures.usual()
assert GPU is not None
RATE = max(GPU.values["dram_read"], GPU.values["dram_copy"])


def test_memory_moves_all_arrays_of_all_calls() -> None:
    calls = ("f(bits(400000000), zeros(100000000), 7)", "f(fractions(500000000), 7)")
    assert roof.milliseconds(Estimate("p", calls), GPU) == pytest.approx(1e12 / RATE)


def test_what_the_l2_cache_holds_moves_at_its_rate() -> None:
    found = roof.milliseconds(Estimate("p", ("f(bits(1000000))",)), GPU)
    assert found == pytest.approx(1e9 / GPU.values["l2_bytes_per_second"])


def test_arithmetic_may_take_longer() -> None:
    # An H200 does 128 instructions per cycle in each of 132 multiprocessors.
    asked = Estimate("p", ("f(bits(4))",), instructions=132 * 128 * 1.98e9)
    assert roof.milliseconds(asked, GPU) == pytest.approx(1000)


@pytest.mark.parametrize("name", ["matmul", "nbody", "nearest_neighbor"])
def test_labs_that_compute_say_how_much(name: str) -> None:
    asked = lab.load(name).estimate
    assert asked is not None and asked.instructions > 1e8
