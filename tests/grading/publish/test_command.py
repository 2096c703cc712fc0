"""What `tilelab publish` refuses, before it measures anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import REPO
from tilelab.base.errors import UserError
from tilelab.commands.instructor.publish import publish


def test_a_folder_with_other_files(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(UserError, match="publish did not write"):
        publish(tmp_path, "diff")


def test_a_folder_in_the_repository() -> None:
    with pytest.raises(UserError, match="inside of this repository"):
        publish(REPO / "students", "diff")
    assert not (REPO / "students").exists()


def test_a_lab_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there is no lab 'dif'"):
        publish(tmp_path / "copy", "dif")
    assert not (tmp_path / "copy").exists()


def test_a_broken_course(tmp_path: Path) -> None:
    course = tmp_path / "course.toml"
    course.write_text("[labs.dif]\n")
    with pytest.raises(UserError, match=r"course\.toml: labs\.dif"):
        publish(tmp_path / "copy", None, course)


def test_a_lab_that_the_course_does_not_have(tmp_path: Path) -> None:
    course = tmp_path / "course.toml"
    course.write_text("[labs.diff]\n")
    with pytest.raises(UserError, match=r"--lab scan: .*course\.toml has no such lab"):
        publish(tmp_path / "copy", "diff,scan", course)
    assert not (tmp_path / "copy").exists()
