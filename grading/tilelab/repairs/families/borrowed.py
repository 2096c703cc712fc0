"""Expressions that stand elsewhere in the function, made of the same variables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, islice

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    Code,
    all_of,
    constants_of,
    line_of,
    operator_of,
    renamed,
    says,
    terms_of,
)
from tilelab.repairs.edit import Change, Edit, Kind, replaced

_AS_ELSEWHERE = Kind(
    "as elsewhere",
    "Where else does this function count the same thing, and does it count in the same way there?",
    "What is computed for an element has to be stored for the same one. If the two lines number "
    "the elements of a thread in two ways, they mean different ones.",
    0.5,
)
_BITS = Kind(
    "bits of a word",
    "Which bits are left after this shift, and how many of them are wanted?",
    "A shift to the right leaves all higher bits, too. A mask keeps the lowest ones.",
    0.4,
)
_BYTE = "0xff"
_MOST_TERMS = 5
_MOST_INDICES = 40  # of a statement, or of those that are compared with each other


def of(code: Code) -> Iterator[Edit]:
    constants = constants_of(code)
    for function in code.kernels:
        known = {one.name for one in variables.of_function(code, function)} - constants
        yield from _as_elsewhere(function, known)
        yield from _masked(function)
        yield from _counted_from(function)
        yield from _as_far_as(function, constants)
        yield from _other_indices(function, known)
        yield from _with_all_that_is_added(function)


def _as_elsewhere(function: Node, known: set[str]) -> Iterator[Edit]:
    """`t * each + p` becomes `t + p * threads` if that is what another sum makes of the two."""
    sums = [
        one
        for one in all_of(function, "binary_expression")
        if operator_of(one) == "+" and operator_of(one.parent) != "+"
    ]
    shapes: dict[frozenset[str], dict[str, None]] = {}
    for total in sums:
        for pair in _pairs(total):
            names = _names(pair, known)
            if len(names) == 2:
                shapes.setdefault(names, {})[" + ".join(map(says, pair))] = None
    for total in sums:
        for pair in _pairs(total):
            own = " + ".join(map(says, pair))
            for other in shapes.get(_names(pair, known), ()):
                if sorted(other) != sorted(own):
                    first, second = pair
                    changes = (
                        Change(first.start_byte, first.end_byte, f"({other})"),
                        Change(second.start_byte, second.end_byte, "0"),
                    )
                    yield Edit(_AS_ELSEWHERE, line_of(total), says(total), changes)


def _other_indices(function: Node, known: set[str]) -> Iterator[Edit]:
    """`a[now]` becomes `a[1 - now]` if another array is accessed so, with the same variables."""
    indices = [
        index
        for brackets in all_of(function, "subscript_argument_list")
        for index in brackets.named_children
    ]
    shapes: dict[tuple[str, ...], dict[str, None]] = {}
    for index in indices:
        shapes.setdefault(_used(index, known), {})[says(index)] = None
    for index in indices:
        names = _used(index, known)
        for other in islice(shapes[names], _MOST_INDICES) if 0 < len(names) < 3 else ():
            if other != says(index) and not (_is_near(other) and _is_near(says(index))):
                yield replaced(_AS_ELSEWHERE, index, other, 0.2, says(index.parent))
        # What is read by columns is often stored by rows.
        turnable = shapes.get(names[::-1], ()) if len(names) == 2 else ()
        for other in islice(turnable, _MOST_INDICES):
            turned = renamed(other, dict(zip(names[::-1], names, strict=True)))
            if turned != says(index):
                yield replaced(_AS_ELSEWHERE, index, turned, 0.2, says(index.parent))


def _counted_from(function: Node) -> Iterator[Edit]:
    """`best = i` becomes `best = begin + i` if that sum stands elsewhere."""
    sums: dict[str, dict[str, None]] = {}
    for total in all_of(function, "binary_expression"):
        if operator_of(total) == "+":
            for side in total.named_children:
                sums.setdefault(says(side), {})[says(total)] = None
    for assignment in all_of(function, "assignment_expression"):
        value = assignment.child_by_field_name("right")
        if value is not None and value.type == "identifier":
            for other in islice(sums.get(says(value), ()), _MOST_INDICES):
                yield replaced(_AS_ELSEWHERE, value, other, word=says(assignment))


def _as_far_as(function: Node, constants: set[str]) -> Iterator[Edit]:
    """`i + 1` becomes `i + width` if something is that far away elsewhere."""
    sums = [one for one in all_of(function, "binary_expression") if operator_of(one) == "+"]
    far = {says(side) for one in sums for side in one.named_children} & constants
    for total in sums:
        for side in total.named_children:
            if side.type == "number_literal":
                for other in sorted(far)[:_MOST_INDICES]:
                    yield replaced(_AS_ELSEWHERE, side, other, 0.1, says(total))


def _is_near(index: str) -> bool:
    """Whether an index is that of a variable or of a neighbor, which may be off by one."""
    return re.fullmatch(r"[A-Za-z_]\w*( [+-] \d+)?", index) is not None


def _used(index: Node, known: set[str]) -> tuple[str, ...]:
    """The variables of an index, in order."""
    names = [name for use in all_of(index, "identifier") if (name := says(use)) in known]
    return tuple(dict.fromkeys(names))


def _with_all_that_is_added(function: Node) -> Iterator[Edit]:
    """`tile[t + k][x ^ t]` becomes `tile[t + k][x ^ (t + k)]`."""
    for statement in all_of(function, "expression_statement"):
        lists = list(all_of(statement, "subscript_argument_list"))[:_MOST_INDICES]
        sums = {
            says(one): [*map(says, terms_of(one))]
            for brackets in lists
            for one in brackets.named_children
            if operator_of(one) == "+" and len(terms_of(one)) == 2
        }
        for brackets in lists:
            for use in all_of(brackets, "identifier"):
                for total, terms in sums.items():
                    if says(use) in terms and total not in says(brackets):
                        yield replaced(_AS_ELSEWHERE, use, f"({total})", 0.1, says(brackets))


def _pairs(total: Node) -> Iterator[tuple[Node, Node]]:
    terms = terms_of(total)
    if len(terms) <= _MOST_TERMS:
        yield from combinations(terms, 2)


def _names(terms: tuple[Node, Node], known: set[str]) -> frozenset[str]:
    return frozenset(
        name for term in terms for use in all_of(term, "identifier") if (name := says(use)) in known
    )


def _masked(function: Node) -> Iterator[Edit]:
    """`word >> 16` becomes `(word >> 16) & 0xff`, with the masks of the function."""
    shifts = list(all_of(function, "binary_expression"))
    masks = {says(one.child_by_field_name("right")) for one in shifts if operator_of(one) == "&"}
    for shift in shifts:
        around = shift.parent
        while around is not None and around.type == "parenthesized_expression":
            around = around.parent
        if operator_of(shift) == ">>" and operator_of(around) != "&":
            yield from (
                replaced(_BITS, shift, f"(({says(shift)}) & {mask})")
                for mask in sorted(masks | {_BYTE})
            )
