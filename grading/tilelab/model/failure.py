"""What a submission fails for."""

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
