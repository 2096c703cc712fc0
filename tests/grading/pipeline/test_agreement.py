"""A file gets the same verdict from every backend, a second time, and on a busy machine."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
from msgspec.structs import replace

from support import SAMPLE_CLASS, needs_gpu
from tilelab.base import system
from tilelab.labs import lab
from tilelab.model.case import Case
from tilelab.model.lab import Lab
from tilelab.model.result import Result
from tilelab.pipeline import judge, submission
from tilelab.pipeline.harness import toolchain
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.judge.events import Judgment
from tilelab.pipeline.records.toolchain import Toolchain

HANDED_IN = sorted(SAMPLE_CLASS.glob("*/*.cu"))

needs_clang = pytest.mark.skipif(
    system.version("clang++") is None, reason="clang++ is not installed"
)


@functools.cache
def correctness(path: Path, preset: str) -> Result:
    """What one backend says of the criteria that all backends judge."""
    loaded = lab.load(path.stem)
    untimed = tuple(criterion for criterion in loaded.criteria if criterion.needs is None)
    session = Session([toolchain.prepare(preset)], seed=5)
    return submission.grade(path, replace(loaded, criteria=untimed), session)


CLANG = pytest.mark.preset(name="emulator-clang")


def name_of(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@needs_clang
@CLANG
@pytest.mark.parametrize("path", HANDED_IN, ids=name_of)
def test_both_compilers_agree_on_every_point(path: Path) -> None:
    by_gcc, by_clang = (correctness(path, preset) for preset in ("emulator", "emulator-clang"))
    assert (by_gcc.verdict, by_gcc.score) == (by_clang.verdict, by_clang.score)


@needs_gpu
@pytest.mark.parametrize("path", HANDED_IN, ids=name_of)
def test_a_gpu_agrees_on_what_is_right(path: Path) -> None:
    # A wrong file may lose different tests: a data race need not show on a GPU, nor in every test.
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
@pytest.mark.alone
# Ladder steps that get neither no points nor all points.
@pytest.mark.parametrize("name", ["nearest_neighbor", "derivatives"])
def test_speed_gives_the_same_points_again(name: str) -> None:
    loaded = lab.load(name)
    (speed,) = (one for one in loaded.criteria if one.curve)
    alone = replace(loaded, criteria=(replace(speed, after=()),))
    halfway = loaded.ladder[3]
    cuda = Session([toolchain.prepare("cuda")], seed=5)
    (first, second, third) = (submission.grade(halfway, alone, cuda).criteria[0] for _ in range(3))
    assert first.status == second.status == third.status != "not_run"
    earned = [one.points for one in (first, second, third)]
    assert max(earned) - min(earned) <= 0.02 * speed.points, (first, second, third)


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Lets a judge find every test failed, and notes what it judged on which backend."""
    calls: list[tuple[str, str]] = []

    def run(_: Lab, tool: Toolchain, tag: str, *__: object, **___: object) -> Judgment:
        calls.append((tag, tool.preset))
        return Judgment([Case("all", False, [])], {}, [], [], [])

    monkeypatch.setattr(judge, "run", run)
    return calls


@needs_clang
@CLANG
def test_what_fails_everything_needs_no_second_backend(recorded: list[tuple[str, str]]) -> None:
    tools = [toolchain.prepare(preset) for preset in ("emulator", "emulator-clang")]
    submission.grade(SAMPLE_CLASS / "amber" / "diff.cu", lab.load("diff"), Session(tools, seed=1))
    untimed = [criterion.name for criterion in lab.load("diff").criteria if not criterion.curve]
    assert recorded == [(name, "emulator") for name in untimed]
