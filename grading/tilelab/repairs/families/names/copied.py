"""Lines that were copied from each other, with a name that was not changed or changed wrongly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs.code import Code, all_of, line_of, operator_of, says, terms_of
from tilelab.repairs.edit import Change, Edit, Kind

_COPIED = Kind(
    "copied line",
    "How does this line differ from the one that it looks like, and how should it?",
    "In a line that was copied, each name that belongs to the old place has to be changed.",
    0.3,
)
_NAMES = ("identifier", "field_identifier", "number_literal")
_IN_A_ROW = ("compound_statement", "declaration", "argument_list", "initializer_list")
_MOST_TOKENS = 60
_NEAR = 2  # statements


def of(code: Code, function: Node) -> Iterator[Edit]:
    """What stands in a row and has one shape: what becomes what once, does so everywhere."""
    known = {says(one) for one in all_of(code.root, *_NAMES)}
    rows = [one.named_children for one in all_of(function, *_IN_A_ROW)]
    for nodes in (*rows, *_sums(function)):
        row = [(tokens, _shape(tokens)) for tokens in map(_tokens, nodes)]
        for distance in range(1, _NEAR + 1):
            for (one, shape), (other, same) in zip(row, row[distance:], strict=False):
                if shape == same and 1 < len(one) <= _MOST_TOKENS:
                    yield from _adapted(one, other, known)
                    yield from _adapted(other, one, known)


def _sums(function: Node) -> Iterator[list[Node]]:
    for one in all_of(function, "binary_expression"):
        if operator_of(one) == "+" and operator_of(one.parent) != "+":
            yield terms_of(one)


def _tokens(node: Node) -> list[Node]:
    found: list[Node] = []
    waiting = [node]
    while waiting and len(found) <= _MOST_TOKENS:
        one = waiting.pop()
        waiting += reversed(one.children)
        if not one.children:
            found.append(one)
    return found


def _shape(tokens: list[Node]) -> list[str]:
    return [one.type if one.type in _NAMES else says(one) for one in tokens]


def _adapted(tokens: list[Node], copy: list[Node], known: set[str]) -> Iterator[Edit]:
    """Each name of the copy, as what the others say becomes of the one in its place."""
    becomes: dict[str, dict[str, None]] = defaultdict(dict)
    for one, other in zip(tokens, copy, strict=True):
        if says(one) != says(other):
            becomes[says(one)][says(other)] = None
            old, new = _letters(says(one), says(other))
            if old:
                becomes[old][new] = None
    for one, other in zip(tokens, copy, strict=True):
        if one.type not in _NAMES or _is_declared(other):
            continue
        for name in _names(says(one), becomes):
            if name != says(other) and name in known:
                change = Change(other.start_byte, other.end_byte, name)
                yield Edit(_COPIED, line_of(other), says(other), (change,))


def _is_declared(name: Node) -> bool:
    around = name.parent
    return around is not None and around.child_by_field_name("declarator") == name


def _names(name: str, becomes: dict[str, dict[str, None]]) -> Iterator[str]:
    """What a name may become: as elsewhere as a whole, or in its first or last letter."""
    yield from becomes.get(name, ())
    if len(name) > 1:
        yield from (f"{name[:-1]}{last}" for last in becomes.get(name[-1], ()))
        yield from (f"{first}{name[1:]}" for first in becomes.get(name[0], ()))


def _letters(one: str, other: str) -> tuple[str, str]:
    """The first or the last letters of two names that are the same otherwise."""
    if len(one) == len(other) > 1:
        if one[:-1] == other[:-1]:
            return one[-1], other[-1]
        if one[1:] == other[1:]:
            return one[0], other[0]
    return "", ""
