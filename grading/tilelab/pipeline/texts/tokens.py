"""Splits a text of C++ into tokens and directives, each with its line, as a preprocessor does."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator

from tilelab.pipeline.records.stages import Directive, Token, Tokens

_SPLICE = re.compile(r"\\[ \t\f\v]*\n")
_RAW_START = re.compile(r'(?:u8|[uUL])?R"([^()\\\s"]{0,16})\(')
_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))
      | (?P<raw>(?:u8|[uUL])?R"[^()\\\s"]{0,16}\()
      | (?P<number>\.?\d(?:[eEpP][+-]|'?\w|\.)*)
      | (?P<name>[^\W\d]\w*)
      | (?P<literal>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)
      | (?P<newline>\n)
      | (?P<hash>\#|%:)
      | (?P<space>[ \t\f\v]+)
      | (?P<other><:(?!:(?![:>]))|::|:>|.)""",
    re.VERBOSE | re.DOTALL,
)
_DIGRAPHS = {"<:": "[", ":>": "]"}


class _Spliced:
    """The text with continued lines joined. It maps each character to its original place."""

    def __init__(self, text: str) -> None:
        pieces: list[str] = []
        self._starts: list[int] = []  # offset in the joined text at which each piece begins
        self._shifts: list[int] = []  # what to add to an offset in it to get the original one
        begin = length = 0
        for match in [*_SPLICE.finditer(text), None]:
            end = match.start() if match else len(text)
            self._starts.append(length)
            self._shifts.append(begin - length)
            pieces.append(text[begin:end])
            length += end - begin
            begin = match.end() if match else end
        self.original = text
        self.text = "".join(pieces)
        self._newlines = [match.start() for match in re.finditer("\n", text)]

    def origin(self, offset: int) -> int:
        return offset + self._shifts[bisect.bisect_right(self._starts, offset) - 1]

    def joined(self, origin: int) -> int:
        """The first offset of the joined text that comes from `origin` or later."""
        low, high = 0, len(self.text)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self.origin(middle) < origin else (low, middle)
        return low

    def line(self, offset: int) -> int:
        return bisect.bisect_left(self._newlines, self.origin(offset)) + 1


def parse(text: str) -> Tokens:
    """Splits a text into tokens."""
    spliced = _Spliced(text)
    found = Tokens(spliced.text, [], [])
    directive: Directive | None = None
    line_is_blank, needs_name = True, False
    for token in _tokens(spliced):
        if token.kind in ("comment", "space"):
            continue
        if token.kind == "newline":
            directive, line_is_blank = None, True
        elif directive is None and token.kind == "hash" and line_is_blank:
            needs_name = True
            directive = Directive(None)
            found.directives.append(directive)
        elif directive is None:
            found.code.append(token)
            line_is_blank = False
        elif needs_name:
            needs_name = False
            directive = found.directives[-1] = Directive(token)
        else:
            directive.rest.append(token)
    return found


def _tokens(spliced: _Spliced) -> Iterator[Token]:
    text, offset = spliced.text, 0
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        assert match is not None and match.lastgroup is not None
        end = match.end()
        if match.lastgroup == "raw":
            end = _end_of_raw_string(spliced, match)
        content = text[offset:end] if match.lastgroup == "raw" else match[0]
        yield Token(match.lastgroup, _DIGRAPHS.get(content, content), spliced.line(offset), end)
        offset = end


def _end_of_raw_string(spliced: _Spliced, start: re.Match[str]) -> int:
    # In a raw string a backslash before a newline does not join lines. So this looks for its end in
    # the original text. Otherwise code could hide from this scan in a fake string.
    parts = _RAW_START.fullmatch(start[0])
    assert parts is not None
    close = f'){parts[1]}"'
    begin = spliced.origin(start.end() - 1) + 1
    found = spliced.original.find(close, begin)
    if found < 0:
        return len(spliced.text)
    return spliced.joined(found + len(close))
