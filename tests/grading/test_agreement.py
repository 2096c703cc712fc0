"""The same file gets the same verdict: from every backend, again, and beside other work."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

import pytest
from conftest import REPO, SAMPLE_CLASS, needs_gpu, unbuilt

from tilelab import build, judge, lab, machine, submission, toolchain
from tilelab.build import Workers
from tilelab.errors import InfraError
from tilelab.judge import Case
from tilelab.records import Result
from tilelab.submission import Session
from tilelab.toolchain import Toolchain

sys.path.insert(0, str(REPO / "tests" / "measure" / "agreement"))
import agreement
from agreement import Grade
from gpu_load import Load, LoadEnded

HANDED_IN = sorted(SAMPLE_CLASS.glob("*/*.cu"))

needs_clang = pytest.mark.skipif(
    machine.version("clang++") is None, reason="clang++ is not installed"
)


def correctness(path: Path, preset: str) -> Result:
    loaded = lab.load(path.stem)
    untimed = tuple(criterion for criterion in loaded.criteria if criterion.needs is None)
    session = Session([toolchain.prepare(preset)], seed=5)
    return submission.grade(path, dataclasses.replace(loaded, criteria=untimed), session)


def name_of(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@needs_clang
@pytest.mark.parametrize("path", HANDED_IN, ids=name_of)
def test_both_compilers_agree_on_every_point(path: Path) -> None:
    by_gcc, by_clang = (correctness(path, preset) for preset in ("emulator", "emulator-clang"))
    assert (by_gcc.verdict, by_gcc.score) == (by_clang.verdict, by_clang.score)


@needs_gpu
@pytest.mark.parametrize("path", HANDED_IN, ids=name_of)
def test_a_gpu_agrees_on_what_is_right(path: Path) -> None:
    # What a wrong file loses may differ: a race need not show on a GPU, and not in every test.
    emulated, real = (correctness(path, preset) for preset in ("emulator", "cuda"))
    assert emulated.verdict == real.verdict
    assert [c.status == "pass" for c in emulated.criteria] == [
        c.status == "pass" for c in real.criteria
    ]


@needs_gpu
@pytest.mark.parametrize("path", HANDED_IN, ids=name_of)
def test_a_gpu_changes_no_score_but_speed(path: Path) -> None:
    loaded = lab.load(path.stem)
    both = Session([toolchain.prepare("emulator"), toolchain.prepare("cuda")], seed=5)
    emulated, real = correctness(path, "emulator"), submission.grade(path, loaded, both)
    assert [c.points for c in emulated.criteria] == [
        c.points
        for c in real.criteria
        if next(known for known in loaded.criteria if known.name == c.name).needs is None
    ]


@needs_gpu
# Steps whose points lie well between none and all.
@pytest.mark.parametrize("name", ["nearest_neighbor", "derivatives"])
def test_speed_gives_the_same_points_again(name: str) -> None:
    loaded = lab.load(name)
    (speed,) = (one for one in loaded.criteria if one.curve)
    alone = dataclasses.replace(loaded, criteria=(dataclasses.replace(speed, after=()),))
    halfway = loaded.ladder[3]
    cuda = Session([toolchain.prepare("cuda")], seed=5)
    (first, second, third) = (submission.grade(halfway, alone, cuda).criteria[0] for _ in range(3))
    assert first.status == second.status == third.status != "not_run"
    earned = [one.points for one in (first, second, third)]
    assert max(earned) - min(earned) <= 0.02 * speed.points, (first, second, third)


@needs_gpu
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
    assert agreement.row_alone(PATH, grades) == (
        "| `labs/diff/baseline.cu` | 2 x partial | 12.00 to 12.30 of 30 | 1.0% "
        "| 1.98 to 2.02 | 2.0% | 25 |"
    )
    grades.append(Grade("inconclusive", 0.0, 30, 2.2, 130))
    assert agreement.row_alone(PATH, grades) == (
        "| `labs/diff/baseline.cu` | 2 x partial, 1 x inconclusive | 12.00 to 12.30 of 30 | 1.0% "
        "| 1.98 to 2.20 | 10.9% | 30 |"
    )
    assert agreement.row_alone(PATH, [Grade("infra_error", 0.0, 30, None, 9)]) == (
        "| `labs/diff/baseline.cu` | 1 x infra_error |  |  |  |  | 9 |"
    )


def test_a_row_beside_a_load_counts_what_is_wrong() -> None:
    grades = [
        Grade("partial", 12.0, 30, 2.0, 20),
        Grade("partial", 14.0, 30, 2.4, 20),
        Grade("inconclusive", 0.0, 30, 1.8, 130),
        Grade("inconclusive", 0.0, 30, 2.1, 130),
    ]
    assert agreement.row_beside(PATH, grades, 12.1) == (
        "| `labs/diff/baseline.cu` | 1 | 2 | 1 | 2 x partial, 2 x inconclusive "
        "| 12.00 to 14.00 of 30 | 1.80 to 2.40 | 75 |"
    )


def test_each_row_is_kept_and_other_labs_stay(tmp_path: Path) -> None:
    page = agreement.Page(tmp_path / "page.md", "on a GPU.")
    page.write("nbody", ["| n |"], [])
    page.write("diff", ["| a |"], [])
    page.write("diff", ["| a |", "| b |"], [])
    page.write("diff", ["| a |", "| b |"], ["| c |"])
    assert page.path.read_text() == (
        f"{agreement.HEAD}\n"
        f"## diff\n\n{agreement.ALONE}| a |\n| b |\n\n{agreement.BESIDE}| c |\n\non a GPU.\n\n"
        f"## nbody\n\n{agreement.ALONE}| n |\n\non a GPU.\n"
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


SPEED = {"ms": 1, "device_ms": 1, "cold_ms": 1}


@pytest.fixture
def gpu_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Toolchain, list[Path]]:
    """A toolchain for a GPU that is not there, and the workers that it was asked to build."""
    (tmp_path / "workers").mkdir()
    (tmp_path / "toolchain.json").touch()
    built: list[Path] = []

    def make(_text: str, _lab: object, _tool: object, work: Path, _how: object) -> Path:
        built.append(work)
        return work / "worker" / "worker"

    def run(_lab: object, _tool: object, tag: str, workers: Workers, _seed: int) -> judge.Verdict:
        assert tag == "speed" and set(workers.programs) >= {"baseline", "reference", "submission"}
        faster = {"baseline": 1.0, "reference": 4.0, "submission": 2.0}
        timed = {name: {**SPEED, "speedup": [by, by, by]} for name, by in faster.items()}
        found = {"rounds": 9, "discarded": 0, "sm_mhz": 1, **timed}
        return judge.Verdict([Case("speed", True, [])], {"speed": found}, "")

    monkeypatch.setattr(build, "make_worker", make)
    monkeypatch.setattr(build, "write_jail", lambda *_: None)
    monkeypatch.setattr(judge, "run", run)
    monkeypatch.setattr(machine, "gpu", lambda: machine.Gpu("a", "b", "c"))
    tool = unbuilt("cuda", tmp_path)
    return dataclasses.replace(tool, dispatch=str(tmp_path / "toolchain.json")), built


def test_a_file_that_is_timed_again_gets_a_grades_points_and_is_built_once(
    gpu_tool: tuple[Toolchain, list[Path]],
) -> None:
    tool, built = gpu_tool
    loaded = lab.load("diff")
    (speed,) = (one for one in loaded.criteria if one.curve)
    timed = [submission.time_own(loaded.ladder[2], loaded, tool, seed) for seed in (1, 2, 3)]
    assert len(built) == len(set(built)) == 3, "the file, the baseline and the reference"
    alone = dataclasses.replace(loaded, criteria=(dataclasses.replace(speed, after=()),))
    graded = submission.grade(loaded.ladder[2], alone, Session([tool], seed=1))
    assert 0 < graded.criteria[0].points < speed.points
    for one in timed:
        assert (one.result, one.speedup) == (graded.criteria[0], 2.0)


def test_a_machine_that_fails_is_no_verdict(
    gpu_tool: tuple[Toolchain, list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> judge.Verdict:
        raise InfraError("no")

    monkeypatch.setattr(judge, "run", fail)
    loaded = lab.load("diff")
    found = agreement.grade(loaded.reference, loaded, gpu_tool[0])
    assert (found.status, found.speedup) == ("infra_error", None)


def test_a_test_passes_only_if_it_passes_everywhere() -> None:
    def cases(*passed: bool, says: str) -> list[Case]:
        return [Case(f"{i}", ok, [] if ok else [says]) for i, ok in enumerate(passed)]

    merged = judge.merge([cases(True, False, False, says="a"), cases(False, True, False, says="b")])
    assert [(case.passed, case.messages) for case in merged] == [
        (False, ["b"]),
        (False, ["a"]),
        (False, ["a"]),
    ]


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Lets a judge find every test failed, and notes what it judged on which backend."""
    calls: list[tuple[str, str]] = []

    def run(_: lab.Lab, tool: toolchain.Toolchain, tag: str, *__: object) -> judge.Verdict:
        calls.append((tag, tool.preset))
        return judge.Verdict([Case("all", False, [])], {}, "")

    monkeypatch.setattr(judge, "run", run)
    return calls


@needs_clang
def test_what_fails_everything_needs_no_second_backend(recorded: list[tuple[str, str]]) -> None:
    tools = [toolchain.prepare(preset) for preset in ("emulator", "emulator-clang")]
    submission.grade(SAMPLE_CLASS / "amber" / "diff.cu", lab.load("diff"), Session(tools, seed=1))
    untimed = [criterion.name for criterion in lab.load("diff").criteria if not criterion.curve]
    assert recorded == [(name, "emulator") for name in untimed]
