"""Text for pages."""

from __future__ import annotations

import textwrap


def filled(text: str) -> str:
    """The text in lines of 80 columns."""
    return textwrap.fill(text, 80, break_long_words=False, break_on_hyphens=False)
