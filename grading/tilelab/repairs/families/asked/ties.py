"""Searches for the best element: which of two that are equally good is kept."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs.code import Code, all_of, condition_of, operator_of, parts_of, says, sides_of
from tilelab.repairs.edit import Edit, Kind, replaced

_TIE = Kind(
    "equally good",
    "Of two that are equally good, which one does this keep, and which one is asked for?",
    "The first one that a search meets need not be the one with the lowest index: another thread "
    "may have found that one. Where values are equal, indices decide.",
    0.4,
)


def of(code: Code) -> Iterator[Edit]:
    for kernel in code.kernels:
        for branch in all_of(kernel, "if_statement"):
            yield from _lowest_index(branch)


def _lowest_index(branch: Node) -> Iterator[Edit]:
    """`d < best` becomes `d < best || (d == best && i < index)` where both are then kept."""
    condition, body = condition_of(branch), branch.child_by_field_name("consequence")
    if condition is None or body is None:
        return
    kept = {
        says(place): says(value)
        for one in all_of(body, "assignment_expression")
        for place, value in [sides_of(one)]
    }
    for one in parts_of(condition, "&&"):
        left, right = map(says, sides_of(one))
        is_kept = kept.get(right) == left or kept.get(left) == right
        if operator_of(one) not in ("<", ">") or not is_kept:
            continue
        for index, value in kept.items():
            if index not in (left, right):
                equal = f"({left} == {right} && {value} < {index})"
                yield replaced(_TIE, one, f"({says(one)} || {equal})")
