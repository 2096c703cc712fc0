"""How numbers, paragraphs and tables look on the page."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def precise(share: float) -> str:
    return f"{100 * share:.1f} %"


def wrapped(text: str) -> str:
    return textwrap.fill(" ".join(text.split()), 80, break_long_words=False, break_on_hyphens=False)


def item(text: str, mark: str = "-") -> str:
    """An item of a list."""
    indent = " " * (len(mark) + 1)
    return textwrap.fill(
        f"{mark} {' '.join(text.split())}", 80, subsequent_indent=indent, break_on_hyphens=False
    )


def table(head: Sequence[str], rows: Sequence[Sequence[str]], text_columns: int = 1) -> str:
    rule = ["---"] * text_columns + ["---:"] * (len(head) - text_columns)
    return "".join(f"| {' | '.join(row)} |\n" for row in [head, rule, *rows])


def section(title: str, *parts: str) -> str:
    return "\n\n".join([f"## {title}", *(part.rstrip("\n") for part in parts)]) + "\n\n"


def listed(words: Sequence[str]) -> str:
    """With commas, and with "and" before the last."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
