"""Commands as somebody types them in a folder, and what they say."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from support import REPO

BARE = {"PYTHONPATH": str(REPO / "grading"), "COLUMNS": "300", "PYTHONUTF8": "1"}


def command(*words: str | Path) -> list[str]:
    return [sys.executable, "-P", "-m", "tilelab", *map(str, words)]


def environment(repo: Path = REPO, columns: int = 200, **more: str) -> dict[str, str]:
    """This process's own, with the commands of a repository and this many columns."""
    own = {"PYTHONPATH": str(repo / "grading"), "COLUMNS": str(columns)}
    return {**os.environ, **own, **more}


def run(
    *words: str | Path, given: str = "", cwd: Path = REPO, env: Mapping[str, str] = BARE
) -> subprocess.CompletedProcess[str]:
    """Runs a command, with an environment that has nothing else if there is no other."""
    done = subprocess.run(
        command(*words), cwd=cwd, env=env, input=given, capture_output=True, text=True
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done


def types(desk: Path, *words: str, status: int = 0) -> str:
    return said(run(*words, cwd=desk, env=environment(columns=300)), status)


def said(done: subprocess.CompletedProcess[str], status: int = 0) -> str:
    """All that a command said. It has to end with this status."""
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr
