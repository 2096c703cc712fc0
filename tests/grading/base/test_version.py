"""One version: that of CMakeLists.txt, or of the wheel that was made from it."""

from __future__ import annotations

import subprocess
from importlib import metadata
from pathlib import Path

import pytest

import typed
from support import REPO
from tilelab.base import version


def test_it_is_that_of_the_project() -> None:
    assert f"project(TileLab VERSION {version.version()} " in (REPO / "CMakeLists.txt").read_text()


def test_the_command_line_and_the_launcher_print_it() -> None:
    for command in (typed.command(), [str(REPO / "tilelab")]):
        words = [*command, "--version"]
        said = subprocess.check_output(words, text=True, env=typed.environment())
        assert said == f"tilelab {version.version()}\n"


def test_without_a_repository_it_is_that_of_the_installed_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(version, "REPO", tmp_path)
    monkeypatch.setattr(metadata, "version", {"tilelab": "7.8.9"}.__getitem__)
    assert version.version() == "7.8.9"
