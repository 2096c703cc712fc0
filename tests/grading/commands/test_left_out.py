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
from msgspec.structs import replace

from made_grades import WRONG, failing, keep
from support import REPO, unbuilt
from tilelab.base.errors import UserError
from tilelab.commands import options
from tilelab.commands.instructor.feedback import feedback
from tilelab.commands.instructor.report import report
from tilelab.commands.instructor.similar import similar
from tilelab.commands.student import list as list_command
from tilelab.commands.student.reset import reset
from tilelab.labs import course, lab
from tilelab.model.lab import Lab
from tilelab.pipeline import class_folder
from tilelab.pipeline.class_folder import ClassFolder
from tilelab.pipeline.harness import building
from tilelab.pipeline.harness import session as sessions
from tilelab.record import jobs
from tilelab.record.store import Store


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


def test_files_are_compared_without_a_broken_lab(
    broken: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "amber").mkdir()
    for name in ("diff", "nbody"):
        (tmp_path / "amber" / f"{name}.cu").touch()
    similar(tmp_path)
    assert broken in capsys.readouterr().out


def test_what_a_class_got_is_told_without_a_broken_lab(
    broken: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = Store(tmp_path)
    keep(record, "amber", failing("correctness", WRONG))
    entry = record.entry("amber", "diff")
    assert entry
    # As it was before the lab broke.
    result = replace(entry.grade.result, lab="nbody")
    record.write([dataclasses.replace(entry, grade=replace(entry.grade, result=result))])
    record.close()
    report(tmp_path)
    feedback(tmp_path)
    said = capsys.readouterr().out
    assert said.count("nbody has no tests and no hints here") == 2
    assert said.count("labs/nbody/lab.toml: Invalid statement (at line 3)") == 2
    assert "60 / 70" in (tmp_path / "report" / "index.html").read_text()
    page = (tmp_path / "feedback" / "amber" / "nbody.md").read_text()
    assert "60 / 70" in page and "the test that fails" in page
    assert (tmp_path / "feedback" / "amber" / "diff.md").is_file()


def test_a_course_is_read_and_graded_without_a_broken_lab(broken: str, tmp_path: Path) -> None:
    file = tmp_path / "course.toml"
    file.write_text("[labs.diff.points]\nspeed = 0\n[labs.nbody.points]\nspeed = 0\n")
    the_course = course.load(file)
    assert list(the_course.assignments) == ["diff", "nbody"]
    (tmp_path / "amber").mkdir()
    found = ClassFolder([tmp_path / "amber"], [])
    todo = jobs.of_class(tmp_path, found, the_course, [], [])
    assert [one.name for one in todo] == ["amber/diff"]
    with pytest.raises(UserError, match=r"labs/nbody/lab\.toml: Invalid statement"):
        jobs.of_class(tmp_path, found, the_course, ["nbody"], [])
    file.write_text("[labs.diff.points]\nsped = 0\n")
    with pytest.raises(UserError, match=r"unknown key labs\.diff\.points\.sped"):
        course.load(file)


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
