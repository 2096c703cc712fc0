"""Inputs with which a right file once lost points."""

from __future__ import annotations

import pytest

from support import REPO
from tilelab.labs import lab
from tilelab.pipeline import submission
from tilelab.pipeline.harness import toolchain
from tilelab.pipeline.harness.session import Session


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        # What was in `out` before the call was a NaN, and the sum of what cancels 0.25 off.
        pytest.param("reduction", 5713221415693846643, marks=pytest.mark.judges(lab="reduction")),
    ],
)
def test_a_right_file_gets_all_points(name: str, seed: int) -> None:
    session = Session([toolchain.prepare("emulator")], seed=seed)
    result = submission.grade(REPO / "solutions" / name / f"{name}.cu", lab.load(name), session)
    assert [one.name for one in result.criteria if one.falls_short] == []
