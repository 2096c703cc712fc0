"""Shows an edit: what it takes away, and what it adds."""

from __future__ import annotations

import difflib


def shown(before: str, after: str) -> str:
    """The lines of a diff, with an empty one between those that are not next to each other."""
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm=""))
    return "\n".join("" if line.startswith("@@ ") else line for line in lines[2:]).strip("\n")
