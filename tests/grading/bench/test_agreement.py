"""The program that measures how far repeated grades agree."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support import REPO, needs_gpu, unbuilt
from tilelab.base.errors import InfraError
from tilelab.labs import lab
from tilelab.pipeline.evidence import speed
from tilelab.pipeline.harness import toolchain

sys.path.insert(0, str(REPO / "tests" / "measure" / "agreement"))
import agreement
from agreement import Grade
from gpu_load import Load, LoadEnded


@needs_gpu
@pytest.mark.alone
def test_a_load_on_the_gpu_makes_no_verdict_wrong() -> None:
    loaded, cuda = lab.load("diff"), toolchain.prepare("cuda")
    (speed,) = (one for one in loaded.criteria if one.curve)
    known = {loaded.reference: speed.points, loaded.baseline: 0.0}
    with Load():
        beside = {path: agreement.grade(path, loaded, cuda) for path in known}
    for path, usual in known.items():
        assert agreement.compared(beside[path], usual) != "wrong", (path.name, beside[path])


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (Grade("partial", 12.0, 30), "same"),
        (Grade("partial", 12.6, 30), "same"),
        (Grade("partial", 12.61, 30), "wrong"),
        (Grade("partial", 11.3, 30), "wrong"),
        (Grade("inconclusive", 0.0, 30), "inconclusive"),
        (Grade("not_run", 0.0, 30), "wrong"),
        (Grade("infra_error", 0.0, 30), "wrong"),
    ],
)
def test_what_counts_as_wrong(one: Grade, expected: str) -> None:
    assert agreement.compared(one, 12.0) == expected


def test_full_points_are_the_same_as_nearly_full_ones() -> None:
    assert agreement.compared(Grade("pass", 30.0, 30), 29.9) == "same"


def test_what_did_not_run_is_not_the_same_as_no_points() -> None:
    assert agreement.compared(Grade("fail", 0.0, 30), 0.0) == "same"
    assert agreement.compared(Grade("infra_error", 0.0, 30), 0.0) == "wrong"


PATH = REPO / "labs" / "diff" / "baseline.cu"


def test_a_row_says_how_far_grades_agree() -> None:
    grades = [Grade("partial", 12.0, 30, 1.98, 20), Grade("partial", 12.3, 30, 2.02, 30)]
    assert agreement.line_alone(agreement.row(PATH, grades)) == (
        "| `labs/diff/baseline.cu` | 2 x partial | 12.00 to 12.30 of 30 | 1.0% "
        "| 1.98 to 2.02 | 2.0% | 25 |"
    )
    grades.append(Grade("inconclusive", 0.0, 30, 2.2, 130))
    assert agreement.line_alone(agreement.row(PATH, grades)) == (
        "| `labs/diff/baseline.cu` | 2 x partial, 1 x inconclusive | 12.00 to 12.30 of 30 | 1.0% "
        "| 1.98 to 2.20 | 10.9% | 30 |"
    )
    assert agreement.line_alone(agreement.row(PATH, [Grade("infra_error", 0.0, 30, None, 9)])) == (
        "| `labs/diff/baseline.cu` | 1 x infra_error |  |  |  |  | 9 |"
    )


def test_a_row_beside_a_load_counts_what_is_wrong() -> None:
    grades = [
        Grade("partial", 12.0, 30, 2.0, 20),
        Grade("partial", 14.0, 30, 2.4, 20),
        Grade("inconclusive", 0.0, 30, 1.8, 130),
        Grade("inconclusive", 0.0, 30, 2.1, 130),
    ]
    assert agreement.line_beside(agreement.row(PATH, grades, 12.1)) == (
        "| `labs/diff/baseline.cu` | 1 | 2 | 1 | 2 x partial, 2 x inconclusive "
        "| 12.00 to 14.00 of 30 | 1.80 to 2.40 | 75 |"
    )


def test_each_row_is_kept_and_other_labs_stay(tmp_path: Path) -> None:
    origin = {"machine": "a GPU", "date": "today"}
    results = agreement.Results(tmp_path / "page.csv", origin)
    n, a, b = (agreement.row(PATH, [Grade("fail", points, 30)]) for points in (1, 2, 3))
    c = agreement.row(PATH, [Grade("pass", 4, 30)] * 2, 5)
    results.write("nbody", [n])
    results.write("diff", [a])
    results.write("diff", [a, b])
    results.write("diff", [a, b, c])
    assert (tmp_path / "page.md").read_text() == (
        f"{agreement.HEAD}\n"
        f"## diff\n\n{agreement.ALONE}{agreement.line_alone(a)}\n{agreement.line_alone(b)}\n\n"
        f"{agreement.BESIDE}{agreement.line_beside(c)}\n\n"
        "1 times each alone, 2 beside a load; a GPU, today.\n\n"
        f"## nbody\n\n{agreement.ALONE}{agreement.line_alone(n)}\n\n"
        "1 times each alone, 0 beside a load; a GPU, today.\n"
    )


def test_agreement_is_measured_with_a_step_of_the_ladder() -> None:
    assert agreement.halfway(lab.load("nbody")).stem == "04_rsqrtf"


def program(folder: Path, text: str) -> Path:
    path = folder / "program"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_a_load_runs_until_the_block_ends(tmp_path: Path) -> None:
    ended = tmp_path / "ended"
    with Load(program(tmp_path, f"echo loading; cat; touch {ended}")) as load:
        load.assert_running()
        assert not ended.exists()
    assert ended.exists()


def test_a_load_that_does_not_begin_is_said(tmp_path: Path) -> None:
    with pytest.raises(LoadEnded, match="did not begin"), Load(program(tmp_path, "exit 1")):
        pytest.fail("it began")


def test_a_load_that_ends_by_itself_is_said(tmp_path: Path) -> None:
    with (
        pytest.raises(LoadEnded, match="with status 3"),
        Load(program(tmp_path, "echo loading; exit 3")) as load,
    ):
        load._process.wait(10)


def test_a_machine_that_fails_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> speed.Timed:
        raise InfraError("no")

    monkeypatch.setattr(speed, "grade_own", fail)
    loaded = lab.load("diff")
    found = agreement.grade(loaded.reference, loaded, unbuilt("cuda", Path()))
    assert (found.status, found.speedup) == ("infra_error", None)
