"""The cause of a submission's failures, as far as it was confirmed."""

from __future__ import annotations

from msgspec import Struct


class Cause(Struct, frozen=True):
    """A place in a submission where a small edit made its tests pass: what was there was the cause.

    `line` is the line to look at, and `word` the part of it to point at. `asks` is the question to
    ask there. `idea` explains, and `form` is the edit itself, which only a late hint shows.
    If not `is_all`, the first failing test passed with the edit, and others still failed.
    """

    kind: str
    line: int
    word: str
    asks: str
    idea: str
    form: str
    is_all: bool = True


class Causes(Struct, frozen=True):
    """What the repairs of a submission found: a cause, or several of which one is the cause.

    `tried` repairs were tried. If the time was over before the last one, `is_complete` is false.
    """

    found: tuple[Cause, ...] = ()
    tried: int = 0
    is_complete: bool = True
