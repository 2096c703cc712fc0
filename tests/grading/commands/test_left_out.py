"""What commands say where a student cannot edit a lab, and where a lab is broken."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import shlex
import shutil
from pathlib import Path

import pytest
import typer

from support import REPO, unbuilt
from tilelab.base.errors import UserError
from tilelab.commands import options
from tilelab.commands.student import list as list_command
from tilelab.commands.student.reset import reset
from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.pipeline import class_folder
from tilelab.pipeline.harness import building
from tilelab.pipeline.harness import session as sessions


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)


@pytest.mark.usefixtures("read_only")
def test_a_student_who_cannot_edit_the_skeleton_gets_the_command_that_copies_it(
    capsys: pytest.CaptureFixture[str], diff_lab: Lab, tmp_path: Path
) -> None:
    assert options.lab_and_file("diff", None)[1] == diff_lab.skeleton
    said = capsys.readouterr().out
    assert "You cannot edit labs/diff/diff.cu. Work on a copy: cp " in said
    copy, check = said.partition("copy: ")[2].split(" && ")
    _, source, target = shlex.split(copy)
    shutil.copy(source, tmp_path / target)
    assert shlex.split(check) == [str(REPO / "tilelab"), "check", target]
    # A file of one's own needs no such sentence.
    options.lab_and_file("diff", tmp_path / target)
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("read_only")
def test_reset_says_the_same_and_changes_nothing(diff_lab: Lab) -> None:
    before = sorted(diff_lab.skeleton.parent.iterdir())
    with pytest.raises(UserError, match=r"You cannot edit labs/nbody/nbody\.cu\."):
        reset_changed("nbody")
    assert sorted(diff_lab.skeleton.parent.iterdir()) == before


def reset_changed(name: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tilelab.tutor.fresh_start.is_pristine", lambda _: False)
        reset(name)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> str:
    """A course in which the file of one lab cannot be read."""
    really = lab.load

    def load(name: str, repo: Path = REPO) -> Lab:
        if name == "nbody":
            raise UserError("labs/nbody/lab.toml: Invalid statement (at line 3)")
        return really(name, repo)

    monkeypatch.setattr(lab, "load", load)
    return "nbody is left out: labs/nbody/lab.toml: Invalid statement (at line 3)\n"


def test_the_course_goes_on_without_a_broken_lab(
    broken: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILELAB_PROGRESS", str(tmp_path))
    list_command.list()
    said = capsys.readouterr().out
    assert said.endswith(broken)
    assert "diff " in said


def test_a_class_is_graded_without_a_broken_lab(broken: str, tmp_path: Path) -> None:
    for name in ("diff", "nbody"):
        (tmp_path / f"{name}.cu").touch()
    assert class_folder.handed_in([tmp_path]) == ["diff"]


def test_all_that_is_broken_is_named(
    broken: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "errors_of", lambda preset, name: [f"{preset}: error: {name}"])
    tool = dataclasses.replace(unbuilt("emulator", tmp_path), broken=frozenset({"derivatives"}))
    options.name_what_is_broken([tool])
    said = capsys.readouterr().out.splitlines()
    assert said[0] + "\n" == broken
    assert said[1].startswith("the tests of derivatives do not compile, so no file for it ")
    assert said[2] == "  emulator: error: derivatives"


@pytest.mark.parametrize(("asked", "ends"), [(["diff"], True), (["diff", "nbody"], False)])
def test_a_command_ends_if_the_tests_of_none_of_its_labs_compile(
    asked: list[str], ends: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = dataclasses.replace(unbuilt("emulator", tmp_path), broken=frozenset({"diff"}))
    monkeypatch.setattr(sessions, "prepare", lambda *_, **__: [tool])
    monkeypatch.setattr(building, "errors_of", lambda *_: [])
    labs = [lab.load(name) for name in asked]
    with pytest.raises(typer.Exit) if ends else contextlib.nullcontext() as caught:
        options.session("emulator", 1, labs)
    assert caught is None or caught.value.exit_code == 3
