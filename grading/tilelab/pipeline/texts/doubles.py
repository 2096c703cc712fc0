"""Finds arithmetic in double in the kernels of a lab whose data is float.

A number without an f is a double in C++, and so is what it is multiplied with. The result is right,
and slow on a GPU that has few units for double.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tilelab.pipeline.records.stages import Token, Tokens
from tilelab.pipeline.texts.tokens import parse

_DOUBLE = re.compile(r"(?!0[xX])(?:\d[\d']*\.[\d']*|\.\d[\d']*|\d[\d']*(?=[eE]))(?:[eE][+-]?\d+)?")
_OPERATORS = ("*", "/", "+", "-")

Span = Sequence[Token]


def remark(tokens: Tokens, contract: str) -> str:
    """A sentence about the first arithmetic in double, "" if there is none or it is asked for.

    `contract` is the text of the lab's header.
    """
    if any(token.text == "double" for token in parse(contract).code):
        return ""
    bodies = _device_bodies(tokens.code)
    found = next((one for body in bodies for one in _found(body)), None)
    if found is None:
        return ""
    line, what = found
    return (
        f"Line {line} computes in double: {what}. Many GPUs compute in double at 1/64 of the speed "
        "of float."
    )


def _device_bodies(code: Span) -> Iterator[Span]:
    """The bodies of the functions that run on the device."""
    at = 0
    while at < len(code):
        if code[at].text in ("__global__", "__device__"):
            begin = _body_begin(code, at)
            at = _end(code, begin)
            yield code[begin:at]
        at += 1


def _body_begin(code: Span, at: int) -> int:
    """The first brace before the end of the declaration; its end if it has no body."""
    while at < len(code) and code[at].text not in ("{", ";"):
        at += 1
    return at


def _end(code: Span, begin: int) -> int:
    """The place after the bracket that closes the one at `begin`."""
    depth = 0
    for at in range(begin, len(code)):
        depth += code[at].text in ("{", "(")
        depth -= code[at].text in ("}", ")")
        if depth == 0:
            return at + 1
    return len(code)


def _found(body: Span) -> Iterator[tuple[int, str]]:
    for at, token in enumerate(body):
        if token.text == "double":
            yield token.line, "it says so"
        elif token.text == "pow" and _has_plain_number(body[at + 1 : _end(body, at + 1)]):
            yield token.line, "pow() with a number that is no float. Write powf(), or a product"
        elif _DOUBLE.fullmatch(token.text) and _is_operand(body, at):
            yield token.line, f"{token.text} is a double, {token.text}f would be a float"


def _has_plain_number(arguments: Span) -> bool:
    return any(one.kind == "number" and one.text[-1] not in "fF" for one in arguments)


def _is_operand(body: Span, at: int) -> bool:
    """Whether the number is computed with something that is no number."""
    after, before = body[at + 1 : at + 3], body[max(at - 2, 0) : at]
    if len(after) == 2 and after[0].text in _OPERATORS and after[1].kind != "number":
        return True
    is_binary = len(before) == 2 and before[1].text in _OPERATORS
    return is_binary and (before[0].kind == "name" or before[0].text in (")", "]"))
