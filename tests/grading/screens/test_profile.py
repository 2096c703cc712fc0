"""The tables of `tilelab profile`."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from tilelab.screens.profile import show_launches

LOADS = {
    "requests": 16,
    "thread_accesses": 512,
    "bytes_requested": 2048,
    "sectors": 0,
    "wavefronts": 64,
    "bank_conflicts": 48,
}


def shown(**merged: int) -> str:
    counts = {"shared_loads": {**LOADS, **merged}}
    launch: dict[str, Any] = {
        "kernel": "kernel",
        "grid": [1, 1, 1],
        "block": [32, 1, 1],
        "launches": 1,
        "shared_bytes": 512,
        "blocks": 1,
        "observed_blocks": 1,
        "hardware": None,
        "totals": counts,
        "lines": [{"file": "a.cu", "line": 7, "text": "x += tile[i];", "counts": counts}],
    }
    output = io.StringIO()
    show_launches(Console(file=output, width=80), [launch], None)
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


def row(text: str, label: str) -> str:
    (line,) = (line for line in text.splitlines() if label in line)
    return line.rstrip()
