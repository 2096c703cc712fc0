"""Makes text from strangers harmless in Markdown, on any site that shows it."""

from __future__ import annotations

import re

from tilelab.base.text import printable

_SPECIAL = re.compile(r"([\\`*_\[\]<>&#|~$!{}^])")

# A line that begins like this is a list, a heading or a rule.
_START = re.compile(r"^(\s*)([-+=:]|\d+(?=[.)](?: |$)))", re.MULTILINE)

# What sites turn into links, or into messages to people. A backslash does not stop them.
_LINKS = re.compile(r"@|://|www\.|mailto:", re.IGNORECASE)


def prose(text: str) -> str:
    """A sentence, of which nothing is markup. It stays on one line."""
    line = " ".join(printable(text).split())
    if _LINKS.search(line):
        return code(line)
    escaped = _SPECIAL.sub(r"\\\1", line)
    return _START.sub(lambda found: f"{found[1]}{_stopped(found[2])}", escaped)


def code(text: str) -> str:
    """A piece of code within a line."""
    line = " ".join(printable(text).split())
    if not line:
        return ""
    ticks = "`" * (_longest_run(line) + 1)
    return (
        f"{ticks} {line} {ticks}" if line[0] == "`" or line[-1] == "`" else f"{ticks}{line}{ticks}"
    )


def fence(text: str, language: str = "") -> str:
    """Lines of code."""
    marks = "`" * max(3, _longest_run(text) + 1)
    return f"{marks}{language}\n{printable(text)}\n{marks}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _stopped(start: str) -> str:
    return f"{start}\N{ZERO WIDTH NON-JOINER}" if start.isdigit() else f"\\{start}"
