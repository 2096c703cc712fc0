"""Draws a command's output as the SVG that the README shows.

python3 tests/measure/screens/terminal_picture.py docs/grade.svg 110 ./tilelab grade

In a folder that has a copy of a mistake as diff.cu, a link to the launcher draws docs/check.svg:
"docs/check.svg 80 ./tilelab check diff diff.cu --seed 7".
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text


def main(picture: Path, width: int, command: list[str]) -> None:
    # Colors, but no spinner and no progress bar.
    terminal = {"FORCE_COLOR": "1", "TTY_INTERACTIVE": "0", "COLUMNS": str(width)}
    environment = {**os.environ, **terminal}
    # Any exit status: a check of a wrong file fails.
    output = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=False, env=environment
    ).stdout
    write(picture, width, f"$ {' '.join(command)}\n{output}")


def write(picture: Path, width: int, screen: str) -> None:
    """Draws what a terminal shows: text with ANSI codes."""
    console = Console(record=True, width=width, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(screen))
    # The reader's own fonts, because a picture must not load anything.
    drawing = console.export_svg(title="TileLab")
    drawing = re.sub(r"@font-face {.*?}\n", "", drawing, flags=re.DOTALL)
    picture.write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
