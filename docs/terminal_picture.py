"""Draws what a command prints, as the SVG that the README shows.

python docs/terminal_picture.py docs/grade.svg ./tilelab grade
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

WIDTH = 110


def main(picture: Path, command: list[str]) -> None:
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(WIDTH)}
    output = subprocess.run(
        command, capture_output=True, text=True, check=True, env=environment
    ).stdout
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(f"$ {' '.join(command)}\n{output}"))
    picture.write_text(console.export_svg(title="TileLab"), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
