"""What the tests of grading share."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]
SAMPLE_CLASS = REPO / "grading" / "sample_class"
sys.path.insert(0, str(REPO / "grading"))

from tilelab.backends import machine  # noqa: E402
from tilelab.base.errors import InfraError  # noqa: E402
from tilelab.pipeline import toolchain  # noqa: E402
from tilelab.pipeline.submission import Session  # noqa: E402
from tilelab.sandbox import jail  # noqa: E402
from tilelab.score import lab  # noqa: E402

needs_bubblewrap = pytest.mark.skipif(
    jail.bubblewrap() is None, reason="bubblewrap is absent or cannot make namespaces here"
)
needs_nvcc = pytest.mark.skipif(machine.nvcc() is None, reason="nvcc is not installed")
needs_gpu = pytest.mark.skipif(
    machine.gpu() is None or machine.nvcc() is None, reason="needs an NVIDIA GPU and nvcc"
)

Write = Callable[[str], Path]


@pytest.fixture
def diff_lab() -> lab.Lab:
    return lab.load("diff")


@pytest.fixture
def cu(tmp_path: Path) -> Write:
    """Writes a text to diff.cu."""

    def write(text: str) -> Path:
        path = tmp_path / "diff.cu"
        path.write_text(text)
        return path

    return write


@pytest.fixture(scope="session")
def emulator() -> Session:
    """The harness on the CPU, with a seed that is the same in each run of the tests."""
    return Session([_prepared("emulator")], seed=20240229)


@pytest.fixture(scope="session")
def cuda() -> Session:
    return Session([_prepared("cuda")], seed=20240229)


def unbuilt(preset: str, folder: Path) -> toolchain.Toolchain:
    """A toolchain of which nothing is there, for what only asks where it would be."""
    return toolchain.Toolchain(
        preset=preset,
        folder=folder,
        backend=preset,
        compiler="",
        fast=toolchain.Build("fast", [], []),
        checked=None,
        dispatch="",
        judge=str(folder / "judge"),
        confine=folder / "confine",
        control=folder / "control",
        read_only=[],
    )


def _prepared(preset: str) -> toolchain.Toolchain:
    try:
        return toolchain.prepare(preset)
    except InfraError as error:
        pytest.fail(f"the preset {preset} cannot be built: {error}")


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """An empty folder without symbolic links in its path."""
    folder = Path(os.path.realpath(tmp_path)) / "work"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder
