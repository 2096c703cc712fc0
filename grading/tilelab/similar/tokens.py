"""Reads a file as tokens that stay the same when names, comments and white space change.

The pipeline splits it, in time that grows with its length. Pygments would need hours for a file of
empty lines. copydetect does all of the comparison, but it selects fingerprints by Python's random
hashes, so that a share differs between two runs, and it installs numpy and matplotlib.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass

from tilelab.pipeline.texts import tokens as texts
from tilelab.similar.words import WORDS

# A passage. Shorter ones, such as the index of a thread, are the same in all files.
PASSAGE = 12

# The number that a run of PASSAGE tokens has, the same one in every run of the program.
Passage = int

_PRIME = 2**61 - 1
_BASE = 1_000_003
_FIRST = pow(_BASE, PASSAGE, _PRIME)


@dataclass(frozen=True)
class Token:
    """A token, without what people vary, and its line, counted from 1."""

    text: str
    line: int


def tokens(source: str) -> list[Token]:
    """The tokens of a file. All names are the same, apart from those of CUDA and C++.

    Comments and lines of the preprocessor are left out.
    """
    return [Token(_plain(one.kind, one.text), one.line) for one in texts.parse(source).code]


def passages(of: list[Token]) -> list[Passage]:
    """Each run of PASSAGE tokens, in order."""
    numbers = [_number(token.text) for token in of]
    rolling, found = 0, []
    for at, number in enumerate(numbers):
        left = numbers[at - PASSAGE] * _FIRST if at >= PASSAGE else 0
        rolling = (rolling * _BASE + number - left) % _PRIME
        if at >= PASSAGE - 1:
            found.append(rolling)
    return found


def _plain(kind: str, text: str) -> str:
    if kind == "name":
        return text if text in WORDS else "name"
    return "text" if kind in ("literal", "raw") else text


@functools.lru_cache(10_000)
def _number(text: str) -> int:
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % _PRIME
