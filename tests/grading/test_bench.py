"""Measured times: the results file, and the tables made of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tilelab import bench, bench_tables, lab
from tilelab.errors import UserError


def worker(ms: float, share: float) -> dict[str, Any]:
    return {
        "ms": ms,
        "device_ms": ms,
        "cold_ms": 1.1 * ms,
        "speedup": [0.99 / ms, 1 / ms, 1.01 / ms],
        "share_of_floor": [share, share, share],
    }


RESULTS = {
    "diff": {
        "machine": {"gpu": "NVIDIA Thing", "driver": "1.2", "compiler": "nvcc 13"},
        "date": "2026-01-02",
        "problems": {
            "n = 9": {
                "rounds": 9,
                "discarded": 0,
                "sm_mhz": 1980,
                "clock": "device",
                "floor_of": "bytes",
                "floor_ms": 0.25,
                "2_tile": worker(0.8, 0.31),
                "10_last": worker(0.3, 0.83),
                "baseline": worker(1.0, 0.25),
                "reference": worker(0.5, 0.5),
            }
        },
        "peers": {"n = 9": {"other.diff": 0.5}, "besides": {"a": 0.75, "b": 0.5}},
    }
}

TABLE = """\
| n = 9 | time | +- | cold | over baseline | of GPU's own copy |
| --- | ---: | ---: | ---: | ---: | ---: |
| `baseline` | 1.0000 ms | 1.00% | 1.1000 ms | 1.00 | 25.0% |
| `2_tile` | 0.8000 ms | 1.00% | 0.8800 ms | 1.25 | 31.0% |
| `10_last` | 0.3000 ms | 1.00% | 0.3300 ms | 3.33 | 83.0% |
| `reference` | 0.5000 ms | 1.00% | 0.5500 ms | 2.00 | 50.0% |
| other.diff | 0.5000 ms | | | 2.00 | 50.0% |
| *the limit* | 0.2500 ms | | | | 100% |

| besides | time |
| --- | ---: |
| a | 0.7500 ms |
| b | 0.5000 ms |

NVIDIA Thing, driver 1.2, nvcc 13, SM clock up to 1980 MHz, 2026-01-02.
"""


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "nvidia_thing.json"
    path.write_text(json.dumps(RESULTS))
    return path


def test_a_page_shows_the_kernels_in_the_order_of_the_ladder(results: Path) -> None:
    page = bench_tables.page(results)
    assert page.startswith("# Times on an NVIDIA Thing\n")
    assert TABLE in page


def test_a_table_says_whose_clock_it_was(tmp_path: Path) -> None:
    by_judge = json.loads(json.dumps(RESULTS).replace('"device"', '"judge"'))
    by_judge["diff"]["problems"]["n = 9"]["2_tile"]["ms"] = 0.9
    path = tmp_path / "x.json"
    path.write_text(json.dumps(by_judge))
    page = bench_tables.page(path)
    assert "| n = 9 | time, judge's clock | +- |" in page
    assert "| `2_tile` | 0.9000 ms |" in page


def test_a_handouts_block_is_filled(results: Path) -> None:
    text = (
        "before\n<!-- measured: nvidia_thing, diff -->\nformer\n<!-- end of measured -->\nafter\n"
    )
    filled = bench_tables.with_tables(text, results.parent)
    assert filled.startswith("before\n<!-- measured: nvidia_thing, diff -->\n")
    assert filled.endswith("\n<!-- end of measured -->\nafter\n")
    assert TABLE in filled and "former" not in filled
    assert bench_tables.with_tables(filled, results.parent) == filled


@pytest.mark.parametrize("text", ["", "[]", '{"diff": 1}', '{"diff": {}}'])
def test_what_is_no_results_file_is_said(results: Path, text: str) -> None:
    results.write_text(text)
    with pytest.raises(UserError, match="is no results file"):
        bench.load(results)


def test_the_ladder_is_timed_step_by_step() -> None:
    for name in lab.all_labs():
        steps = [path.stem for path in lab.load(name).ladder]
        assert steps and [int(step.partition("_")[0]) for step in steps] == sorted(
            int(step.partition("_")[0]) for step in steps
        )


def test_peers_are_what_a_command_prints_last() -> None:
    assert bench.read_peers("""sh -c 'echo building; echo "{\\"diff\\": {}}"'""") == {"diff": {}}


@pytest.mark.parametrize("command", ["false", "echo no", "true", "/nowhere/at/all"])
def test_peers_that_say_nothing_are_an_error(command: str) -> None:
    with pytest.raises(UserError, match=command):
        bench.read_peers(command)


@pytest.mark.parametrize("path", sorted(bench.RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_committed_pages_say_what_was_measured(path: Path) -> None:
    assert path.with_suffix(".md").read_text() == bench_tables.page(path)


@pytest.mark.parametrize("name", lab.all_labs())
def test_committed_handouts_say_what_was_measured(name: str) -> None:
    text = lab.load(name).handout.read_text()
    assert bench_tables.with_tables(text, bench.RESULTS) == text
