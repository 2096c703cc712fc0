"""A lab's hint for a pattern, unless what a message says contradicts it."""

from __future__ import annotations

import re

from tilelab.model.case import Message
from tilelab.model.lab import Lab

_LAUNCH = "launch_failed"
_EXCESS = "sector_excess"

# What a failed launch says of a limit, and the word for that. A hint without it is about others.
_LIMITS = (
    (re.compile("bytes of (?:dynamic )?shared memory"), "shared memory"),
    (re.compile(r"A grid of [\w ]+ is too large"), "grid"),
    (re.compile("cooperative launch"), "cooperative"),
    (re.compile("registers"), "registers"),
    (re.compile("__launch_bounds__"), "__launch_bounds__"),
    (re.compile("cluster"), "cluster"),
    (re.compile("capture"), "capture"),
)
_BY_AN_ATOMIC = re.compile(r"comes from \S+ `[^`]*\batomic\w+\(")


def of(message: Message, lab: Lab) -> str:
    """Empty if there is no hint that fits."""
    hint = lab.hint(message.pattern, message.variant)
    seen = f"{message.text} {message.summary}"
    if message.pattern == _LAUNCH:
        return hint if all(word in hint for limit, word in _LIMITS if limit.search(seen)) else ""
    if message.pattern == _EXCESS and _BY_AN_ATOMIC.search(seen):
        return hint if "atomic" in hint else ""
    return hint
