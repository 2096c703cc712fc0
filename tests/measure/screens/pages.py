"""The page of `tilelab show` for a kernel of ours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tilelab.base.repository import REPO

_SEED = "1"  # so that a picture shows the same numbers when it is drawn again


def page_of(lab: str, file: str) -> Path:
    """Runs `tilelab show` for a file in solutions/LAB."""
    target = REPO / "build" / "screens" / f"{lab}-{Path(file).stem}.html"
    words = ["show", lab, f"solutions/{lab}/{file}", "--seed", _SEED, "--out", str(target)]
    subprocess.run(
        [sys.executable, "-P", "-m", "tilelab", *words],
        cwd=REPO,
        env={**os.environ, "PYTHONPATH": str(REPO / "grading"), "BROWSER": "", "DISPLAY": ""},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return target
