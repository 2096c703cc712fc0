"""The variables of a function: where they can be used, and what they hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from tree_sitter import Node

from tilelab.repairs.code import Code, all_of, first_name, parents, says

Holds = Literal["integer", "real", "pointer", "array", "other"]

_INTEGERS = re.compile(
    r"\b(int|unsigned|signed|long|short|char|size_t|auto|u?int\d+_t|ptrdiff_t)\b"
)
_VECTOR = re.compile(r"[a-z]+[234]")
_REALS = re.compile(r"\b(float|double|half)\b")


@dataclass(frozen=True)
class Variable:
    """A variable that can be used between two offsets. `type` is that of its elements.

    `sizes` has the extents of an array.
    """

    name: str
    holds: Holds
    type: str
    begin: int
    end: int
    sizes: tuple[str, ...] = ()
    is_shared: bool = False
    is_parameter: bool = False

    def is_like(self, other: Variable) -> bool:
        """Whether one can stand where the other does."""
        return self.holds == other.holds and len(self.sizes) == len(other.sizes)


@lru_cache(maxsize=1024)  # Each family of edits asks for all functions.
def of_function(code: Code, function: Node) -> list[Variable]:
    """The variables that a function can use: its own, and the constants of the file."""
    own = [one for node in _declarations(function) for one in _declared(node, function)]
    return [*own, *(one for one in _outside(code) if one.begin < function.start_byte)]


@lru_cache(maxsize=2)
def _outside(code: Code) -> list[Variable]:
    return [
        one
        for node in _declarations(code.root)
        if not any(parent.type == "function_definition" for parent in parents(node))
        for one in _declared(node, code.root)
    ]


def visible(variables: list[Variable], at: int) -> Iterator[Variable]:
    return (one for one in variables if one.begin <= at < one.end)


def sizes_of_call(variables: Iterable[Variable]) -> list[str]:
    """The names of whole numbers that a function is called with: how much there is of something."""
    return [one.name for one in variables if one.is_parameter and one.holds == "integer"]


def is_vector(place: Node, known: list[Variable]) -> bool:
    """Whether a place holds a vector as a whole, such as a float4, which cannot be added to."""
    name = first_name(place)
    types = [one.type for one in known if one.name == name]
    return "." not in says(place) and any(_VECTOR.fullmatch(one) for one in types)


def _declarations(root: Node) -> Iterator[Node]:
    return all_of(root, "declaration", "parameter_declaration")


def _declared(node: Node, root: Node) -> Iterator[Variable]:
    is_parameter = node.type == "parameter_declaration"
    end = _end_of_scope(node, root)
    specifiers = [one for one in node.children if one.type in ("__shared__", "type_qualifier")]
    is_shared = any("__shared__" in says(one) for one in specifiers)
    of_type = says(node.child_by_field_name("type"))
    for declarator in node.children_by_field_name("declarator"):
        inner = declarator
        if inner.type == "init_declarator":
            inner = inner.child_by_field_name("declarator") or inner
        name = next(all_of(inner, "identifier"), None)
        if name is None or inner.type == "function_declarator":
            continue
        sizes = tuple(
            says(one.child_by_field_name("size")) for one in all_of(inner, "array_declarator")
        )
        is_function = any(one.type == "lambda_expression" for one in declarator.named_children)
        holds = "other" if is_function else _holds(of_type, inner, sizes)
        yield Variable(
            says(name), holds, of_type, declarator.end_byte, end, sizes, is_shared, is_parameter
        )


def _holds(of_type: str, declarator: Node, sizes: tuple[str, ...]) -> Holds:
    if sizes:
        return "array"
    if declarator.type == "pointer_declarator":
        return "pointer"
    if _REALS.search(of_type):
        return "real"
    return "integer" if _INTEGERS.search(of_type) else "other"


def _end_of_scope(node: Node, root: Node) -> int:
    if node.type == "parameter_declaration":
        around: tuple[str, ...] = ("function_definition",)
    else:
        around = ("compound_statement", "for_statement", "declaration_list")
    found = next((one for one in parents(node) if one.type in around), root)
    return int(found.end_byte)
