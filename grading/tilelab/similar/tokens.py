"""Reads a file as tokens that stay the same when names, comments and white space change.

Pygments splits CUDA into tokens. copydetect does all of the comparison,
but it selects fingerprints by Python's random hashes, so that a share differs between two runs, and
it installs numpy and matplotlib.
"""

from __future__ import annotations

from dataclasses import dataclass

from pygments.lexers import CudaLexer
from pygments.token import Comment, Literal, Name, Text

# A passage. Shorter ones, such as the index of a thread, are the same in all files.
PASSAGE = 12

Passage = tuple[str, ...]


@dataclass(frozen=True)
class Token:
    """A token, without what people vary, and its line, counted from 1."""

    text: str
    line: int


def tokens(source: str) -> list[Token]:
    """The tokens of a file. All names are the same, apart from those of CUDA and C++.

    Comments and lines of the preprocessor are left out.
    """
    found = []
    line = 1
    # Without its options, the lexer drops empty lines at the start, and lines would be off.
    for kind, text in CudaLexer(stripnl=False).get_tokens(source):
        is_code = kind not in Comment and kind not in Text and text.strip()
        if is_code:
            found.append(Token(_plain(kind, text.strip()), line))
        line += text.count("\n")
    return found


def passages(of: list[Token]) -> list[Passage]:
    """Each run of PASSAGE tokens, in order."""
    texts = [token.text for token in of]
    return [tuple(texts[at : at + PASSAGE]) for at in range(len(texts) - PASSAGE + 1)]


def _plain(kind: object, text: str) -> str:
    if kind in Name and kind not in Name.Builtin:
        return "name"
    return "text" if kind in Literal.String else text
