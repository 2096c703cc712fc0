"""`tilelab adjust`: points are added by hand, and a wrong number loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from made_grades import keep
from synthetic_class import passed
from tilelab.record.store import Store
from typed import types

pytestmark = pytest.mark.drawn(pool="adjusted points", count=4)


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    (tmp_path / "results").mkdir()
    record = Store(tmp_path / "results")
    keep(record, "amber", passed(1))
    record.close()
    return tmp_path


def added(desk: Path) -> float | None:
    (grade,) = Store.existing(desk / "results").grades()
    return grade.adjustment.points if grade.adjustment else None


@pytest.mark.parametrize(("text", "number"), [("-1.5", -1.5), ("+2", 2), ("0,25", 0.25)])
def test_points_are_added_and_taken_back(desk: Path, text: str, number: float) -> None:
    types(desk, "adjust", "amber/diff", f"--points={text}", "--comment", "as agreed")
    assert added(desk) == number
    assert "nothing" not in types(desk, "adjust", "amber/diff", "--remove")
    assert added(desk) is None
    said = types(desk, "adjust", "amber/diff", "--remove")
    assert said == "amber/diff: nothing was added, so nothing changes\n"


@pytest.mark.parametrize("text", ["nan", "inf", "1e400", "1e3", "9" * 400, "five", "", "1.234"])
def test_what_is_no_number_of_points_changes_nothing(desk: Path, text: str) -> None:
    types(desk, "adjust", "amber/diff", "--points=2", "--comment", "as agreed")
    words = ["adjust", "amber/diff", f"--points={text}", "--comment", "no"]
    said = types(desk, *words, status=2)
    assert said.count("\n") == 1 and "adjust: --points: " in said
    assert added(desk) == 2
