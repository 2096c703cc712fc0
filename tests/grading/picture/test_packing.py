"""What a page holds in few bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import REPO
from tilelab.labs import lab
from tilelab.picture import run
from tilelab.picture.packing import packed
from tilelab.picture.page import page
from tilelab.pipeline.harness.session import Session

_MOST_BYTES = 1_000_000


def unpacked(value: object) -> list[int]:
    if isinstance(value, dict):
        runs = value["runs"]
        return [
            runs[i] + k * runs[i + 1] for i in range(0, len(runs), 3) for k in range(runs[i + 2])
        ]
    assert isinstance(value, list)
    return value


@given(st.lists(st.integers(-1, 99), max_size=40))
def test_packing_loses_nothing(numbers: list[int]) -> None:
    step = packed({"lanes": numbers, "block": 0})
    assert unpacked(step["lanes"]) == numbers
    assert step["block"] == 0


def test_equal_distances_are_one_run() -> None:
    step = packed({"lanes": list(range(32)), "offsets": [4 * i for i in range(32)]})
    assert step == {"lanes": {"runs": [0, 1, 32]}, "offsets": {"runs": [0, 4, 32]}}


def test_values_of_equal_length_are_one_text() -> None:
    assert packed({"values": ["07000000", "08000000"]})["values"] == "0700000008000000"
    assert packed({"values": ["07000000", ""]})["values"] == ["07000000", ""]


@pytest.mark.drawn(pool="sizes of pages", count=1)
@pytest.mark.parametrize("name", ["diff", "derivatives", "matmul", "nbody", "histogram"])
def test_a_page_has_less_than_a_megabyte(name: str, emulator: Session) -> None:
    picture = run.draw(REPO / f"solutions/{name}/{name}.cu", lab.load(name), emulator, None, 4)
    assert len(page(picture, "")) < _MOST_BYTES
