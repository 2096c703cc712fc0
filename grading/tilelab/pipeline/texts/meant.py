"""Adds to a compiler's error what the text tells: the name that is meant, or a better line."""

from __future__ import annotations

import re

from tilelab.model.case import located
from tilelab.pipeline.records.stages import Tokens

_UNDECLARED = re.compile(r"error: '(\w+)' was not declared in this scope$")
_BEFORE = re.compile(r"error: expected (?:'[,;]'|',' or ';'|initializer) before '([^']+)'")


def told(message: str, tokens: Tokens) -> str:
    """An error of the form FILE:LINE: text, with what the text tells about it."""
    if unknown := _UNDECLARED.search(message):
        near = _alike(unknown[1], tokens)
        return f"{message}; did you mean '{near}'?" if near else message
    place, before = located(message), _BEFORE.search(message)
    if place is None or before is None:
        return message
    line = _line_before(place.line, before[1], tokens)
    return message.replace(f":{place.line}:", f":{line}:", 1)


def _alike(name: str, tokens: Tokens) -> str:
    """The name in the text that differs only in capital letters and underscores. Else ""."""
    names = {token.text for token in tokens.code if token.kind == "name"} - {name}
    found = sorted(one for one in names if _letters(one) == _letters(name))
    return found[0] if found else ""


def _letters(name: str) -> str:
    return name.replace("_", "").lower()


def _line_before(line: int, word: str, tokens: Tokens) -> int:
    """The last line of code before `line` if that begins with `word`: something is missing there.

    A compiler names the line of what comes instead.
    """
    here = [token for token in tokens.code if token.line == line]
    if not here or here[0].text != word:
        return line
    return max((token.line for token in tokens.code if token.line < line), default=line)
