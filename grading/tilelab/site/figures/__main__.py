"""Draws all figures of the documentation into docs/figures.

PYTHONPATH=grading python3 -P -m tilelab.site.figures
"""

from __future__ import annotations

from tilelab.base.repository import REPO
from tilelab.site.figures import FIGURES


def main() -> None:
    for name, draw in FIGURES.items():
        path = REPO / "docs" / "figures" / f"{name}.svg"
        path.write_text(draw().svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
