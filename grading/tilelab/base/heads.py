"""The lines `// Key: value` at the head of a kernel's file."""

from __future__ import annotations

import re
from pathlib import Path


def head_line(path: Path, key: str) -> str | None:
    """The text after `// KEY:` in the comment at the top of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for line in lines:
        if not line.startswith("//"):
            return None
        if match := re.fullmatch(rf"// {key}: (.*\S)\s*", line):
            return match[1]
    return None
