"""Text from a submission is bytes that somebody chose: nothing of it reaches a terminal raw."""

from __future__ import annotations

import unicodedata

# Characters that reorder a line on screen, so that it reads as something else.
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: str) -> str:
    """Escapes control characters (but newlines and tabs), bidi controls and lone surrogates."""
    return "".join(_escape(character) for character in text)


def one_line(text: str) -> str:
    """As printable(), with newlines and tabs escaped too: for names."""
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters, with an ellipsis where something was cut."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def points(value: float) -> str:
    """A number of points as people write it: 60, 37.5."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _escape(character: str) -> str:
    if character in "\n\t":
        return character
    if character in _BIDI or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
        return character.encode("unicode_escape", "surrogatepass").decode("ascii")
    return character
