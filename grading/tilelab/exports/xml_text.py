"""Makes text of a submission safe for an XML file."""

from __future__ import annotations

from tilelab.base.text import printable

# XML allows no other way to write these two: they are no characters.
_NO_CHARACTERS = str.maketrans({"\ufffe": "\\ufffe", "\uffff": "\\uffff"})


def safe(text: str) -> str:
    """The text without what no XML file may hold."""
    return printable(text).translate(_NO_CHARACTERS)
