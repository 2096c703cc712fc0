"""Commands as somebody types them in a folder, and what they say."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from support import REPO

_OURS = {"PYTHONPATH": str(REPO / "grading"), "COLUMNS": "300"}
BARE = {**_OURS, "PYTHONUTF8": "1"}


def run(
    *words: str | Path, given: str = "", cwd: Path = REPO, env: Mapping[str, str] = BARE
) -> subprocess.CompletedProcess[str]:
    """Runs a command, with an environment that has nothing else if there is no other."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tilelab", *map(str, words)],
        cwd=cwd,
        env=env,
        input=given,
        capture_output=True,
        text=True,
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done


def types(desk: Path, *words: str, status: int = 0) -> str:
    return said(run(*words, cwd=desk, env={**os.environ, **_OURS}), status)


def said(done: subprocess.CompletedProcess[str], status: int = 0) -> str:
    """All that a command said. It has to end with this status."""
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr
