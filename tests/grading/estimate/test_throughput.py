"""The throughput of a multiprocessor."""

from __future__ import annotations

import pytest

from tilelab.estimate import figures, multiprocessor, throughput
from tilelab.estimate.multiprocessor import Capability


def test_the_bundled_figures_are_those_of_their_capability() -> None:
    for one in figures.known():
        found = throughput.of(one.capability)
        assert found is not None
        assert found.figures().items() <= dict(one.values).items(), one.name


@pytest.mark.parametrize(
    ("capability", "fma", "fp64", "l1_kib"),
    [
        ((7, 0), 4, 4, 128),
        ((7, 5), 4, 64, 96),
        ((8, 0), 4, 4, 192),
        ((8, 6), 2, 64, 128),
        ((8, 9), 2, 64, 128),
        ((10, 0), 2, 2, 256),
        ((12, 0), 2, 64, 128),
    ],
)
def test_a_slower_unit_is_busy_for_longer(
    capability: Capability, fma: int, fp64: int, l1_kib: int
) -> None:
    found = throughput.of(capability)
    assert found is not None
    told = found.figures()
    assert (told["fma"], told["fp64"], told["l1_bytes"]) == (fma, fp64, 1024 * l1_kib)


def test_nobody_gets_the_throughput_of_another_capability() -> None:
    assert throughput.of((8, 7)) is None
    assert throughput.of((13, 0)) is None


def test_each_has_limits_and_room_for_shared_memory() -> None:
    for one in throughput.capabilities():
        found, limits = throughput.of(one), multiprocessor.of(one)
        assert found is not None and limits is not None
        assert found.l1_kib * 1024 >= limits.shared_bytes
