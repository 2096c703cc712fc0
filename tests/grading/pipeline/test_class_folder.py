"""The folder of a class, and what was noted when it was collected."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from tilelab.base.errors import UserError
from tilelab.collect import writing
from tilelab.model.student import Student
from tilelab.pipeline import class_folder
from tilelab.pipeline.class_folder import Collected, Handed
from tilelab.record import store


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


def test_a_folder_with_a_record_is_no_student_s(tmp_path: Path) -> None:
    for name in ("amber", "results"):
        (tmp_path / name).mkdir()
    (tmp_path / "results" / store.NAME).touch()
    found = class_folder.read_class(tmp_path)
    assert [one.name for one in found.students] == ["amber"] == writing.folders_in(tmp_path)
    assert found.notes == ["ignored results: it holds record.sqlite"]


def test_a_folder_that_cannot_be_entered_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "amber").mkdir()

    def locked(name: str, really: Any) -> None:
        def asked(path: Any, *args: Any, **more: Any) -> Any:
            below = os.fspath(path).endswith(("/amber/record.sqlite", "/amber"))
            if below and (name == "listdir" or "record" in os.fspath(path)):
                raise PermissionError(errno.EACCES, "Permission denied", os.fspath(path))
            return really(path, *args, **more)

        monkeypatch.setattr(os, name, asked)

    locked("stat", os.stat)
    locked("listdir", os.listdir)
    with pytest.raises(UserError, match=r"amber: Permission denied$"):
        class_folder.read_class(tmp_path)


def test_what_is_ignored_in_students_folders_is_named(tmp_path: Path) -> None:
    for name in ("amber/Diff.cu", "basil/diff (1).cu", "basil/diff.cu", "basil/.DS_Store"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (line,) = class_folder.read_class(tmp_path).notes
    assert line == "ignored amber/Diff.cu, basil/diff (1).cu: only <lab>.cu counts"
    for number in range(20):
        (tmp_path / "amber" / f"{number}.txt").touch()
    (line,) = class_folder.read_class(tmp_path).notes
    assert line.endswith(" and 2 more: only <lab>.cu counts")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": 2}', '{"schema": 1, "students": 3}'])
def test_broken_notes_are_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "amber").mkdir()
    (tmp_path / class_folder.NOTES).write_text(text)
    with pytest.raises(UserError, match=r"collected\.json cannot be used .*: remove it"):
        class_folder.read_class(tmp_path)
