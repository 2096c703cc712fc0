"""The tables of `tilelab profile`."""

from __future__ import annotations

import io

import pytest
from msgspec.structs import replace
from rich.console import Console

from made_profile import counts, launch
from tilelab.model.profile import LineCounts
from tilelab.screens.profile import show_launches

LOADS = counts(
    requests=16, thread_accesses=512, bytes_requested=2048, wavefronts=64, bank_conflicts=48
)


def shown(**merged: int) -> str:
    totals = {"shared_loads": replace(LOADS, **merged)}
    line = LineCounts("a.cu", 7, "x += tile[i];", totals)
    one = launch(shared_bytes=512, totals=totals, lines=(line,))
    output = io.StringIO()
    show_launches(Console(file=output, width=80), [one], None)
    return output.getvalue()


def test_counts_that_depend_on_the_compiler_are_a_range() -> None:
    text = shown(merged_requests=4, merged_wavefronts=16, merged_bank_conflicts=0)
    assert "4 to 16" in row(text, "shared loads: requests")
    assert "16 to 64" in row(text, "shared loads: wavefronts")
    assert "0 to 48" in row(text, "shared loads: bank conflicts")
    assert "0 to 48" in row(text, "x += tile[i];")
    assert "nvcc decides" in text


@pytest.mark.parametrize(
    "merged", [{}, {"merged_requests": 16, "merged_wavefronts": 64, "merged_bank_conflicts": 48}]
)
def test_counts_that_do_not_are_one_number(merged: dict[str, int]) -> None:
    text = shown(**merged)
    assert row(text, "shared loads: requests").endswith(" 16")
    assert " to " not in text
    assert "nvcc" not in text


def test_a_line_with_nothing_to_show_is_left_out() -> None:
    own = LineCounts("functions.h", 134, "TILELAB_ATOMIC(add)", {"local_loads": LOADS})
    line = LineCounts("a.cu", 7, "atomicAdd(o, x);", {"global_atomics": LOADS})
    one = launch(totals={"global_atomics": LOADS, "local_loads": LOADS}, lines=(line, own))
    output = io.StringIO()
    show_launches(Console(file=output, width=120), [one], None)
    assert "functions.h" not in output.getvalue()
    assert "512" in row(output.getvalue(), "atomicAdd(o, x);")


def row(text: str, label: str) -> str:
    (line,) = (line for line in text.splitlines() if label in line)
    return line.rstrip()
