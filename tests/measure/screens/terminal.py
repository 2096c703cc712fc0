"""What commands show in a terminal; for `tilelab watch`, tmux keeps one of 80 x 24."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import terminal_picture
from tilelab.base.repository import REPO

_PICTURE = REPO / "docs" / "screens" / "watch.svg"
_MISTAKE = REPO / "solutions" / "diff" / "mistakes" / "missing_barrier.cu"
_COLUMNS, _LINES = 80, 24
_SECONDS = 300  # for a verdict, where the harness has to be built first


def draw_check() -> None:
    with tempfile.TemporaryDirectory() as name:
        shutil.copyfile(_MISTAKE, Path(name, "diff.cu"))
        words = ("check", "diff", "diff.cu", "--seed", "7")
        terminal_picture.draw(REPO / "docs" / "check.svg", _COLUMNS, Path(name), *words)


def draw_grade() -> None:
    terminal_picture.draw(REPO / "docs" / "grade.svg", 110, REPO, "grade")


def draw_watch() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copyfile(_MISTAKE, folder / "diff.cu")
        words = [sys.executable, "-P", "-m", "tilelab", "watch", "diff", "diff.cu", "--seed", "7"]
        path = shlex.quote(f"PYTHONPATH={REPO / 'grading'}")
        size = ["-x", str(_COLUMNS), "-y", str(_LINES)]
        _tmux(folder, "new-session", "-d", *size, f"cd {name}; env {path} {shlex.join(words)}")
        try:
            terminal_picture.write(_PICTURE, _COLUMNS, _verdict(folder))
        finally:
            _tmux(folder, "kill-server")


def _verdict(folder: Path) -> str:
    """The screen with its colors, once the file is judged."""
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        screen = _tmux(folder, "capture-pane", "-p", "-e")
        if "Next:" in screen and "q quit" in screen:
            return screen
        time.sleep(0.5)
    raise SystemExit(f"watch shows no verdict:\n{screen}")


def _tmux(folder: Path, *words: str) -> str:
    # A server of its own.
    command = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
