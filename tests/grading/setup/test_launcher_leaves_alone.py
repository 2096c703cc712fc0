"""The launcher leaves alone what it did not make, and questions make nothing at all."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from launched import System, files, needs_namespaces
from support import REPO
from tilelab.base.repository import MARKER
from tilelab.base.version import version

pytestmark = pytest.mark.drawn(pool="what the launcher leaves alone", count=2)


@pytest.fixture
def system(tmp_path: Path) -> System:
    system = System(tmp_path)
    system.bare_python()
    return system


def add_own_environment(system: System, log: Path, *, has_note: bool) -> Path:
    """What a student makes by `python3 -m venv .venv`, or an older version of the launcher."""
    own = system.repo / ".venv"
    (own / "bin").mkdir(parents=True)
    (own / "bin" / "python").write_text(f"#!/bin/sh\necho used >>{log}\nexit 1\n")
    (own / "bin" / "python").chmod(0o755)
    (own / "homework.txt").write_text("months of work")
    if has_note:
        (own / "ready").write_text(f"{own}/bin/python\n{own}/bin/python\n1 2\ntest\n")
    return own


@pytest.mark.parametrize("has_note", [False, True])
@pytest.mark.parametrize("command", ["list", "--help", "test"])
def test_the_user_s_environment_stays_and_is_not_used(
    system: System, tmp_path: Path, command: str, has_note: bool
) -> None:
    own = add_own_environment(system, tmp_path / "used", has_note=has_note)
    before = files(own)
    system.run(command, "--nonsense")
    assert files(own) == before
    assert not (tmp_path / "used").exists()


def test_a_folder_that_happens_to_have_our_name_stays(system: System) -> None:
    system.environment.mkdir(parents=True)
    (system.environment / "mine.txt").write_text("mine")
    result = system.run("list")
    assert result.returncode == 3
    assert (
        f"tilelab: TileLab did not make {system.environment}, so it will not touch it. "
        "Move it away, then try again\n"
    ) in result.stderr
    assert files(system.environment) == {"mine.txt": b"mine"}
    system.environment.rename(system.repo / "moved")
    assert system.run("list").returncode == 0


def test_both_parts_of_set_up_have_one_marker() -> None:
    part = (REPO / "grading/tilelab/setup/launcher/python.sh").read_text()
    assert f"marker=$environment/{MARKER}\n" in part


@pytest.mark.parametrize(
    "words", ["--help", "-h", "docs -h", "check diff --help", "lint -h", "--yes --help"]
)
def test_help_makes_and_installs_nothing(system: System, tmp_path: Path, words: str) -> None:
    (system.bin / "ninja").unlink()
    system.script("id", "echo 0")
    system.script("apt-get", f"echo $* >>{tmp_path}/apt")
    before = files(tmp_path)
    result = system.run(*words.split())
    assert (result.returncode, result.stderr) == (0, "")
    assert "Usage: tilelab [--yes] COMMAND ..." in result.stdout
    assert "  check      tests one submission and shows its score." in result.stdout
    assert files(tmp_path) == before


def test_help_is_complete_where_the_packages_are_there(tmp_path: Path) -> None:
    system = System(tmp_path)
    before = files(tmp_path)
    result = system.run("check", "--help")
    assert (result.returncode, result.stderr) == (0, "")
    assert "--backend" in result.stdout
    assert files(tmp_path) == before


def test_help_of_a_program_is_not_ours(system: System) -> None:
    result = system.run("run", "nothing.cu", "--", "--help")
    assert result.returncode == 2
    assert "nothing.cu" in result.stderr
    assert system.ready.exists()


def test_the_tab_key_makes_and_installs_nothing(system: System, tmp_path: Path) -> None:
    before = files(tmp_path)
    for command in ([], ["docs"]):
        result = system.run(*command, env={"_TILELAB_COMPLETE": "complete_bash"})
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert files(tmp_path) == before


def test_the_version_needs_no_python(system: System, tmp_path: Path) -> None:
    (system.bin / "python3").unlink()
    before = files(tmp_path)
    result = system.run("--version")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"tilelab {version()}\n"
    assert files(tmp_path) == before


@needs_namespaces
def test_a_folder_that_cannot_be_written_is_left_for_one_of_the_user(
    system: System, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    # Root, too, cannot write there.
    read_only = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", system.repo, system.repo]
    result = subprocess.run(
        [*read_only, "--", system.repo / "tilelab", "list"],
        env={**system.env, "HOME": str(home)},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    assert f"this repository is not yours to change; using {home}/.cache/tilelab/" in result.stderr
    assert not (system.repo / "build").exists()
