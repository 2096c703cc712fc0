"""Which files changed since a commit, and which commit to compare with."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.repository import REPO

LANDING = "landing"
"""What a user writes for the commit before the last landing, which is then looked for."""

_SECONDS = 60
# What lands together was committed within a day, where no branch says it.
_TOGETHER = 24 * 3600


@dataclass(frozen=True)
class Changes:
    """The files that differ from the commit `base`, also those that no commit has.

    Without a commit to compare with there is no `base`, and nothing counts as changed.
    """

    base: str | None
    head: str
    paths: tuple[str, ...]


def since(base: str, repo: Path = REPO) -> Changes:
    """What changed since a commit, or since the last landing. Raises UserError for no commit."""
    head = _git(repo, "rev-parse", "--short", "HEAD")
    if head is None:
        raise UserError("--changed needs a git repository with a commit: run all tests by --all")
    found = _before_landing(repo) if base == LANDING else _commit(repo, base)
    if found is None:
        if base == LANDING:
            return Changes(None, head, ())
        raise UserError(f"--changed {base}: git has no such commit; fetch it first")
    listed = [
        _git(repo, "diff", "--name-only", "--no-renames", "-z", found) or "",
        _git(repo, "ls-files", "--others", "--exclude-standard", "-z") or "",
    ]
    names = {name for text in listed for name in text.split("\0") if name}
    return Changes(_commit(repo, found, "--short"), head, tuple(sorted(names)))


def _before_landing(repo: Path) -> str | None:
    """Where this work left the main branch. On the main branch, the last commit a day before."""
    head = _commit(repo, "HEAD")
    parted = _git(repo, "merge-base", "HEAD", "origin/main")
    if parted is not None and parted != head:
        return parted
    written = int(_git(repo, "log", "-1", "--format=%ct") or 0)
    earlier = _git(repo, "rev-list", "-1", f"--before={written - _TOGETHER}", "HEAD")
    return earlier or _commit(repo, "HEAD~1")


def _commit(repo: Path, name: str, *options: str) -> str | None:
    return _git(repo, "rev-parse", "--verify", "--quiet", *options, f"{name}^{{commit}}")


def _git(repo: Path, *words: str) -> str | None:
    """What git prints, None if it fails or is not installed."""
    try:
        done = subprocess.run(
            ["git", "-C", repo, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError:
        return None
    return done.stdout.strip("\n") if done.returncode == 0 else None
