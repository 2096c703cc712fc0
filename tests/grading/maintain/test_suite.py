"""Tests that did not run never count as passed."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

from tilelab import backends
from tilelab.backends import nvidia
from tilelab.base import system
from tilelab.base.errors import UserError
from tilelab.maintain import presets, pytests, suite
from tilelab.maintain.totals import Totals, read_junit

CTEST = """<?xml version="1.0"?>
<testsuite name="x" tests="4" failures="1" disabled="0" skipped="1">
  <testcase name="a" status="run"/>
  <testcase name="b" status="fail"><failure message=""/></testcase>
  <testcase name="c" status="notrun"><skipped message="SKIP_RETURN_CODE=4"/></testcase>
  <testcase name="d" status="run"><system-out>failure</system-out></testcase>
</testsuite>
"""


def count(folder: Path, report: str | None) -> tuple[Totals, str]:
    path = folder / "report.xml"
    if report is not None:
        path.write_text(report)
    console = Console(width=80)
    with console.capture() as capture:
        totals = read_junit(path, "the tests of x", console)
    return totals, capture.get()


def test_each_kind_is_counted_and_named(tmp_path: Path) -> None:
    totals, said = count(tmp_path, CTEST)
    assert totals == Totals(passed=2, failed=1, skipped=1)
    assert str(totals) == "2 passed, 1 failed, 1 skipped"
    assert said == "failed: b\nskipped: c\n"


@pytest.mark.parametrize("report", [None, "", "<testsuite/>", CTEST[:-20]])
def test_no_report_is_a_failure(tmp_path: Path, report: str | None) -> None:
    totals, said = count(tmp_path, report)
    assert totals == Totals(failed=1)
    assert "the tests of x left no report" in said


def test_a_preset_that_cannot_be_built_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presets.building, "REPO", tmp_path)
    for module in (presets, presets.building):
        monkeypatch.setattr(module, "BUILD", tmp_path / "build")
    (tmp_path / "build").mkdir()
    console = Console(width=400)
    with console.capture() as capture:
        totals = presets.run(backends.named("emulator"), console)
    assert totals == Totals(failed=1)
    assert "failed: preset emulator: configuring the harness failed" in capture.get()


@pytest.mark.parametrize("preset", backends.presets())
def test_a_preset_without_its_compiler_is_skipped_by_name(
    preset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "version", lambda _: None)
    monkeypatch.setattr(nvidia, "nvcc", lambda: None)
    console = Console(width=200)
    with console.capture() as capture:
        totals = presets.run(backends.named(preset), console)
    assert totals == Totals(skipped=1)
    assert capture.get().startswith(f"skipped: preset {preset} (needs ")


def test_without_a_gpu_there_is_nothing_for_it_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvidia, "gpus", lambda: ())
    with pytest.raises(UserError, match="cuda needs"):
        suite.run_gpu(Console())


def test_each_test_of_the_gpu_runs_once() -> None:
    together, alone = pytests._collect("gpu and not alone"), pytests._collect("gpu and alone")
    assert any("test_a_gpu_agrees_on_what_is_right[amber-diff]" in name for name in together)
    assert any("test_speed_is_graded_on_a_gpu" in name for name in alone)
    assert sorted(together + alone) == sorted(set(pytests._collect("gpu")))


def test_several_pytests_are_added_up(tmp_path: Path) -> None:
    for name, verdict in (("one", "True"), ("two", "False")):
        (tmp_path / f"test_{name}.py").write_text(f"def test_it(): assert {verdict}\n")
    parts = [[str(path)] for path in sorted(tmp_path.glob("test_*.py"))]
    console = Console(width=80)
    with console.capture():
        totals = pytests._side_by_side(parts, "two", console)
    assert totals == Totals(passed=1, failed=1)
