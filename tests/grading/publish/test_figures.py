"""What a reference solution moves, at the sizes that a test can draw."""

from __future__ import annotations

from tilelab.labs import lab
from tilelab.pipeline.harness.session import Session
from tilelab.publish.figures import _counts, figures


def test_figures_spread_over_all_sizes(emulator: Session) -> None:
    text = figures(lab.load("diff"), emulator.toolchains[0], sizes_per_draw=3)
    rows = [line.split() for line in text.splitlines()]
    usual, larger = (90_000, 100_000, 110_000), (1 << 20) + (1 << 20) // 50 // 2
    assert {tuple(row[:4]) for row in rows} == {
        ("diff", str(n), str(n), str(n)) for n in (*usual, larger)
    }
    per_element = {"loads_per_element", "stores_per_element"}
    assert {row[4] for row in rows} == per_element | {
        "sector_excess",
        "bank_conflicts",
        "shared_wavefronts",
    }
    loads = [float(row[5]) for row in rows if row[4] == "loads_per_element"]
    assert all(1 < value < 1.01 for value in loads)


def test_sizes_are_measured_hardly_more_than_once() -> None:
    counts = list(_counts(500))
    assert counts[-1] == 500 and sum(counts) < 1.5 * 500
