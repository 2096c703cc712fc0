"""Operations whose order is not the one that is meant."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs.code import (
    Code,
    all_of,
    condition_of,
    operator_of,
    said_between,
    says,
    sides_of,
)
from tilelab.repairs.edit import Edit, Kind, replaced

_FIRST = Kind(
    "order of operations",
    "Which of these operations has to come first, and on what?",
    "(a & b) >> c is not (a >> c) & b, nor is a + b / c the same as (a + b) / c. Work it out for "
    "small numbers.",
    0.6,
)
_ARITHMETIC = {"+", "-", "*", "/", "%"}
_LATER = {"&", "|", "^", "<<", ">>", *_ARITHMETIC}


_MOST_TERMS = 4


def of(code: Code) -> Iterator[Edit]:
    for function in code.functions:
        for outer in all_of(function, "binary_expression"):
            yield from _first(outer)
            yield from _into_the_call(outer)
        for choice in all_of(function, "conditional_expression"):
            yield from _chosen_first(choice)
        for call in all_of(function, "call_expression"):
            yield from _out_of_the_call(call)


def _chosen_first(choice: Node) -> Iterator[Edit]:
    """`a - b > 0 ? c : d` becomes `a - (b > 0 ? c : d)`."""
    condition = condition_of(choice)
    if condition is None:
        return
    first = condition
    while operator_of(first) and operator_of(first) not in _ARITHMETIC:
        left = sides_of(first)[0]
        if left is None:
            return
        first = left
    a, b = sides_of(first)
    if operator_of(first) and a is not None and b is not None:
        rest = said_between(choice, b.start_byte, choice.end_byte)
        yield replaced(_FIRST, choice, f"({says(a)} {operator_of(first)} ({rest}))", -0.3)


def _out_of_the_call(call: Node) -> Iterator[Edit]:
    """`min(a, b + c)` becomes `(min(a, b) + c)`."""
    arguments = call.child_by_field_name("arguments")
    if arguments is None or len(arguments.named_children) < 2:
        return
    last = arguments.named_children[-1]
    kept = last
    for _ in range(_MOST_TERMS):
        left = sides_of(kept)[0]
        if operator_of(kept) not in ("+", "-") or left is None:
            return
        kept = left
        inside = said_between(call, call.start_byte, kept.end_byte)
        rest = said_between(call, kept.end_byte, last.end_byte)
        yield replaced(_FIRST, call, f"({inside}){rest})")


def _into_the_call(total: Node) -> Iterator[Edit]:
    """`min(a, b) + c` becomes `min(a, b + c)`."""
    call = total
    for _ in range(_MOST_TERMS):
        left = sides_of(call)[0]
        if operator_of(call) not in ("+", "-") or left is None:
            return
        call = left
        arguments = call.child_by_field_name("arguments")
        if call.type == "call_expression" and arguments is not None and arguments.named_children:
            inside = said_between(total, total.start_byte, call.end_byte - 1)
            rest = said_between(total, call.end_byte, total.end_byte)
            yield replaced(_FIRST, total, f"{inside}{rest})")


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
