"""Names of people, compared whatever their case, accents and order."""

from __future__ import annotations

import re
import unicodedata

# Letters of which Unicode does not know that they are others with a mark.
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "\u0131": "i", "æ": "ae", "œ": "oe"}
)
_MOST_WORDS = 12


def normal(text: str) -> str:
    """The same for spellings that differ only in case, spaces or how accents are encoded."""
    return " ".join(unicodedata.normalize("NFC", text.casefold()).split())


def words(name: str) -> list[str]:
    """The words of a name, without accents and in lower case."""
    parted = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(one for one in parted if not unicodedata.combining(one))
    return re.findall(r"[^\W_]+", bare.translate(_PLAIN))[:_MOST_WORDS]


def in_any_order(name: str) -> str:
    return " ".join(sorted(words(name)))


def squeezed(name: str) -> str:
    """A name as in names of Canvas's files."""
    return "".join(words(name))


def spellings(name: str) -> set[str]:
    """What Canvas may make of a name: it puts the last words first, and says not how many."""
    parts = words(name)
    return {"".join(parts[at:] + parts[:at]) for at in range(len(parts))}
