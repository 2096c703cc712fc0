"""Shows an edit: what it takes away, and what it adds."""

from __future__ import annotations

import difflib


def shown(before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return "\n".join(line for line in lines if line[:3] not in ("---", "+++", "@@ "))
