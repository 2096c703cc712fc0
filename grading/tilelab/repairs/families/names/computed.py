"""What a line takes from before, where it needs what has been computed from that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import islice, product

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    all_of,
    begun,
    condition_of,
    first_name,
    line_of,
    operator_of,
    parents,
    says,
    sides_of,
    statements,
)
from tilelab.repairs.edit import Change, Edit, Kind, joined, replaced
from tilelab.repairs.families.names.uses import built_in
from tilelab.repairs.variables import Variable

_COMPUTED = Kind(
    "value from before",
    "Does this line need what was there before, or what has been computed from it?",
    "Once a line above has computed something new from a value, the value itself is the old one.",
    0.4,
)
_DRAWN = Kind(
    "number of the block",
    "Which part of the work does this block have: that of its index, or that of another number?",
    "Blocks start in any order. A block that has drawn a number works on the part of that number.",
    0.4,
)
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_PLAIN = ("expression_statement", "declaration", "return_statement")
_ELEMENTS = ("pointer_expression", "subscript_expression")
_MOST_NEWER = 4  # of a value


def of(function: Node, known: list[Variable], constants: set[str]) -> Iterator[Edit]:
    yield from _of_the_round(function)
    yield from _of_results(function, known)
    newer = _newer(function)
    for piece in _pieces(function):
        by_base: dict[str, list[Edit]] = defaultdict(list)
        for use in _values(piece):
            # A variable in place of another is an edit of its own family.
            for name in _usable(use, newer, known):
                if use.type == "field_expression":
                    edit = replaced(_COMPUTED, use, name)
                    by_base[says(use.child_by_field_name("argument"))].append(edit)
                    yield edit
                elif says(use) in constants:
                    yield replaced(_COMPUTED, use, name)
        for edits in by_base.values():
            places = {edit.changes[0].begin for edit in edits}
            if len(edits) == len(places) > 1:
                yield joined(edits, extra=-0.1)
        for comparison in all_of(piece, "binary_expression"):
            if operator_of(comparison) in _COMPARISONS:
                yield from _both_sides(comparison, newer, known)


def _of_the_round(function: Node) -> Iterator[Edit]:
    """In `for (float* one : array)`, `*array` or `array[0]` becomes `one`."""
    for loop in all_of(function, "for_range_loop"):
        array, body = says(loop.child_by_field_name("right")), loop.child_by_field_name("body")
        name = first_name(loop.child_by_field_name("declarator") or loop)
        for use in all_of(body, *_ELEMENTS) if body is not None and name else ():
            if says(use.child_by_field_name("argument")) == array:
                yield replaced(_COMPUTED, use, name, word=says(use.parent))


def drawn(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """`blockIdx.x` becomes a number that the kernel has computed or drawn before."""
    for use in built_in(kernel):
        if says(use) != "blockIdx.x":
            continue
        for one in variables.visible(known, use.start_byte):
            if one.holds == "integer" and not one.is_parameter and one.begin > kernel.start_byte:
                yield replaced(_DRAWN, use, one.name)


def _newer(function: Node) -> dict[str, list[tuple[str, int]]]:
    """The variables that begin with something made of a value, and where each of them begins."""
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for name, value in begun(function):
        for part in _values(value):
            if len(found[says(part)]) < _MOST_NEWER:
                found[says(part)].append((name, value.end_byte))
    return found


def _of_results(function: Node, known: list[Variable]) -> Iterator[Edit]:
    """`next = xyz(old)` becomes `next = v` after `v = xyz(old) + change`."""
    newer: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for name, value in begun(function):
        for part in all_of(value, "call_expression"):
            if part != value and len(newer[says(part)]) < _MOST_NEWER:
                newer[says(part)].append((name, value.end_byte))
    for use in all_of(function, "call_expression"):
        yield from (replaced(_COMPUTED, use, name) for name in _usable(use, newer, known))


def _pieces(function: Node) -> Iterator[Node]:
    yield from (one for one in statements(function) if one.type in _PLAIN)
    for one in all_of(function, "if_statement", "while_statement", "for_statement"):
        condition = condition_of(one)
        if condition is not None:
            yield condition


def _values(root: Node) -> Iterator[Node]:
    """The variables, and the members of variables, in an expression."""
    waiting = [root]
    while waiting:
        one = waiting.pop()
        if one.type in ("identifier", "field_expression"):
            if not _is_written(one):
                yield one
        else:
            waiting += reversed(one.children)


def _is_written(use: Node) -> bool:
    around = use.parent
    if around is None:
        return True
    if around.type == "assignment_expression":
        return around.child_by_field_name("left") == use
    if around.type == "call_expression":
        return around.child_by_field_name("function") == use
    return around.type in ("update_expression", "array_declarator") or (
        around.child_by_field_name("declarator") == use
    )


def _usable(
    use: Node, newer: Mapping[str, list[tuple[str, int]]], known: list[Variable]
) -> list[str]:
    """The names that something made of this value has by then."""
    found = {name for name, begin in newer.get(says(use), ()) if begin < use.start_byte}
    if not found:
        return []
    visible = {one.name for one in variables.visible(known, use.start_byte)}
    own = {
        says(one.child_by_field_name("declarator"))
        for one in parents(use)
        if one.type == "init_declarator"
    }
    return sorted((found & visible) - own - {says(use)})


def _both_sides(
    comparison: Node, newer: Mapping[str, list[tuple[str, int]]], known: list[Variable]
) -> Iterator[Edit]:
    """`slot != threadIdx.x` becomes `element != own`, if those are made of these."""
    left, right = sides_of(comparison)
    sides = [one for one in (left, right) if one is not None and list(_values(one)) == [one]]
    if len(sides) != 2:
        return
    names = [_usable(one, newer, known) for one in sides]
    for pair in islice(product(*names), _MOST_NEWER**2):
        changes = tuple(
            Change(one.start_byte, one.end_byte, name)
            for one, name in zip(sides, pair, strict=True)
        )
        yield Edit(_COMPUTED, line_of(comparison), says(comparison), changes, -0.1)
