"""Finds a brace without a partner, and where that begins to disagree with the indentation."""

from __future__ import annotations

from dataclasses import dataclass

from tilelab.pipeline.records.stages import Tokens

_CONDITION = "if"  # what the names of the preprocessor's conditions begin with


@dataclass(frozen=True)
class Problem:
    """The line of a brace, and what is wrong with it."""

    line: int
    says: str


def problem(text: str, tokens: Tokens) -> Problem | None:
    """What to say of braces that do not match. None if they do, or if conditions choose some."""
    if any(d.name and d.name.text.startswith(_CONDITION) for d in tokens.directives):
        return None
    lines = text.split("\n")
    opened: list[int] = []
    odd: Problem | None = None
    for token in tokens.code:
        if token.text == "{":
            opened.append(token.line)
        elif token.text == "}":
            if not opened:
                return odd or Problem(token.line, "this } ends nothing")
            begun = opened.pop()
            odd = odd or _disagreement(lines, begun, token.line)
    if not opened:
        return None
    return odd or Problem(opened[-1], "this { has no }")


def _disagreement(lines: list[str], opened: int, closed: int) -> Problem | None:
    if not lines[closed - 1].lstrip().startswith("}"):
        return None
    if _column(lines[closed - 1]) == _column(lines[opened - 1]):
        return None
    says = f"this }} ends the {{ in line {opened}. Is a brace missing between them?"
    return Problem(closed, says)


def _column(line: str) -> int:
    line = line.expandtabs(8)
    return len(line) - len(line.lstrip())
