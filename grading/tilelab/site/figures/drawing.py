"""Draws figures as SVG: cells of memory, boxes, arrows and words on a card.

Figures appear on light and dark pages, so each has its own light background.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal
from xml.sax.saxutils import escape

Anchor = Literal["start", "middle", "end"]

CARD = "#fbfcfe"
FRAME = "#d5dce6"
INK = "#1d2733"
SOFT = "#5d6b7c"
LINE = "#8794a5"

# Fill and edge colors, with the same meaning in all figures.
GLOBAL = ("#e8edf3", "#9aa8b9")  # global memory
SHARED = ("#cfe6fb", "#3579b8")  # shared memory
OWN = ("#d8f0dc", "#3d9257")  # a thread's own, in registers; results
HALO = ("#fde9c4", "#c98a17")  # what belongs to another block or thread
EMPTY = ("#ffffff", "#b9c3d0")  # a slot without an element

ARROW = "#3579b8"
WARN = "#c5671a"

FONT = "Helvetica, Arial, sans-serif"
CODE_FONT = "DejaVu Sans Mono, Menlo, Consolas, monospace"


@dataclass
class Drawing:
    """A picture of fixed size. Shapes are added from back to front."""

    width: int
    height: int
    title: str
    description: str
    parts: list[str] = field(default_factory=list)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 14,
        color: str = INK,
        anchor: Anchor = "start",
        bold: bool = False,
        code: bool = False,
    ) -> None:
        """Adds words with their baseline at y."""
        weight = ' font-weight="600"' if bold else ""
        font = f' font-family="{CODE_FONT}"' if code else ""
        self.parts.append(
            f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" fill="{color}" '
            f'text-anchor="{anchor}"{weight}{font}>{escape(words)}</text>'
        )

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        colors: tuple[str, str],
        *,
        dashed: bool = False,
        round_by: float = 3,
        line: float = 1.2,
    ) -> None:
        """Adds a rectangle with rounded corners."""
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(
            f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" '
            f'rx="{_n(round_by)}" fill="{colors[0]}" stroke="{colors[1]}" '
            f'stroke-width="{_n(line)}"{dash}/>'
        )

    def cell(
        self,
        x: float,
        y: float,
        size: float,
        colors: tuple[str, str],
        label: str = "",
        *,
        width: float | None = None,
        dashed: bool = False,
    ) -> None:
        """Adds a slot of memory with its content."""
        wide = size if width is None else width
        self.box(x, y, wide, size, colors, dashed=dashed)
        if label:
            self.text(x + wide / 2, y + size / 2 + 5, label, anchor="middle", code=True)

    def arrow(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        *,
        color: str = ARROW,
        dashed: bool = False,
        via: tuple[float, float] | None = None,
    ) -> None:
        """Adds an arrow from the first point to the second, bent toward `via`."""
        middle_x, middle_y = via or ((x1 + x2) / 2, (y1 + y2) / 2)
        # The head starts where the line ends, in its direction.
        dx, dy = x2 - middle_x, y2 - middle_y
        length = _length(dx, dy)
        dx, dy = dx / length, dy / length
        end_x, end_y = x2 - 7 * dx, y2 - 7 * dy
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        path = f"M {_n(x1)} {_n(y1)} Q {_n(middle_x)} {_n(middle_y)} {_n(end_x)} {_n(end_y)}"
        self.parts.append(
            f'<path d="{path}" fill="none" stroke="{color}" stroke-width="1.6"{dash}/>'
        )
        left = f"{_n(end_x - 4 * dy)},{_n(end_y + 4 * dx)}"
        right = f"{_n(end_x + 4 * dy)},{_n(end_y - 4 * dx)}"
        self.parts.append(f'<polygon points="{_n(x2)},{_n(y2)} {left} {right}" fill="{color}"/>')

    def line(self, x1: float, y1: float, x2: float, y2: float, *, color: str = LINE) -> None:
        """Adds a thin straight line."""
        self.parts.append(
            f'<path d="M {_n(x1)} {_n(y1)} L {_n(x2)} {_n(y2)}" stroke="{color}" '
            'stroke-width="1.2" fill="none"/>'
        )

    def bracket(self, x1: float, x2: float, y: float, label: str, *, color: str = SOFT) -> None:
        """Adds a span from x1 to x2 with its name above."""
        self.line(x1, y, x2, y, color=color)
        self.line(x1, y, x1, y + 6, color=color)
        self.line(x2, y, x2, y + 6, color=color)
        self.text((x1 + x2) / 2, y - 6, label, size=13, color=color, anchor="middle")

    def side_bracket(self, x: float, y1: float, y2: float, lines: list[str]) -> None:
        """Adds a span from y1 to y2, open to the left, with its name to the right."""
        self.line(x, y1, x, y2)
        self.line(x - 6, y1, x, y1)
        self.line(x - 6, y2, x, y2)
        top = (y1 + y2) / 2 + 5 - 9 * (len(lines) - 1)
        for number, words in enumerate(lines):
            self.text(x + 10, top + 18 * number, words, size=13, color=SOFT)

    def svg(self) -> str:
        """The text of the finished SVG file."""
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" '
                f'height="{self.height}" viewBox="0 0 {self.width} {self.height}" role="img" '
                f'font-family="{FONT}">',
                f"<title>{escape(self.title)}</title>",
                f"<desc>{escape(self.description)}</desc>",
                f'<rect x="0.5" y="0.5" width="{self.width - 1}" height="{self.height - 1}" '
                f'rx="10" fill="{CARD}" stroke="{FRAME}"/>',
                *self.parts,
                "</svg>",
                "",
            ]
        )


def _length(dx: float, dy: float) -> float:
    return max(math.hypot(dx, dy), 1e-9)


def _n(value: float) -> str:
    """Formats a number with at most one decimal, so that every machine writes the same file."""
    return f"{value:.1f}".removesuffix(".0")
