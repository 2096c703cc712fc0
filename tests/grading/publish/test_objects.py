"""The kernels that go along as machine code."""

from __future__ import annotations

import json
import subprocess

import pytest

from support import needs_nvcc
from tilelab.backends import nvidia
from tilelab.labs import lab
from tilelab.pipeline.harness import prebuilt
from tilelab.pipeline.harness.session import Session
from tilelab.publish.objects import OLDEST, objects


@needs_nvcc
def test_the_reference_and_the_steps_become_objects_without_source(emulator: Session) -> None:
    diff = lab.load("diff")
    made = objects(diff, emulator.toolchains[0])
    assert {path.name for path in made} == {"diff.kernels", "02_tile.kernels", "made_by.json"}
    note = json.loads(made.pop(prebuilt.note(diff)))
    assert note["nvcc"] == nvidia.nvcc_version()
    assert "9.0" in note["capabilities"]
    for data in made.values():
        assert data.startswith(b"\x7fELF")
        assert b"_Z4diffPKiPii" in data  # the contract's function
        for trace in (b"diff.cu\0", b"02_tile", b".target sm_", b".debug_line", b"/tmp/"):
            assert trace not in data, trace


def test_without_nvcc_there_are_none(emulator: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvidia, "nvcc", lambda: None)
    assert objects(lab.load("diff"), emulator.toolchains[0]) == {}


def test_a_lab_without_speed_needs_none(emulator: Session) -> None:
    assert objects(lab.load("first_kernel"), emulator.toolchains[0]) == {}


@needs_nvcc
@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.judges(lab=name)) for name in lab.all_labs()]
)
def test_the_oldest_gpu_can_run_what_all_others_are_measured_with(name: str) -> None:
    one = lab.load(name)
    steps = [
        step for criterion in one.criteria if criterion.curve for step in criterion.curve.ladder
    ]
    for path in (one.baseline, one.reference, *map(one.step, steps)):
        words = [str(nvidia.nvcc()), "-std=c++20", "-w", f"-arch=sm_{OLDEST}", "-cubin"]
        words += ["-I", str(one.header.parent), "-o", "/dev/null", str(path)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
