"""Operations whose order is not the one that is meant."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs.code import Code, all_of, operator_of, says, sides_of
from tilelab.repairs.edit import Edit, Kind, replaced

_FIRST = Kind(
    "order of operations",
    "Which of these operations has to come first, and on what?",
    "(a & b) >> c is not (a >> c) & b, nor is a + b / c the same as (a + b) / c. Work it out for "
    "small numbers.",
    0.6,
)
_LATER = {"&", "|", "^", "<<", ">>", "+", "-", "*", "/", "%"}


def of(code: Code) -> Iterator[Edit]:
    for function in code.functions:
        for outer in all_of(function, "binary_expression"):
            yield from _first(outer)


def _first(outer: Node) -> Iterator[Edit]:
    """`(a & b) >> c` becomes `(a >> c) & b`, and `a & b >> c` becomes `(a & b) >> c`."""
    left, right = sides_of(outer)
    if left is None or right is None or operator_of(outer) not in _LATER:
        return
    in_parentheses = left.named_children if left.type == "parenthesized_expression" else []
    inner = in_parentheses[0] if in_parentheses else None
    between = operator_of(inner)
    if inner is not None and between in _LATER and between != operator_of(outer):
        a, b = sides_of(inner)
        text = f"((({says(a)}) {operator_of(outer)} ({says(right)})) {between} ({says(b)}))"
        yield replaced(_FIRST, outer, text)
    within = operator_of(right)
    if within in _LATER and within != operator_of(outer):
        b, c = sides_of(right)
        text = f"(({says(left)} {operator_of(outer)} {says(b)}) {within} ({says(c)}))"
        yield replaced(_FIRST, outer, text)
