"""What a submission fails for, and the cause of that, as far as an edit confirmed it."""

from __future__ import annotations

from msgspec import Struct

from tilelab.model.case import Message


class Failure(Struct, frozen=True):
    """A cause, in the words of the failure that shows it best.

    `line` is the line of the submission, if it is known. `count` is the number of tests that fail
    for this cause, and `details` has the failure's data.
    """

    criterion: str
    test: str
    message: str
    pattern: str
    line: int | None
    count: int
    details: Message = Message("")


class Cause(Struct, frozen=True):
    """A place in a submission where a small edit made its tests pass: what was there was the cause.

    `line` is the line to look at, and `word` the part of it to point at. `asks` is the question to
    ask there. `idea` explains, and `form` is the edit itself, which only a late hint shows.
    If not `is_all`, the first failing test passed with the edit, and not all others are known to.
    If `with_another`, it did so together with an edit elsewhere, and maybe not alone.
    `others` are further lines that the edit changes: without them it does not help.
    """

    kind: str
    line: int
    word: str
    asks: str
    idea: str
    form: str
    is_all: bool = True
    with_another: bool = False
    others: tuple[int, ...] = ()

    @property
    def lines(self) -> list[int]:
        return sorted((self.line, *self.others))


class Causes(Struct, frozen=True):
    """What the repairs of a submission found: a cause, or several of which one is the cause."""

    found: tuple[Cause, ...] = ()
