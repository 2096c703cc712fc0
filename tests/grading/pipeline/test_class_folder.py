"""The folder of a class, and what was noted when it was collected."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilelab.base.errors import UserError
from tilelab.model.student import Student
from tilelab.pipeline import class_folder
from tilelab.pipeline.class_folder import Collected, Handed


def test_notes_survive(tmp_path: Path) -> None:
    collected = Collected(
        [Student("0042", "Amber Stone", "a@b.org", "0042")],
        [Handed("0042", "diff", "2027-03-01T10:00:00+00:00", "diff (1).cu", 2, 3)],
        known={"0042": {"github": ["octo-cat"]}},
    )
    (tmp_path / "0042").mkdir()
    class_folder.write_notes(tmp_path, collected)
    found = class_folder.read_class(tmp_path)
    assert found.collected == collected and found.notes == []
    class_folder.forget(tmp_path, "0042")
    assert class_folder.read_notes(tmp_path) == Collected()


def test_a_class_that_was_not_collected_has_no_notes(tmp_path: Path) -> None:
    (tmp_path / "amber").mkdir()
    assert class_folder.read_class(tmp_path).collected == Collected()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": 2}', '{"schema": 1, "students": 3}'])
def test_broken_notes_are_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "amber").mkdir()
    (tmp_path / class_folder.NOTES).write_text(text)
    with pytest.raises(UserError, match=r"collected\.json cannot be used .*: remove it"):
        class_folder.read_class(tmp_path)
