"""Expressions of which only a part is needed."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import Code, all_of, says
from tilelab.repairs.edit import Edit, Kind, replaced

_SIMPLER = Kind(
    "expression",
    "What does this come to for the threads 0 and 1, and does it need all of its parts?",
    "Work it out for two neighboring threads, and say what each part is for.",
)
_MOST_NAMES = 4


def of(code: Code) -> Iterator[Edit]:
    for function in code.functions:
        whole = {
            one.name for one in variables.of_function(code, function) if one.holds == "integer"
        }
        for expression in _expressions(function):
            names = [
                name for use in all_of(expression, "identifier") if (name := says(use)) in whole
            ]
            for name in list(dict.fromkeys(names))[:_MOST_NAMES]:
                # A remainder is often there for a reason that does not hold.
                yield replaced(_SIMPLER, expression, name, -0.3 if "%" in says(expression) else 0)


def _expressions(function: Node) -> Iterator[Node]:
    """What variables begin with, and the indices of arrays."""
    for declarator in all_of(function, "init_declarator"):
        value = declarator.child_by_field_name("value")
        if value is not None and value.type == "binary_expression":
            yield value
    for index in all_of(function, "subscript_argument_list"):
        yield from (one for one in index.named_children if one.type == "binary_expression")
