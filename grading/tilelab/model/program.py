"""What a program of the user's own reported."""

from __future__ import annotations

from msgspec import Struct

from tilelab.model.profile import Launch


class At(Struct, frozen=True):
    """A line of a source, which may be any file of the user's."""

    file: str
    line: int


class Finding(Struct, frozen=True):
    """A mistake, or something to know: then `note` is 1."""

    text: str
    note: int
    places: tuple[At, ...]


class Report(Struct, frozen=True):
    """What was found in a program, and what its launches did with memory."""

    findings: tuple[Finding, ...]
    launches: tuple[Launch, ...]
