"""Finds slips of a text that compilers answer with errors about something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tilelab.pipeline.records.stages import Token, Tokens
from tilelab.pipeline.texts import names

_ASK = ("if", "while", "switch")
_UNDERSCORES = re.compile(r"_+[a-z]+_*")


@dataclass(frozen=True)
class Slip:
    """The line of a slip, and what is wrong there."""

    line: int
    says: str


def first(tokens: Tokens) -> Slip | None:
    """The first slip in a text that does not compile."""
    code = tokens.code
    found = [*_names(code), *_launches(code), *_parentheses(code)]
    return min(found, key=lambda slip: slip.line, default=None)


def _names(code: Sequence[Token]) -> Iterator[Slip]:
    """CUDA's own names with an underscore too few or too many, where only they make sense."""
    for token, after in pairwise(code):
        is_used = after.kind == "name" or after.text == "("
        if not is_used or not _UNDERSCORES.fullmatch(token.text) or names.is_known(token.text):
            continue
        if meant := names.with_underscores(token.text):
            yield Slip(token.line, f"'{token.text}' is not a word of CUDA; did you mean '{meant}'?")


def _launches(code: Sequence[Token]) -> Iterator[Slip]:
    """Launches with brackets missing or apart."""
    opens = ""
    begin = 0
    for brackets, end in _runs(code):
        if brackets[0] == "<" and opens != "<<<":  # within a launch, << shifts
            opens, begin = brackets, end - len(brackets)
        elif brackets == ">>>":
            is_called = [token.text for token in code[end : end + 1]] == ["("]
            if opens == "<<" and is_called and begin and code[begin - 1].kind == "name":
                yield Slip(code[begin].line, "a launch begins with <<<, and here it is <<")
            elif opens == "<<<" and code[end - 1].end - code[end - 3].end != 2:
                yield Slip(code[end - 1].line, "the three > of a launch stand together: >>>")
            opens = ""


def _runs(code: Sequence[Token]) -> Iterator[tuple[str, int]]:
    """The runs of several < or of several >, each with where it ends."""
    begin = 0
    while begin < len(code):
        end = begin + 1
        if code[begin].text in ("<", ">"):
            while end < len(code) and code[end].text == code[begin].text:
                end += 1
            if end - begin > 1:
                yield code[begin].text * (end - begin), end
        begin = end


def _parentheses(code: Sequence[Token]) -> Iterator[Slip]:
    """Conditions whose parenthesis is still open where the statement ends."""
    for place, token in enumerate(code[:-1]):
        if token.text in _ASK and code[place + 1].text == "(" and _is_open(code[place + 1 :]):
            yield Slip(token.line, f"the ( after this {token.text} has no )")


def _is_open(code: Sequence[Token]) -> bool:
    """Whether the parenthesis at the beginning is open after a statement, or where a block ends."""
    depth = statements = 0
    for token in code:
        depth += (token.text in ("(", "{", "[")) - (token.text in (")", "}", "]"))
        statements += depth == 1 and token.text == ";"  # one may come before what is asked
        if depth == 0 or statements > 1:
            return token.text != ")"
    return True
