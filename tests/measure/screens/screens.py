#!/usr/bin/env python3
"""Draws what the documentation shows of `show`, `watch`, `feedback`, `report` and of the site.

    python3 tests/measure/screens/screens.py [PART...]

needs Chromium, Pillow, tmux, and what `tilelab docs` needs. It runs all kernels on the emulator.
Without a PART it draws all of them.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPO = HERE.parents[2]
sys.path[:0] = [str(REPO / "grading"), str(REPO / "tests" / "grading")]

import figures  # noqa: E402
import screenshots  # noqa: E402
import terminal  # noqa: E402
from chromium import chromium  # noqa: E402

PARTS = {
    "figures": figures.draw,
    "shows": screenshots.draw_shows,
    "class": screenshots.draw_class,
    "site": screenshots.draw_site,
}


def main() -> None:
    names = sys.argv[1:] or ["watch", *PARTS]
    if "watch" in names:
        terminal.draw_watch()
    with chromium() as browser:
        for name in names:
            if name != "watch":
                PARTS[name](browser)


if __name__ == "__main__":
    main()
