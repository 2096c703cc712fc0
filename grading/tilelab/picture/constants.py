"""The whole-number constants of a source: `constexpr int block = 256;`, `#define BLOCK 256`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tilelab.pipeline.records.stages import Token, Tokens
from tilelab.pipeline.texts.tokens import parse

_DIGITS = 9  # of the longest literal that is looked at
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")


@dataclass(frozen=True)
class Constant:
    """A constant. `literal` is the token of its value if that is a plain number."""

    name: str
    value: int
    literal: Token | None


def constants(tokens: Tokens) -> list[Constant]:
    """All constants whose value follows from literals and from constants before them."""
    found: list[Constant] = []
    values: dict[str, int] = {}
    for name, expression in [*_defined(tokens), *_declared(tokens.code)]:
        value = evaluate(expression, values)
        if value is None:
            continue
        is_literal = len(expression) == 1 and expression[0].kind == "number"
        found.append(Constant(name.text, value, expression[0] if is_literal else None))
        values[name.text] = value
    return found


def values(text: str) -> dict[str, int]:
    """The constants of a text by name."""
    return {constant.name: constant.value for constant in constants(parse(text))}


def evaluate(expression: Sequence[Token], known: Mapping[str, int]) -> int | None:
    """The value of an expression of + - * / % and brackets; None if it has anything else."""
    try:
        value, rest = _sum(list(expression), known)
    except (LookupError, ValueError, ArithmeticError, RecursionError):
        return None
    return None if rest else value


def _sum(tokens: list[Token], known: Mapping[str, int]) -> tuple[int, list[Token]]:
    value, tokens = _product(tokens, known)
    while tokens and tokens[0].text in ("+", "-"):
        sign = 1 if tokens[0].text == "+" else -1
        other, tokens = _product(tokens[1:], known)
        value += sign * other
    return value, tokens


def _product(tokens: list[Token], known: Mapping[str, int]) -> tuple[int, list[Token]]:
    value, tokens = _operand(tokens, known)
    while tokens and tokens[0].text in ("*", "/", "%"):
        operator = tokens[0].text
        other, tokens = _operand(tokens[1:], known)
        value = (
            value * other
            if operator == "*"
            else value // other
            if operator == "/"
            else value % other
        )
    return value, tokens


def _operand(tokens: list[Token], known: Mapping[str, int]) -> tuple[int, list[Token]]:
    token, rest = tokens[0], tokens[1:]
    if token.text == "(":
        value, rest = _sum(rest, known)
        if rest[0].text != ")":
            raise ValueError
        return value, rest[1:]
    if token.kind == "number" and len(token.text) <= _DIGITS:
        return int(token.text.rstrip("uUlL").replace("'", ""), 0), rest
    return known[token.text], rest


def _defined(tokens: Tokens) -> Iterator[tuple[Token, list[Token]]]:
    for directive in tokens.directives:
        if directive.name and directive.name.text == "define" and len(directive.rest) > 1:
            yield directive.rest[0], directive.rest[1:]


def _declared(code: Sequence[Token]) -> Iterator[tuple[Token, list[Token]]]:
    """The declarators `name = expression` after each `const` or `constexpr`."""
    for i, token in enumerate(code):
        if token.text in ("const", "constexpr") and not (i > 0 and code[i - 1].text == "const"):
            yield from _declarators(code, i + 1)


def _declarators(code: Sequence[Token], i: int) -> Iterator[tuple[Token, list[Token]]]:
    while i + 1 < len(code) and code[i].text not in (";", "{", "(", ")"):
        if code[i].kind == "name" and code[i + 1].text == "=":
            end = _end_of_expression(code, i + 2)
            yield code[i], list(code[i + 2 : end])
            i = end
        else:
            i += 1


def _end_of_expression(code: Sequence[Token], i: int) -> int:
    depth = 0
    while i < len(code):
        text = code[i].text
        if depth == 0 and text in (",", ";", ")"):
            break
        depth += (text in _OPENING) - (text in _CLOSING)
        i += 1
    return i
