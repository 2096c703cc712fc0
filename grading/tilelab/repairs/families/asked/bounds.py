"""Bounds: which index a condition asks about, and against which size."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations, islice

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    Code,
    all_of,
    condition_of,
    constants_of,
    is_zero,
    line_of,
    operator_of,
    parts_of,
    says,
    sides_of,
    terms_of,
)
from tilelab.repairs.edit import Change, Edit, Kind, replaced
from tilelab.repairs.variables import Variable

_EXCHANGED = Kind(
    "bounds exchanged",
    "Along which axis does each of these indices run, and how many elements are there along it?",
    "Each index has a size of its own. Where an array has as many rows as another one has columns, "
    "the same names need other bounds.",
    0.4,
)
_ELEMENT = Kind(
    "guard of another element",
    "Which element does this condition ask about, and which one is used behind it?",
    "A guard asks about the very index that is used behind it, with all that is added to it.",
    0.4,
)
_MADE_SURE_OF = Kind(
    "element that a condition asks for",
    "Which element does the condition in front of this make sure of, and which one is used here?",
    "A condition such as i > 0 or i + 1 < n makes sure of the element i - 1 or i + 1.",
    0.4,
)
_FILLED = Kind(
    "slot that nobody filled",
    "How many slots of this array has the block filled, and how many are read here?",
    "An array may have more slots than there are values. What the others hold is undefined, so a "
    "thread that has no value of its own must not use one.",
    0.5,
)
_MOST_COMPARED = 8  # of a condition: there are pairs of them
_COMPARED = ("<", "<=", ">", ">=")
_BRANCHES = ("if_statement", "conditional_expression", "for_statement", "while_statement")
_NAME = re.compile(r"[A-Za-z_]\w*")
_TAKEN = ("argument_list", "init_declarator", "return_statement")
_PLAIN = ("identifier", "number_literal", "field_expression")


def of(code: Code) -> Iterator[Edit]:
    constants = constants_of(code)
    for kernel in code.kernels:
        known = variables.of_function(code, kernel)
        for branch in all_of(kernel, *_BRANCHES):
            if (condition := condition_of(branch)) is not None:
                yield from _exchanged(condition)
                yield from _of_what_is_used(branch, condition, known)
                yield from _made_sure_of(branch, condition)
        yield from _filled(kernel, known, constants)


def _comparisons(condition: Node) -> list[Node]:
    parts = parts_of(condition, "&&", "||")
    return [one for one in parts if operator_of(one) in _COMPARED][:_MOST_COMPARED]


def _exchanged(condition: Node) -> Iterator[Edit]:
    """`r < rows && c < columns` becomes `r < columns && c < rows`."""
    for one, other in combinations(_comparisons(condition), 2):
        first, second = sides_of(one)[1], sides_of(other)[1]
        if first is not None and second is not None and says(first) != says(second):
            changes = (
                Change(first.start_byte, first.end_byte, says(second)),
                Change(second.start_byte, second.end_byte, says(first)),
            )
            yield Edit(_EXCHANGED, line_of(condition), says(condition), changes)


def _of_what_is_used(branch: Node, condition: Node, known: list[Variable]) -> Iterator[Edit]:
    """`row < rows` becomes `row + k < rows` where the guarded access is that of `row + k`."""
    body = branch.child_by_field_name("consequence")
    if body is None:
        return
    here = {one.name for one in variables.visible(known, condition.start_byte)}
    sums = dict(_sums(body))
    for one in _comparisons(condition):
        index = sides_of(one)[0]
        if index is None or index.type != "identifier":
            continue
        for text, terms in sums.items():
            if says(index) in terms and set(_NAME.findall(text)) <= here:
                yield replaced(_ELEMENT, index, text, word=says(one))


def _sums(body: Node) -> Iterator[tuple[str, list[str]]]:
    """The sums of names, numbers and products of two in the indices of arrays, with their terms."""
    for index in all_of(body, "subscript_argument_list"):
        for total in all_of(index, "binary_expression"):
            terms = terms_of(total)
            if len(terms) > 1 and all(map(_is_plain, terms)):
                yield says(total), [*map(says, terms)]


def _is_plain(term: Node) -> bool:
    """Whether a term is a name, a number or a product of two."""
    factors = sides_of(term) if operator_of(term) == "*" else (term,)
    return all(one is not None and one.type in _PLAIN for one in factors)


def _made_sure_of(branch: Node, condition: Node) -> Iterator[Edit]:
    """Behind `i > 0`, `a[i]` becomes `a[i - 1]`. Behind `i + 1 < n`, `i` becomes `i + 1`."""
    body = branch.child_by_field_name("consequence")
    parts = list(islice(parts_of(condition, "&&"), _MOST_COMPARED))
    yield from _as_asked(body, dict(asked for one in parts for asked in _asked(one)))
    is_first = operator_of(condition) == "==" and is_zero(sides_of(condition)[1])
    if is_first and (first := sides_of(condition)[0]) is not None:
        otherwise = branch.child_by_field_name("alternative")
        yield from _as_asked(otherwise, {says(first): f"{says(first)} - 1"})


def _asked(part: Node) -> Iterator[tuple[str, str]]:
    """An index, and the element before or after it that a part of a condition asks for."""
    left, right = sides_of(part)
    if left is None:
        return
    is_above = (operator_of(part) in (">", "!=") and is_zero(right)) or (
        operator_of(part) == ">=" and says(right) == "1"
    )
    first, *others = terms_of(left)
    if is_above:
        yield says(left), f"{says(left)} - 1"
    elif operator_of(part) in ("<", "<=") and others and first.type == "identifier":
        yield says(first), says(left)


def _as_asked(body: Node | None, wanted: Mapping[str, str]) -> Iterator[Edit]:
    """Indices, and sums that a function is called with, which begin as others are asked for."""
    if body is None or not wanted:
        return
    for place in all_of(body, "subscript_argument_list", "argument_list"):
        for value in place.named_children:
            first, *others = terms_of(value)
            meant = wanted.get(says(first), says(value))
            is_index = place.type == "subscript_argument_list"
            if says(value) != meant and (is_index or others):
                yield replaced(_MADE_SURE_OF, first, f"({meant})", word=says(value))


def _filled(kernel: Node, known: list[Variable], constants: set[str]) -> Iterator[Edit]:
    """What is read of a slot is 0 past the slots that a constant of the file counts."""
    tiles = {one.name: one.sizes[0] for one in known if one.is_shared and len(one.sizes) == 1}
    for value in all_of(kernel, "subscript_expression"):
        around = value.parent
        is_assigned = around is not None and around.child_by_field_name("right") == value
        if around is None or not (is_assigned or around.type in _TAKEN):
            continue
        array = says(value.child_by_field_name("argument"))
        slot = says(next(all_of(value, "subscript_argument_list"), None)).strip("[]")
        for count in sorted(constants - {tiles[array]}) if array in tiles else ():
            yield replaced(_FILLED, value, f"({slot} < {count} ? {says(value)} : 0)")
