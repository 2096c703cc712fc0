"""Which functions a text of CUDA defines, and which ones a lab asks for.

A submission may be anything, so this goes once over its tokens and expects no valid program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tilelab.pipeline.records.stages import Token
from tilelab.pipeline.texts.tokens import parse

_LIST = "TILELAB_LAB_FUNCTIONS"
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


@dataclass(frozen=True)
class Function:
    """A function with this many parameters, which a lab asks for, or a file defines for others."""

    name: str
    parameters: int


def asked_for(header: str) -> list[Function]:
    """The functions that the header of a lab lists, whatever it calls the macro's parameter."""
    for directive in parse(header).directives:
        words = [token.text for token in directive.rest]
        is_list = directive.name is not None and directive.name.text == "define"
        if is_list and words[:2] == [_LIST, "("] and len(words) > 3 and words[3] == ")":
            return list(_entries(words[2], directive.rest[4:]))
    return []


def defined(text: str) -> set[Function]:
    """The functions of a text that a judge could call.

    Not those of a class or a namespace, static ones, and those that only kernels can call.
    """
    tokens = parse(text).code
    found: set[Function] = set()
    spaces: list[bool] = []  # that are open: whether all of them only set the language
    begin = at = 0
    while at < len(tokens):
        word = tokens[at].text
        head = tokens[begin:at] if word == "{" else []
        if word == "{" and _is_space(head):
            spaces.append(head[0].text == "extern" and all(spaces[-1:]))
            begin = at + 1
        elif word == "{":
            at = _closing(tokens, at)
            begin = at + 1
            if all(spaces[-1:]) and not _is_value(head):
                found.update(_functions(head))
        elif word in _OPENING:
            at = _closing(tokens, at)
        elif word in (";", "}"):
            begin = at + 1
            if word == "}" and spaces:
                spaces.pop()
        at += 1
    return found


def _entries(macro: str, tokens: Sequence[Token]) -> Iterator[Function]:
    """What a list says of each function: F(name, parameter, inout(parameter))."""
    at = 0
    while at + 2 < len(tokens):
        if tokens[at].text == macro and tokens[at + 1].text == "(":
            end = _closing(tokens, at + 1)
            yield Function(tokens[at + 2].text, _commas(tokens[at + 2 : end]))
            at = end
        at += 1


def _functions(head: Sequence[Token]) -> Iterator[Function]:
    """What may be a function in what precedes a body: each name before parentheses.

    Attributes and macros have parentheses, too. No lab asks for a function of their names.
    """
    words = [token.text for token in head]
    only_on_device = "__device__" in words and "__host__" not in words
    if only_on_device or "__global__" in words or "static" in words:
        return
    at = 0
    while at + 1 < len(head):
        if head[at].kind == "name" and words[at + 1] == "(":
            end = _closing(head, at + 1)
            if words[at - 1 : at] != ["::"]:
                yield Function(words[at], _parameters(head[at + 2 : end]))
            at = end
        elif words[at] in _OPENING:
            at = _closing(head, at)
        at += 1


def _parameters(tokens: Sequence[Token]) -> int:
    words = [token.text for token in tokens]
    return 0 if words in ([], ["void"]) else _commas(tokens) + 1


def _is_value(head: Sequence[Token]) -> bool:
    """Whether braces after these tokens hold a value, as in `int a[] = {1, 2};`."""
    depth = 0
    for token in head:
        if token.text == "=" and depth == 0:
            return True
        if token.text == "(":
            return False
        depth += (token.text == "<") - (token.text == ">")
    return False


def _is_space(head: Sequence[Token]) -> bool:
    words = [token.text for token in head]
    is_language = words[:1] == ["extern"] and len(head) == 2 and head[1].kind == "literal"
    return is_language or "namespace" in words[:2]


def _closing(tokens: Sequence[Token], opening: int) -> int:
    """Where what opens here is closed, or the end."""
    depth = 0
    for at in range(opening, len(tokens)):
        if tokens[at].text in _OPENING:
            depth += 1
        elif tokens[at].text in _CLOSING:
            depth -= 1
            if depth == 0:
                return at
    return len(tokens)


def _commas(tokens: Sequence[Token]) -> int:
    """The commas that are in no brackets of their own."""
    depth = count = 0
    for token in tokens:
        if token.text in _OPENING or token.text == "<":
            depth += 1
        elif token.text in _CLOSING or token.text == ">":
            depth -= 1
        elif token.text == "," and depth == 0:
            count += 1
    return count
