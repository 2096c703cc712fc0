"""A lab's hint for a pattern, as far as it fits what is known about a failure."""

from __future__ import annotations

import re

from tilelab.model.failure import Failure
from tilelab.model.lab import Lab
from tilelab.score import hints

_TODO = "TODO"
_SENTENCE = re.compile(r"(?<=[.?!]) ")


def hint(failure: Failure, lab: Lab, text: str) -> str:
    """The lab's hint for a failure of this text. Empty if there is none that fits."""
    return in_text(hints.of(failure.details, lab), text)


def in_text(says: str, text: str) -> str:
    """A hint without its sentences about TODOs if none is left in a text."""
    if _TODO not in says or _TODO in text:
        return says
    return " ".join(one for one in _SENTENCE.split(says) if _TODO not in one)
