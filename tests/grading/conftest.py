"""The fixtures that the tests of grading share."""

from __future__ import annotations

import dataclasses
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from chromium import Chromium, chromium
from support import Write
from tilelab.base.errors import InfraError
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.pipeline.harness import toolchain
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.records.toolchain import Toolchain
from tilelab.sandbox import seccomp

# Few tests of the command line are about causes, and a search takes seconds.
os.environ.setdefault("TILELAB_CAUSE", "no")


@pytest.fixture
def diff_lab() -> Lab:
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


def _prepared(preset: str) -> Toolchain:
    try:
        tool = toolchain.prepare(preset)
    except InfraError as error:
        pytest.fail(f"the preset {preset} cannot be built: {error}")
    return dataclasses.replace(tool, filters_calls=seccomp.works(tool.confine))


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    with chromium() as opened:
        yield opened


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """An empty folder without symbolic links in its path."""
    folder = Path(os.path.realpath(tmp_path)) / "work"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder
