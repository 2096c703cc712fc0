"""Names of people, compared whatever their case, accents and order."""

from __future__ import annotations

import unicodedata

from tilelab.base.text import words


def normal(text: str) -> str:
    """The same for spellings that differ only in case, spaces or how accents are encoded."""
    return " ".join(unicodedata.normalize("NFC", text.casefold()).split())


def in_any_order(name: str) -> str:
    return " ".join(sorted(words(name)))


def squeezed(name: str) -> str:
    """A name as in names of Canvas's files."""
    return "".join(words(name))


def spellings(name: str) -> set[str]:
    """What Canvas may make of a name: it puts the last words first, and says not how many."""
    parts = words(name)
    return {"".join(parts[at:] + parts[:at]) for at in range(len(parts))}
