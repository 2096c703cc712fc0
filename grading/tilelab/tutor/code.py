"""A source file without comments and white space, so that its layout does not matter."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from tilelab.pipeline.texts import tokens
from tilelab.tutor import searching
from tilelab.tutor.searching import Spans

# What a hint shows as code.
_QUOTED = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Code:
    """The tokens of a file in one string. Directives have lost their #."""

    text: str
    _offsets: list[int] = field(repr=False)  # where each token begins
    _lines: list[int] = field(repr=False)  # and in which line of the file it is
    _found: dict[str, Spans | None] = field(default_factory=dict, repr=False, compare=False)

    def look_for(self, patterns: Iterable[str]) -> None:
        """Looks for several regular expressions, which takes no longer than for one."""
        new = tuple(dict.fromkeys(one for one in patterns if one not in self._found))
        if new:
            found = searching.search(self.text, new)
            self._found.update((one, found.get(one)) for one in new)

    def lines_of(self, pattern: str) -> Iterator[range]:
        """The lines of each match of a regular expression, or of its first group if it has one."""
        for begin, end in self._spans(pattern) or ():
            if begin < end:
                yield range(self._line(begin), self._line(end - 1) + 1)

    def has(self, pattern: str) -> bool:
        """Whether a regular expression was found, within the time that there is."""
        return bool(self._spans(pattern))

    def is_slow(self, pattern: str) -> bool:
        """Whether there was not enough time to look for it."""
        return self._spans(pattern) is None

    def shows(self, hint: str) -> bool:
        """Whether the file already has a piece of code that the hint quotes."""
        return any("".join(quoted.split()) in self.text for quoted in _QUOTED.findall(hint))

    def news_of(self, hint: str) -> list[str]:
        """The lines of a hint, less those with code that the file has. Empty if no code is left."""
        lines = [line for line in hint.strip().splitlines() if not self.shows(line)]
        had_code = _QUOTED.search(hint) is not None
        return [] if had_code and not any(map(_QUOTED.search, lines)) else lines

    def _spans(self, pattern: str) -> Spans | None:
        self.look_for([pattern])
        return self._found[pattern]

    def _line(self, offset: int) -> int:
        return self._lines[bisect_right(self._offsets, offset) - 1]


def code_of(text: str) -> Code:
    read = tokens.parse(text)
    found = list(read.code)
    for directive in read.directives:
        found += [directive.name] if directive.name else []
        found += directive.rest
    found.sort(key=lambda token: token.end)
    pieces = ["".join(token.text.split()) for token in found]
    offsets = [0, *accumulate(map(len, pieces))]
    return Code("".join(pieces), offsets[:-1], [token.line for token in found])
