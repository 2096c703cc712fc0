"""Headless Chromium, which shows a page as a person would see it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

PROGRAM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
needs_chromium = pytest.mark.skipif(PROGRAM is None, reason="Chromium is not installed")


def _run(profile: Path, *words: str) -> subprocess.CompletedProcess[str]:
    assert PROGRAM is not None
    return subprocess.run(
        [
            PROGRAM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            f"--user-data-dir={profile}",
            "--virtual-time-budget=3000",
            "--enable-logging=stderr",
            *words,
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )


def show(page: Path, profile: Path, state: str = "", width: int = 1280) -> str:
    """The page's elements after its script has run. Fails if the page complains."""
    address = page.resolve().as_uri() + (f"#{state}" if state else "")
    finished = _run(profile, f"--window-size={width},900", "--dump-dom", address)
    complaints = [line for line in finished.stderr.splitlines() if "CONSOLE" in line]
    assert complaints == []
    return finished.stdout
