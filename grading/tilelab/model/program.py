"""What a program of the user's own reported, as common/schema/program.h describes it."""

from __future__ import annotations

from msgspec import Struct

from tilelab.model.profile import Launch
from tilelab.model.stream import Begin


class At(Struct, frozen=True):
    """A line of a source, which may be any file of the user's."""

    file: str
    line: int


class Finding(Struct, frozen=True):
    """A mistake, or a `note`: something to know."""

    text: str
    note: bool
    places: tuple[At, ...]


class Ending(Struct, frozen=True):
    """How the program ended, and how far it had come.

    `by` is "_exit()" or "quick_exit()", "TileLab" if the emulator stopped it, "unknown" if it did
    not tell, "" if there is nothing to say. A launch that did not end is `during`, if nothing else
    is known of it.
    """

    by: str
    launches: int
    during: str


class Report(Struct, frozen=True, tag="report"):
    """What was found in a program, and what its launches did with memory."""

    ending: Ending
    findings: tuple[Finding, ...]
    launches: tuple[Launch, ...]


ProgramEvent = Begin | Report
