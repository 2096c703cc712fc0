"""Which files belong to the repository, with and without git."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tilelab.publish import tree

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    for name in (
        "tilelab",
        "labs/diff/diff.cu",
        "labs/diff/diff.backup-1.cu",
        "labs/new/new.cu",
        "build/emulator/judge",
        "docs/build/page.md",
        "grading/__pycache__/a.pyc",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    ignored = "/build/\n__pycache__/\n/labs/*/*.backup-*.cu\n"
    (tmp_path / ".gitignore").write_text(ignored)
    return tmp_path


EXPECTED = [".gitignore", "docs/build/page.md", "labs/diff/diff.cu", "labs/new/new.cu", "tilelab"]


def test_without_git_ignored_files_are_left_out(repo: Path) -> None:
    assert [str(path) for path in tree.files(repo)] == EXPECTED


@needs_git
def test_git_lists_new_files_and_no_ignored_or_deleted_ones(repo: Path) -> None:
    subprocess.run(["git", "init", "-q", repo], check=True)
    (repo / "deleted").touch()
    subprocess.run(["git", "-C", repo, "add", "tilelab", "deleted"], check=True)
    (repo / "deleted").unlink()
    assert [str(path) for path in tree.files(repo)] == EXPECTED


@needs_git
def test_a_copy_in_a_repository_that_ignores_it_is_listed_without_git(repo: Path) -> None:
    outer = repo / "outer"
    copy = outer / "copy"
    shutil.copytree(repo, copy, ignore=shutil.ignore_patterns("outer"))
    subprocess.run(["git", "init", "-q", outer], check=True)
    (outer / ".gitignore").write_text("copy\n")
    assert [str(path) for path in tree.files(copy)] == EXPECTED
