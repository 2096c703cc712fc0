"""Makes an edit, and shows what it takes away and what it adds."""

from __future__ import annotations

import difflib
from collections.abc import Sequence


def edited(text: str, change: Sequence[str]) -> str:
    """The text with each replacement made. Raises ValueError unless it can be made just once."""
    for old, new in zip(change[::2], change[1::2], strict=True):
        if text.count(old) != 1:
            raise ValueError(f"{old!r} occurs {text.count(old)} times")
        text = text.replace(old, new)
    return text


def shown(before: str, after: str) -> str:
    """The lines of a diff, with an empty one between those that are not next to each other."""
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm=""))
    return "\n".join("" if line.startswith("@@ ") else line for line in lines[2:]).strip("\n")
