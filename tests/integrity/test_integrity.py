"""Every file below this folder gets the verdict that its head names."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from heads import FILES, problem, read
from support import needs_gpu
from tilelab.backends import nvidia
from tilelab.pipeline import submission
from tilelab.pipeline.harness import toolchain
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.records.toolchain import Toolchain


@functools.cache
def prepared(preset: str) -> Toolchain:
    return toolchain.prepare(preset)


def name_of(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


DRAWN = [
    pytest.param(path, marks=pytest.mark.drawn(pool="integrity", count=6), id=name_of(path))
    for path in FILES
]


@pytest.mark.parametrize("path", DRAWN)
def test_a_file_gets_its_verdict_without_a_gpu(path: Path) -> None:
    fixture = read(path)
    if fixture.needs == "gpu":
        pytest.skip("needs an NVIDIA GPU")
    if fixture.needs == "nvcc" and nvidia.nvcc() is None:
        pytest.skip("needs nvcc")
    session = Session([prepared("emulator")], seed=20).of_own_files()
    assert problem(fixture, submission.grade(path, fixture.lab, session)) is None


@needs_gpu
@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_file_gets_its_verdict_on_a_gpu(path: Path) -> None:
    fixture = read(path)
    if fixture.needs == "emulator":
        pytest.skip("shows what it tries only without a GPU")
    session = Session([prepared("emulator"), prepared("cuda")], seed=20)
    assert problem(fixture, submission.grade(path, fixture.lab, session)) is None
