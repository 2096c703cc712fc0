"""A lab's hint for a pattern, as far as it fits what is known about a failure."""

from __future__ import annotations

import re

from tilelab.model.failure import Failure
from tilelab.model.lab import Lab

_LAUNCH = "launch_failed"

# What a failed launch says of a limit, and the word for that. A hint without it is about others.
_LIMITS = (
    (re.compile("bytes of (?:dynamic )?shared memory"), "shared memory"),
    (re.compile(r"A grid of [\w ]+ is too large"), "grid"),
)

_TODO = "TODO"
_SENTENCE = re.compile(r"(?<=[.?!]) ")


def hint(failure: Failure, lab: Lab, text: str) -> str:
    """The lab's hint for a failure of this text. Empty if there is none that fits."""
    says = lab.hint(failure.pattern, failure.details.variant)
    return in_text(says, text) if _fits(says, failure) else ""


def in_text(says: str, text: str) -> str:
    """A hint without its sentences about TODOs if none is left in a text."""
    if _TODO not in says or _TODO in text:
        return says
    return " ".join(one for one in _SENTENCE.split(says) if _TODO not in one)


def _fits(says: str, failure: Failure) -> bool:
    if failure.pattern != _LAUNCH:
        return True
    seen = f"{failure.message} {failure.details.summary}"
    return all(word in says for limit, word in _LIMITS if limit.search(seen))
