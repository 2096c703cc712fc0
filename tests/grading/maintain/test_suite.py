"""Tests that did not run never count as passed."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import threading
from collections import Counter
from pathlib import Path

import pytest
from rich.console import Console

import plan
from support import REPO
from tilelab import backends
from tilelab.backends import nvidia
from tilelab.base import repository, system
from tilelab.base.errors import UserError
from tilelab.labs import lab
from tilelab.maintain import presets, pytests, suite
from tilelab.maintain.changes import Changes
from tilelab.maintain.presets import Part
from tilelab.maintain.pytests import Chosen
from tilelab.maintain.totals import Totals, read_junit
from tilelab.pipeline.harness import building
from tilelab.pipeline.harness.steps import Tell
from tilelab.verify import lab_files

# Each collects all tests.
of_lists = pytest.mark.drawn(pool="lists of tests", count=1)

CTEST = """<?xml version="1.0"?>
<testsuite name="x" tests="4" failures="1" disabled="0" skipped="1">
  <testcase name="a" status="run"/>
  <testcase name="b" status="fail"><failure message=""/></testcase>
  <testcase name="c" status="notrun"><skipped message="SKIP_RETURN_CODE=4"/></testcase>
  <testcase name="d" status="run" time="2.5"><system-out>failure</system-out></testcase>
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
    assert (totals.passed, totals.failed, totals.skipped) == (2, 1, 1)
    assert str(totals) == "2 passed, 1 failed, 1 skipped"
    assert said == "failed: b\nskipped: c\n"


def test_what_there_was_no_time_for_is_not_among_the_skipped(tmp_path: Path) -> None:
    skip = f'<skipped message="{plan.LEFT_OUT}: there was no time for the change"/>'
    totals, said = count(tmp_path, CTEST.replace("<skipped", f"{skip}<x", 1))
    assert (totals.skipped, totals.left_out, said) == (0, ("c",), "failed: b\n")
    (name, advice) = totals.omissions()
    assert name == "left out: c"
    assert advice == "THERE WAS NO TIME FOR 1 TESTS. Run them: ./tilelab test --all"
    assert not list(Totals(passed=1).omissions())


def test_the_slowest_of_all_reports_are_named() -> None:
    ctest = Totals(times=tuple((float(n), f"c{n}") for n in range(8)))
    pytests_ = Totals(times=tuple((n + 0.5, f"p{n}") for n in range(8)))
    heading, *lines = (ctest + pytests_).slowest()
    assert heading == "The slowest tests:"
    assert [line.split()[-1] for line in lines] == "p7 c7 p6 c6 p5 c5 p4 c4 p3 c3".split()
    assert lines[0] == "     7.5 s  p7"


@pytest.mark.parametrize("report", [None, "", "<testsuite/>", CTEST[:-20]])
def test_no_report_is_a_failure(tmp_path: Path, report: str | None) -> None:
    totals, said = count(tmp_path, report)
    assert totals == Totals(failed=1)
    assert "the tests of x left no report" in said


def test_a_preset_that_cannot_be_built_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "REPO", tmp_path)
    for module in (building, repository):
        monkeypatch.setattr(module, "BUILD", tmp_path / "build")
    (tmp_path / "build").mkdir()
    console = Console(width=400)
    with console.capture() as capture:
        totals = presets.run(Part(backends.named("emulator")), console)
    assert totals == Totals(failed=1)
    assert "failed: preset emulator: configuring the harness failed" in capture.get()


def test_presets_are_built_at_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = threading.Barrier(2)
    built: list[tuple[str, ...]] = []

    def build(preset: str, *options: str, tell: Tell) -> None:
        both.wait(60)
        built.append((preset, *options))

    monkeypatch.setattr(building, "build", build)
    monkeypatch.setattr(building, "BUILD", tmp_path)
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    monkeypatch.setattr(system, "version", lambda _: "14.0")
    kernels = presets.kernels(backends.named("emulator-clang"))
    presets.build([Part(backends.named("emulator")), kernels], Console())
    assert sorted(built) == [
        ("emulator", "all", "thorough_tests", "--parallel", "3"),
        ("emulator-clang", *kernels.targets, "--parallel", "3"),
    ]


@pytest.mark.parametrize("preset", backends.presets())
def test_a_preset_without_its_compiler_is_skipped_by_name(
    preset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "version", lambda _: None)
    monkeypatch.setattr(nvidia, "nvcc", lambda: None)
    console = Console(width=200)
    with console.capture() as capture:
        totals = presets.run(Part(backends.named(preset)), console)
    assert totals == Totals(skipped=1)
    assert capture.get().startswith(f"skipped: preset {preset} (needs ")


def test_without_a_gpu_there_is_nothing_for_it_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvidia, "gpus", lambda: ())
    with pytest.raises(UserError, match="cuda needs"):
        suite.run_gpu(Console())


@of_lists
def test_each_test_of_the_gpu_runs_once() -> None:
    together, alone = pytests._collect("gpu and not alone"), pytests._collect("gpu and alone")
    assert any("test_a_gpu_agrees_on_what_is_right[amber-diff]" in name for name in together)
    assert any("test_speed_is_graded_on_a_gpu" in name for name in alone)
    assert sorted(together + alone) == sorted(set(pytests._collect("gpu")))


def test_compiled_tests_are_kept_whatever_the_user_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    (tmp_path / "test_it.py").write_text(
        "import sys\ndef test_it(): assert sys.pycache_prefix and not sys.dont_write_bytecode\n"
    )
    console = Console(width=80)
    with console.capture():
        totals = pytests._side_by_side([[str(tmp_path)]], "it", console)
    assert (totals.passed, totals.failed) == (1, 0)
    assert not list(tmp_path.glob("__pycache__"))


def test_several_pytests_are_added_up(tmp_path: Path) -> None:
    for name, verdict in (("one", "True"), ("two", "False")):
        (tmp_path / f"test_{name}.py").write_text(f"def test_it(): assert {verdict}\n")
    parts = [[str(path)] for path in sorted(tmp_path.glob("test_*.py"))]
    console = Console(width=80)
    with console.capture():
        totals = pytests._side_by_side(parts, "two", console)
    assert (totals.passed, totals.failed) == (1, 1)


@of_lists
def test_the_first_tier_has_the_references_and_a_sample_of_every_lab() -> None:
    names = pytests.listing(Chosen(7, ("emulator",))).splitlines()
    for name in lab.all_labs():
        kinds = [
            match[1] for one in names if (match := re.search(rf"\[emulator-{name}-(\w+?)-", one))
        ]
        counted = Counter(kinds)
        assert counted["reference"] == 1 and counted["mistakes"] == 1, (name, counted)
    text = "\n".join(names)
    assert "[emulator-clang-" not in text and "[cuda-" not in text and "test_semester" not in text
    assert re.search(
        r"^Python: \d+ of the first tier, \d+ of the sample\. Not chosen: \d+\.", text, re.M
    )


@of_lists
def test_a_change_adds_the_files_of_its_lab_and_a_tenth_of_the_others() -> None:
    chosen = suite.after(Changes("a", "b", ("solutions/diff/diff.cu",)), 7)
    assert chosen.presets == ("emulator",)
    text = pytests.listing(chosen)
    every = lab_files.checks(lab.load("diff"))
    assert text.count("[emulator-diff-") == len(every)
    others = sum(text.count(f"[emulator-{name}-") for name in lab.all_labs() if name != "diff")
    assert 30 < others < 150
    assert re.search(r"\d+ of the change, \d+ of the rotation\.", text)


@pytest.mark.parametrize(
    ("path", "presets_"),
    [
        ("common/judge/lab.h", ("emulator", "emulator-clang")),
        ("tests/labs/diff/judge.cpp", ("emulator", "emulator-clang")),
        ("CMakeLists.txt", ("emulator", "emulator-clang")),
        ("grading/tilelab/app.py", ("emulator",)),
        ("solutions/diff/diff.cu", ("emulator",)),
    ],
)
def test_a_change_of_cpp_is_compiled_twice(path: str, presets_: tuple[str, ...]) -> None:
    assert suite.after(Changes("a", "b", (path,)), 7).presets == presets_


@pytest.mark.parametrize(
    ("chosen", "parts"),
    [
        (suite.first_tier(7), ["the first tier"]),
        (suite.after(Changes("a", "b", ("docs/run.md",)), 7), ["the first tier"]),
        (suite.after(Changes("a", "b", ("solutions/diff/diff.cu",)), 7), ["all tests"]),
        (
            suite.after(Changes("a", "b", ("common/judge/lab.h",)), 7),
            ["all tests", "the tests of kernels"],
        ),
        (None, ["all tests"] * len(backends.BACKENDS)),
    ],
)
def test_kernels_are_calibrated_where_a_change_matters(
    chosen: Chosen | None, parts: list[str]
) -> None:
    assert [part.what for part in suite._parts(chosen)] == parts


@of_lists
def test_no_change_is_not_no_list() -> None:
    """Without a commit to compare with, a tenth of the others still runs."""
    text = pytests.listing(suite.after(Changes(None, "b", ()), 7))
    assert "of the rotation." in text and "of the change" not in text


@of_lists
def test_after_its_time_only_the_first_tier_and_the_sample_run(tmp_path: Path) -> None:
    chosen = suite.after(Changes("a", "b", ("tests/integrity/honest/new.cu",)), 7)
    report = tmp_path / "report.xml"
    with pytests._options(dataclasses.replace(chosen, seconds=0.0)) as choosing:
        words = (f"--junitxml={report}", *choosing, "-k", "honest", "tests/integrity")
        subprocess.run(pytests.command(*words), cwd=REPO, capture_output=True, check=False)
    totals = read_junit(report, "x", Console(width=200))
    files = len(list((REPO / "tests" / "integrity" / "honest").glob("*.cu")))
    assert (totals.failed, totals.passed + len(totals.left_out)) == (0, files)
    assert 0 < totals.passed < files / 2
