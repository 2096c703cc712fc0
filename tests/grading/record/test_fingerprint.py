"""Which changes of the repository make evidence worthless."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from support import REPO
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.record import fingerprint


@pytest.fixture
def copied(tmp_path: Path) -> Lab:
    """The lab nbody in a repository of its own."""
    for name in ("labs", "solutions", "tests/labs"):
        shutil.copytree(REPO / name / "nbody", tmp_path / name / "nbody")
    return lab.load("nbody", tmp_path)


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("tests/labs/nbody/judge.cpp", True),
        ("labs/nbody/baseline.cu", True),
        ("labs/nbody/nbody.h", True),
        ("solutions/nbody/nbody.cu", True),
        ("solutions/nbody/ladder/03_tile.cu", True),  # it is timed alongside submissions
        ("solutions/nbody/ladder/01_plain.cu", False),
        ("labs/nbody/nbody.cu", False),  # students edit it
        ("labs/nbody/README.md", False),
        ("labs/nbody/lab.toml", False),
    ],
)
def test_the_files_that_count(copied: Lab, path: str, counts: bool) -> None:
    before = fingerprint.of_lab(copied)
    with (copied.repo / path).open("a") as file:
        file.write("\n")
    assert (fingerprint.of_lab(copied) != before) == counts


def test_limits_count_and_points_do_not(copied: Lab) -> None:
    before = fingerprint.of_lab(copied)
    slower = replace(copied, seconds=9.0)
    first, *rest = copied.criteria
    worth_more = replace(first, points=first.points + 1)
    assert fingerprint.of_lab(slower) != before
    assert fingerprint.of_lab(replace(copied, criteria=(worth_more, *rest))) == before
