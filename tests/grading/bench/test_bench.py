"""Measured times: the results file, and the tables and plots made of it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from support import PRESENTED_LABS, unbuilt
from tilelab import backends
from tilelab.backends import nvidia
from tilelab.base.errors import UserError
from tilelab.bench import gains, kernels, peers, plots, results_file, roofline, scaling, tables
from tilelab.bench.results_file import Results
from tilelab.bench.roofline import Column, Roofs
from tilelab.commands.maintainer import bench
from tilelab.labs import lab
from tilelab.model.measurement import Measurement
from tilelab.pipeline import judge
from tilelab.pipeline.judge import Workers
from tilelab.pipeline.judge.events import Judgment
from tilelab.pipeline.workers import own


def worker(ms: float, share: float) -> dict[str, Any]:
    return {
        "ms": ms,
        "device_ms": ms,
        "cold_ms": 1.1 * ms,
        "warm_ms": ms,
        "speedup": [0.99 / ms, 1 / ms, 1.01 / ms],
        "share_of_peak": [share, share, share],
    }


RESULTS: dict[str, Any] = {
    "diff": {
        "machine": {"gpu": "NVIDIA Thing", "driver": "1.2", "compiler": "nvcc 13"},
        "date": "2026-01-02",
        "problems": {
            "n = 9": {
                "rounds": 9,
                "discarded": 0,
                "sm_mhz": 1980,
                "clock": "device",
                "peak": {"of": "bytes", "amount": 1e9, "ms": 0.25},
                "timings": {
                    "2_tile": worker(0.8, 0.31),
                    "10_last": worker(0.3, 0.83),
                    "baseline": worker(1.0, 0.25),
                    "reference": worker(0.5, 0.5),
                },
            }
        },
        "peers": {"n = 9": {"other.diff": 0.5}, "besides": {"a": 0.75, "b": 0.5}},
    }
}


def with_amounts() -> dict[str, Any]:
    """The same, with what plots need: two peaks of bytes, one of instructions, and three sizes."""
    labs: dict[str, Any] = json.loads(json.dumps(RESULTS))
    problems = labs["diff"]["problems"]
    work = {"n": 10**9, "operations": 1e9, "bytes": 8e9}
    by_bytes = {**problems["n = 9"], "work": work}
    peak = by_bytes["peak"]
    labs["diff"]["problems"] = {
        "n = 9": by_bytes,
        "slower": {**by_bytes, "peak": {**peak, "ms": 0.5}},
        "no work": {**problems["n = 9"], "peak": {**peak, "amount": 9e9}},
    }
    by_instructions = {
        **by_bytes,
        "peak": {**peak, "of": "instructions"},
        "work": {**work, "operations": 6e10, "bytes": 2e7},
    }
    labs["far"] = {**labs["diff"], "problems": {"pairs": by_instructions}, "scaling": {}}
    for n in (100, 10, 1000):
        timings = {"baseline": worker(n / 10, 1), "10_last": worker(n / 20, 1)}
        one = {**by_bytes, "work": {**work, "n": n}, "timings": {**by_bytes["timings"], **timings}}
        labs["far"]["scaling"][f"n = {n}"] = one
    return labs


NOTHING = Measurement(rounds=9, discarded=0, sm_mhz=1980, clock="device", timings={})


def read(labs: dict[str, Any]) -> Results:
    return msgspec.convert(labs, Results)


TABLE = """\
| n = 9 | time | +- | cold | over baseline | of GPU's own copy |
| --- | ---: | ---: | ---: | ---: | ---: |
| `baseline` | 1.0000 ms | 1.00% | 1.1000 ms | 1.00 | 25.0% |
| `2_tile` | 0.8000 ms | 1.00% | 0.8800 ms | 1.25 | 31.0% |
| `10_last` | 0.3000 ms | 1.00% | 0.3300 ms | 3.33 | 83.0% |
| `reference` | 0.5000 ms | 1.00% | 0.5500 ms | 2.00 | 50.0% |
| other.diff | 0.5000 ms | | | 2.00 | 50.0% |
| *the peak* | 0.2500 ms | | | | 100% |

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
    page = tables.page(results)
    assert page.startswith("# Times on an NVIDIA Thing\n")
    assert TABLE in page


def test_a_table_says_whose_clock_it_was(tmp_path: Path) -> None:
    by_judge = json.loads(json.dumps(RESULTS).replace('"device"', '"judge"'))
    by_judge["diff"]["problems"]["n = 9"]["timings"]["2_tile"]["ms"] = 0.9
    path = tmp_path / "x.json"
    path.write_text(json.dumps(by_judge))
    page = tables.page(path)
    assert "| n = 9 | time, judge's clock | +- |" in page
    assert "| `2_tile` | 0.9000 ms |" in page


def test_a_page_shows_the_plots_that_are_there(results: Path) -> None:
    assert ".svg" not in tables.page(results)
    names = ["roofline.svg", "diff.svg", "diff_n.svg"]
    folder = results.with_suffix("")
    folder.mkdir()
    for name in names:
        (folder / name).touch()
    page = tables.page(results)
    assert re.findall(r"!\[.+\]\((.+)\)", page) == [f"nvidia_thing/{name}" for name in names]
    assert TABLE in page


def test_times_against_n_are_in_no_table(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(with_amounts()))
    page = tables.page(path)
    assert "| pairs | time |" in page and "n = 100" not in page


def test_roofs_are_the_best_that_the_controls_did() -> None:
    # 1e9 in 0.25 ms, and two operations per multiply-add; what has no work is not looked at.
    assert roofline.roofs(read(with_amounts())) == Roofs(4e12, 8e12)
    assert roofline.roofs(read(RESULTS)) == Roofs(None, None)


def test_a_roof_is_of_bytes_up_to_the_ridge_and_then_of_operations() -> None:
    both = Roofs(4e12, 8e12)
    assert [both.at(x) for x in (0.5, 2, 100)] == [2e12, 8e12, 8e12]
    assert Roofs(4e12, None).at(100) == 4e14
    assert Roofs(None, 8e12).at(0.5) == 8e12


def test_a_roofline_has_the_ends_of_a_ladder_and_its_fastest_step() -> None:
    found = roofline.columns(read(with_amounts()))
    assert [(one.lab, one.title) for one in found] == [
        ("diff", "n = 9"),
        ("diff", "slower"),
        ("far", "pairs"),
    ]
    rates: dict[str, Any] = {
        "baseline": 1e12,
        "reference": 2e12,
        "fastest step": pytest.approx(1e12 / 0.3),
    }
    assert found[0] == Column("diff", "n = 9", 0.125, rates)
    assert found[2].intensity == 3000


def test_a_roofline_leaves_out_what_only_moves_data() -> None:
    labs = with_amounts()
    labs["far"]["problems"]["pairs"]["work"]["operations"] = 0
    assert {one.lab for one in roofline.columns(read(labs))} == {"diff"}


def test_time_against_n_is_a_line_per_kernel_by_n() -> None:
    found = scaling.lines(read(with_amounts())["far"])
    assert set(found) == {"baseline", "2_tile", "10_last", "reference"}
    assert found["baseline"] == [(10, 1.0), (100, 10.0), (1000, 100.0)]
    assert found["10_last"] == [(10, 0.5), (100, 5.0), (1000, 50.0)]
    assert scaling.lines(read(RESULTS)["diff"]) == {}


def test_plots_are_drawn_of_what_was_measured(results: Path) -> None:
    pytest.importorskip("matplotlib")

    def written() -> list[str]:
        return [path.name for path in plots.write(results) if path.stat().st_size]

    assert written() == ["diff.svg"]
    results.write_text(json.dumps(with_amounts()))
    names = ["roofline.svg", "diff.svg", "far.svg"]
    assert written() == [*names, "far_n.svg"]
    before = {name: (results.with_suffix("") / name).read_bytes() for name in names}
    assert written() == [*names, "far_n.svg"]
    assert before == {name: (results.with_suffix("") / name).read_bytes() for name in names}


@pytest.fixture
def timed(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """The kernels that the judge is asked to time, by the tag of its test."""
    ran: dict[str, list[str]] = {}

    def own_worker(path: Path, *_: object) -> Path:
        return path

    def run(_: object, __: object, tag: str, workers: Workers, ___: int) -> Judgment:
        ran[tag] = list(workers.programs)
        return Judgment([], {tag: NOTHING}, [], [], [])

    monkeypatch.setattr(own, "own_worker", own_worker)
    monkeypatch.setattr(judge, "run", run)
    return ran


def test_against_n_the_ends_of_the_ladder_are_timed(timed: dict[str, list[str]]) -> None:
    one = lab.load("nearest_neighbor")
    assert list(kernels._time(one, unbuilt("cuda", Path("no")), 1)) == [
        ("problems", {"bench": NOTHING}),
        ("problems", {"challenge, challenge": NOTHING}),
        ("scaling", {"scaling": NOTHING}),
    ]
    assert timed["scaling"] == ["baseline", "reference", one.ladder[-1].stem]
    steps = [path.stem for path in one.ladder]
    assert timed["bench"] == ["baseline", "reference", *steps, "peaks"]


@pytest.mark.parametrize(("gpus", "last"), [(["8.6", "9.0"], "10_registers"), (["9.0"], "11_long")])
def test_steps_for_newer_gpus_are_not_timed(
    gpus: list[str], last: str, timed: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nvidia, "capabilities", lambda: gpus)
    list(kernels._time(lab.load("pipeline"), unbuilt("cuda", Path("no")), 1))
    assert timed["bench"][-2].startswith(last)
    assert timed["scaling"][-1] == timed["bench"][-2]


def test_a_lab_without_speed_has_nothing_to_time() -> None:
    timed = [one.name for one in bench.timed(None)]
    assert "diff" in timed and "first_kernel" not in timed
    assert [one.name for one in bench.timed(["nbody", "nbody"])] == ["nbody"]
    with pytest.raises(UserError, match="first_kernel has no criterion of speed"):
        bench.timed(["first_kernel"])


def test_a_handouts_block_is_filled(results: Path) -> None:
    text = (
        "before\n<!-- measured: nvidia_thing, diff -->\nformer\n<!-- end of measured -->\nafter\n"
    )
    filled = tables.with_tables(text, results.parent)
    assert filled.startswith("before\n<!-- measured: nvidia_thing, diff -->\n")
    assert filled.endswith("\n<!-- end of measured -->\nafter\n")
    assert TABLE in filled and "former" not in filled
    assert tables.with_tables(filled, results.parent) == filled


def test_the_tables_of_all_pages_of_a_lab_are_written(results: Path, tmp_path: Path) -> None:
    folder = tmp_path / "labs" / "diff"
    folder.mkdir(parents=True)
    block = "<!-- measured: nvidia_thing, diff -->\n<!-- end of measured -->\n"
    for name, text in (("README.md", "# A\n"), ("FURTHER.md", f"# B\n{block}")):
        (folder / name).write_text(text)
    assert tables.write(results, tmp_path) == [
        results.with_suffix(".md"),
        folder / "FURTHER.md",
    ]
    assert TABLE in (folder / "FURTHER.md").read_text()
    assert (folder / "README.md").read_text() == "# A\n"


def test_a_block_stays_as_it_is_until_its_lab_is_measured(results: Path) -> None:
    text = "<!-- measured: nvidia_thing, nbody -->\nformer\n<!-- end of measured -->\n"
    assert tables.with_tables(text, results.parent) == text


def test_a_lab_may_have_others_times_only(results: Path) -> None:
    found = json.loads(results.read_text())
    found["diff"] |= {"problems": {}, "peers": {"x": {"somebody": 0.25}}}
    results.write_text(json.dumps(found))
    page = tables.page(results)
    assert "| x | time |" in page and "| somebody | 0.2500 ms |" in page
    assert "SM clock" not in page


@pytest.mark.parametrize(
    "text", ["", "[]", '{"diff": 1}', '{"diff": {}}', '{"diff": {"problems": {}, "scaling": []}}']
)
def test_what_is_no_results_file_is_said(results: Path, text: str) -> None:
    results.write_text(text)
    with pytest.raises(UserError, match="is not a results file"):
        results_file.load(results)


def test_the_ladder_is_timed_step_by_step() -> None:
    for name in PRESENTED_LABS:
        steps = [path.stem for path in lab.load(name).ladder]
        assert steps and [int(step.partition("_")[0]) for step in steps] == sorted(
            int(step.partition("_")[0]) for step in steps
        )


def test_peers_are_what_a_command_prints_last() -> None:
    command = """sh -c 'echo building; echo "{\\"diff\\": {}}"'"""
    assert peers.read(command, os.environ) == {"diff": {}}


def test_peers_count_gpus_as_the_workers_do() -> None:
    command = """sh -c 'echo "{\\"$CUDA_DEVICE_ORDER\\": {}}"'"""
    found = peers.read(command, backends.named("cuda").environment())
    assert found == {"PCI_BUS_ID": {}}


@pytest.mark.parametrize("command", ["false", "echo no", "true", "/nowhere/at/all", 'echo "'])
def test_peers_that_say_nothing_are_an_error(command: str) -> None:
    with pytest.raises(UserError, match=command):
        peers.read(command, os.environ)


@pytest.mark.parametrize(
    "path", sorted(results_file.RESULTS.glob("*.json")), ids=lambda path: path.stem
)
def test_committed_pages_say_what_was_measured(path: Path) -> None:
    assert path.with_suffix(".md").read_text() == tables.page(path)


@pytest.mark.parametrize("name", PRESENTED_LABS)
def test_committed_handouts_say_what_was_measured(name: str) -> None:
    text = lab.load(name).handout.read_text()
    assert tables.with_tables(text, results_file.RESULTS) == text


def test_the_course_page_says_what_each_lesson_gains(tmp_path: Path) -> None:
    path = tmp_path / "docs" / "results" / "nvidia_thing.json"
    path.parent.mkdir(parents=True)
    timed = json.loads(
        json.dumps(RESULTS).replace('"2_tile"', f'"{gains.lesson(lab.load("diff"))}"')
    )
    path.write_text(json.dumps(timed))
    course = tmp_path / "docs" / "course.md"
    course.write_text("# A\n<!-- gains: nvidia_thing -->\nold\n<!-- end of gains -->\nend\n")
    assert course in tables.write(path, tmp_path)
    text = course.read_text()
    assert "| `diff` | n = 9 | 1.25 | 2.00 | 50.0% |" in text
    assert "old" not in text and text.startswith("# A\n") and text.endswith("-->\nend\n")


def test_a_gain_of_hundreds_has_no_decimals() -> None:
    one = lab.load("diff")
    timings = {gains.lesson(one): worker(0.0008, 0.31), "reference": worker(0.5, 0.5)}
    problem = {**RESULTS["diff"]["problems"]["n = 9"], "timings": timings}
    table = gains.table(read({"diff": {**RESULTS["diff"], "problems": {"n = 9": problem}}}))
    assert table.endswith("| `diff` | n = 9 | 1,250 | 2.00 | 50.0% |")
