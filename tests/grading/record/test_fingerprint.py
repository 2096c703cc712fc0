"""Which changes of the repository make evidence worthless."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import pytest

from support import REPO
from tilelab.record import fingerprint
from tilelab.score import lab
from tilelab.score.lab import Lab


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
        ("solutions/nbody/ladder/03_tile.cu", True),  # it is timed beside submissions
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
    slower = dataclasses.replace(copied, seconds=9.0)
    first, *rest = copied.criteria
    worth_more = dataclasses.replace(first, points=first.points + 1)
    assert fingerprint.of_lab(slower) != before
    assert fingerprint.of_lab(dataclasses.replace(copied, criteria=(worth_more, *rest))) == before
