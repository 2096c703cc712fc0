"""Commands as an instructor types them in a folder, and what they say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from support import REPO


def types(desk: Path, *words: str, status: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tilelab", *words],
        cwd=desk,
        env={**os.environ, "PYTHONPATH": str(REPO / "grading"), "COLUMNS": "300"},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return done.stdout + done.stderr
