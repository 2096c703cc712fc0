"""Draws what the documentation shows of pages and screens.

    ./tilelab measure screens [PART...]

Needs Chromium, Pillow and tmux. It runs all kernels on the emulator. Without a PART it draws all of
them.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests" / "grading"))

import figures
import screenshots
import tables
import terminal
from chromium import chromium

TERMINALS = {
    "check": terminal.draw_check,
    "grade": terminal.draw_grade,
    "watch": terminal.draw_watch,
}
PAGES = {
    "figures": figures.draw,
    "shows": screenshots.draw_shows,
    "class": screenshots.draw_class,
}


def main() -> None:
    parser = tables.parser(__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"of {', '.join(TERMINALS | PAGES)}"
    )
    names = parser.parse_args().parts or [*TERMINALS, *PAGES]
    for name in names:
        if name in TERMINALS:
            TERMINALS[name]()
    with chromium() as browser:
        for name in names:
            if name not in TERMINALS:
                PAGES[name](browser)


if __name__ == "__main__":
    main()
