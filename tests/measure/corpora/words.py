"""Text for Markdown."""

from __future__ import annotations


def cell(text: str) -> str:
    """Text that may be a cell of a table."""
    return text.replace("|", "\\|").replace("<", "&lt;")


def capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]
