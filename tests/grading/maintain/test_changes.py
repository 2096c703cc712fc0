"""Which files changed, and since which commit."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tilelab.base.errors import UserError
from tilelab.maintain import changes

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

DAY = 24 * 3600
NOW = 1_800_000_000


class Repository:
    """A repository whose commits are made at known times."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.git("init", "-q", "-b", "work")

    def git(self, *words: str, at: int = NOW) -> str:
        date = f"{at} +0000"
        identity = ["-c", "user.name=x", "-c", "user.email=x@uni.edu"]
        return subprocess.run(
            ["git", *identity, *words],
            cwd=self.folder,
            env={
                "PATH": "/usr/bin:/bin:/usr/local/bin",
                "GIT_AUTHOR_DATE": date,
                "GIT_COMMITTER_DATE": date,
                "GIT_CONFIG_NOSYSTEM": "1",
                "HOME": str(self.folder),
            },
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()

    def commit(self, name: str, at: int) -> str:
        """A commit that adds a file of this name. Returns its hash."""
        (self.folder / name).write_text(name)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", name, at=at)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Three commits: two days ago, an hour ago and now."""
    made = Repository(tmp_path)
    for name, ago in (("old", 2 * DAY), ("late", 3600), ("new", 0)):
        made.commit(name, NOW - ago)
    return made


def paths(repository: Repository, base: str) -> tuple[str, ...]:
    return changes.since(base, repository.folder).paths


def test_files_that_no_commit_has_count_too(repository: Repository) -> None:
    (repository.folder / "late").write_text("edited")
    (repository.folder / "two words").touch()
    (repository.folder / ".gitignore").write_text("ignored\n")
    (repository.folder / "ignored").touch()
    assert paths(repository, "HEAD") == (".gitignore", "late", "two words")


def test_both_names_of_a_file_that_moved(repository: Repository) -> None:
    repository.git("mv", "old", "moved")
    assert paths(repository, "HEAD") == ("moved", "old")
    repository.git("commit", "-q", "-m", "move")
    assert paths(repository, "HEAD~1") == ("moved", "old")


def test_a_branch_is_compared_with_where_it_left_main(repository: Repository) -> None:
    repository.git("update-ref", "refs/remotes/origin/main", "HEAD~1")
    assert paths(repository, changes.LANDING) == ("new",)


def test_on_main_it_is_what_was_committed_within_a_day(repository: Repository) -> None:
    assert paths(repository, changes.LANDING) == ("late", "new")
    repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
    assert paths(repository, changes.LANDING) == ("late", "new")


def test_of_a_young_repository_it_is_the_last_commit(tmp_path: Path) -> None:
    young = Repository(tmp_path)
    young.commit("first", NOW - 60)
    assert changes.since(changes.LANDING, tmp_path).base is None
    assert paths(young, changes.LANDING) == ()
    young.commit("second", NOW)
    assert paths(young, changes.LANDING) == ("second",)


def test_a_shallow_clone_has_nothing_to_compare_with(
    repository: Repository, tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    repository.git("clone", "-q", "--depth", "1", f"file://{tmp_path}", str(clone))
    found = changes.since(changes.LANDING, clone)
    assert (found.base, found.paths) == (None, ())
    assert repository.git("rev-parse", "HEAD").startswith(found.head)


@pytest.mark.parametrize("base", ["nowhere", "--help", ""])
def test_what_is_no_commit_is_refused(repository: Repository, base: str) -> None:
    with pytest.raises(UserError, match="git has no such commit"):
        changes.since(base, repository.folder)


def test_without_git_there_are_no_changes(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--changed needs a git repository"):
        changes.since(changes.LANDING, tmp_path)
