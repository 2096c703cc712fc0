"""Numbers as people type them, and as handouts write them."""

from __future__ import annotations

import math
import re

# 1234, -0.25, 1e6, and 10,240 as handouts write it.
_NUMBER = re.compile(r"[-+]?(\d{1,3}(,\d{3})+|\d+)?(\.\d*)?(e[-+]?\d+)?", re.IGNORECASE)


def number_from(text: str) -> float | None:
    """The number that the user typed, or None."""
    text = text.strip().replace("_", "")
    if not _NUMBER.fullmatch(text):
        return None
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def written(value: float) -> str:
    """A number as handouts write it: 104,847,360, 0.25."""
    return f"{value:,.12g}"
