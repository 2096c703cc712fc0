"""The criterion speed, with a judge that makes up its times."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from support import unbuilt
from tilelab.backends import nvidia
from tilelab.backends.base import Device
from tilelab.labs import lab
from tilelab.model.case import Case
from tilelab.model.measurement import Interval, Measurement, Timing
from tilelab.pipeline import judge, submission
from tilelab.pipeline.evidence import speed
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.judge import Workers
from tilelab.pipeline.judge.events import Judgment
from tilelab.pipeline.records import toolchain
from tilelab.pipeline.records.stages import Inspected, Worker
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.pipeline.workers import making

SPEED: dict[str, Any] = {"ms": 1, "device_ms": 1, "cold_ms": 1, "warm_ms": 1}


@pytest.fixture
def gpu_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Toolchain, list[Path]]:
    """A toolchain for a GPU that does not exist, and the workers that it was asked to build."""
    monkeypatch.setattr(toolchain, "BUILD", tmp_path)
    (tmp_path / "cuda" / "workers").mkdir(parents=True)
    (tmp_path / "toolchain.json").touch()
    built: list[Path] = []

    def make(_: Inspected, toolchain: Toolchain, work: Path) -> Worker:
        built.append(work)
        program = work / "worker" / "worker"
        program.parent.mkdir()
        program.touch()
        return Worker(toolchain, program, work)

    def run(_lab: object, _tool: object, tag: str, workers: Workers, _seed: int) -> Judgment:
        assert tag == "speed" and set(workers.programs) >= {"baseline", "reference", "submission"}
        faster = {"baseline": 1.0, "reference": 4.0, "submission": 2.0, "02_tile": 0.9}
        timed = {name: Timing(**SPEED, speedup=Interval(by, by, by)) for name, by in faster.items()}
        found = Measurement(rounds=9, discarded=0, sm_mhz=1, clock="judge", timings=timed)
        return Judgment([Case("speed", True, [])], {"speed": found}, [], [], [])

    monkeypatch.setattr(making, "make_one", make)
    monkeypatch.setattr(judge, "run", run)
    monkeypatch.setattr(nvidia, "gpus", lambda: (Device("a", "b", "c"),))
    tool = unbuilt("cuda", tmp_path)
    return dataclasses.replace(tool, dispatch=str(tmp_path / "toolchain.json")), built


def test_a_file_that_is_timed_again_gets_a_grades_points_and_is_built_once(
    gpu_tool: tuple[Toolchain, list[Path]],
) -> None:
    tool, built = gpu_tool
    loaded = lab.load("diff")
    (criterion,) = (one for one in loaded.criteria if one.curve)
    timed = [speed.grade_own(loaded.ladder[2], loaded, tool, seed) for seed in (1, 2, 3)]
    assert len(built) == len(set(built)) == 4, "the file, baseline, reference and 02_tile"
    alone = replace(loaded, criteria=(replace(criterion, after=()),))
    graded = submission.grade(loaded.ladder[2], alone, Session([tool], seed=1))
    assert 0 < graded.criteria[0].points < criterion.points
    for one in timed:
        assert (one.result, one.speedup) == (graded.criteria[0], 2.0)
