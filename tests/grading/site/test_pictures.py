"""The pictures of terminals show what the commands print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from support import REPO
from tilelab.score import lab


def words_of(picture: Path) -> str:
    """The lines of a picture of a terminal."""
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", picture.read_text(encoding="utf-8"))
    return "".join(unescape(text) for text in texts).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.usefixtures("emulator")
def test_the_picture_of_check_shows_its_screen(tmp_path: Path) -> None:
    mistake = lab.load("diff").solutions / "mistakes" / "missing_barrier.cu"
    (tmp_path / "diff.cu").write_text(mistake.read_text())
    printed = subprocess.run(
        [sys.executable, "-P", "-m", "tilelab", "check", "diff", "diff.cu", "--seed", "7"],
        env={**os.environ, "PYTHONPATH": str(REPO / "grading"), "COLUMNS": "80"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    ).stdout
    shown = "".join(words_of(REPO / "docs" / "check.svg").split())
    # The first line names this machine, and the last lines change with progress.
    first_failure = printed.split("\n\n")[1].splitlines()[:8]
    assert "diff.cu:" in "".join(first_failure)
    for line in first_failure:
        assert "".join(line.split()) in shown, "draw it again: tilelab/site/terminal_picture.py"
