"""Draws what a terminal shows as SVG."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from tilelab.base.repository import REPO


def draw(picture: Path, width: int, folder: Path, *arguments: str) -> None:
    """Draws what a command of tilelab prints in a folder."""
    # Colors, but no spinner and no progress bar.
    terminal = {"FORCE_COLOR": "1", "TTY_INTERACTIVE": "0", "COLUMNS": str(width)}
    # Any exit status: a check of a wrong file fails.
    output = subprocess.run(
        [sys.executable, "-P", "-m", "tilelab", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, **terminal, "PYTHONPATH": str(REPO / "grading")},
    ).stdout
    write(picture, width, f"$ ./tilelab {' '.join(arguments)}\n{output}")


def write(picture: Path, width: int, screen: str) -> None:
    """Draws text with ANSI codes."""
    console = Console(record=True, width=width, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(screen))
    # The reader's own fonts, because a picture must not load anything.
    drawing = console.export_svg(title="TileLab")
    drawing = re.sub(r"@font-face {.*?}\n", "", drawing, flags=re.DOTALL)
    picture.write_text(drawing, encoding="utf-8")
