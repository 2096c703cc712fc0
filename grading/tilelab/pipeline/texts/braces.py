"""Finds a brace without a partner, and where that begins to disagree with the indentation."""

from __future__ import annotations

from dataclasses import dataclass

from tilelab.pipeline.records.stages import Tokens

_CONDITION = "if"  # what the names of the preprocessor's conditions begin with

# What is in their braces may begin where they do.
_FLAT = ("namespace", "extern")


@dataclass(frozen=True)
class Problem:
    """The line of a brace, and what is wrong with it."""

    line: int
    says: str


@dataclass(frozen=True)
class _Opened:
    """A { in a line, and the line and the word with which its statement begins."""

    line: int
    begin: int
    word: str


def problem(text: str, tokens: Tokens) -> Problem | None:
    """What to say of braces that do not match. None if they do, or if conditions choose some."""
    if any(d.name and d.name.text.startswith(_CONDITION) for d in tokens.directives):
        return None
    lines = text.split("\n")
    opened: list[_Opened] = []
    odd: Problem | None = None
    first = None  # the first token of the statement
    for token in tokens.code:
        first = first or token
        if token.text == "{":
            begun = _Opened(token.line, first.line, first.text)
            odd = odd or (_unended(lines, opened[-1], begun) if opened else None)
            opened.append(begun)
        elif token.text == "}":
            if not opened:
                return odd or Problem(token.line, "this } ends nothing")
            ended = opened.pop()
            odd = odd or _disagreement(lines, ended, token.line)
        if token.text in ("{", "}", ";"):
            first = None
    if not opened:
        return None
    return odd or Problem(opened[-1].line, "this { has no }")


def _unended(lines: list[str], around: _Opened, begun: _Opened) -> Problem | None:
    """What begins no further to the right than the statement around it is not meant to be in it."""
    is_inside = _column(lines[begun.begin - 1]) > _column(lines[around.begin - 1])
    if around.word in _FLAT or is_inside or begun.begin <= around.line:
        return None
    says = f"this {{ has no }} before line {begun.begin}, which does not seem to be a part of it"
    return Problem(around.line, says)


def _disagreement(lines: list[str], opened: _Opened, closed: int) -> Problem | None:
    if not lines[closed - 1].lstrip().startswith("}"):
        return None
    columns = {_column(lines[one - 1]) for one in (opened.line, opened.begin)}
    if _column(lines[closed - 1]) in columns:
        return None
    says = f"this }} ends the {{ in line {opened.line}. Is a brace missing between them?"
    return Problem(closed, says)


def _column(line: str) -> int:
    line = line.expandtabs(8)
    return len(line) - len(line.lstrip())
