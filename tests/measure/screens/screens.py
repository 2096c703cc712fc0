#!/usr/bin/env python3
"""Draws what the documentation shows of `tilelab show`, of `tilelab watch` and of the site.

    python3 tests/measure/screens/screens.py

needs Chromium, Pillow, tmux, and what `tilelab docs` needs. It runs all kernels on the emulator.
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


def main() -> None:
    terminal.draw_watch()
    with chromium() as browser:
        figures.draw(browser)
        screenshots.draw_shows(browser)
        screenshots.draw_site(browser)


if __name__ == "__main__":
    main()
