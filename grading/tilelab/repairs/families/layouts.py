"""How far apart things lie that are counted along several axes in one array."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    Code,
    all_of,
    condition_of,
    constants_of,
    operator_of,
    says,
    sides_of,
)
from tilelab.repairs.edit import Edit, Kind, replaced

_LAYOUT = Kind(
    "layout of an array",
    "Which two elements lie next to each other in this array, and which ones lie a row apart?",
    "Where an array is filled and where it is read, the same index has to run along its rows.",
    0.4,
)
_SHARE = Kind(
    "share of a block",
    "How many elements does each block have, and where do those of the next block begin?",
    "If a thread takes several elements, the elements of a block are that many times its threads.",
    0.5,
)
_ALL = Kind(
    "slots in all rows",
    "How many slots does the array have in all its rows, and how many does this loop reach?",
    "An array of r rows of c slots has r * c slots.",
    0.4,
)
_MOST_STRIDES = 8


def of(code: Code) -> Iterator[Edit]:
    constants = sorted(constants_of(code))
    for function in code.kernels:
        known = variables.of_function(code, function)
        sizes = sorted(one.name for one in known if one.holds == "integer")
        strides = list(dict.fromkeys(_strides(function, constants, sizes)))[:_MOST_STRIDES]
        for total in all_of(function, "binary_expression"):
            yield from _turned(total, strides)
            yield from _of_a_block(total, constants)
        shapes = [one.sizes for one in known if one.is_shared and len(one.sizes) > 1]
        for loop in all_of(function, "for_statement"):
            yield from _of_all_rows(loop, shapes)


def _strides(function: Node, constants: list[str], sizes: list[str]) -> Iterator[str]:
    """The names that indices are multiplied by, and then all constants and sizes."""
    names = {*constants, *sizes}
    for one in all_of(function, "binary_expression"):
        if operator_of(one) == "*":
            yield from (says(side) for side in sides_of(one) if says(side) in names)
    yield from constants
    yield from sizes


def _turned(total: Node, strides: list[str]) -> Iterator[Edit]:
    """`row * columns + column` becomes `column * rows + row`."""
    product, other = sides_of(total)
    if operator_of(total) != "+" or operator_of(product) != "*" or product is None:
        return
    if other is None or other.type != "identifier" or operator_of(total.parent) in ("+", "-"):
        return
    one, stride = sides_of(product)
    if one is None or stride is None or one.type != "identifier":
        return
    for text in strides:
        if text not in (says(one), says(other)):
            yield replaced(_LAYOUT, total, f"({says(other)} * {text} + {says(one)})")


def _of_a_block(product: Node, constants: list[str]) -> Iterator[Edit]:
    """`blockIdx.x * blockDim.x` becomes that times the elements of a thread."""
    sides = {says(one) for one in sides_of(product)}
    is_first = operator_of(product) == "*" and "blockIdx.x" in sides
    if is_first and operator_of(product.parent) != "*" and sides & {"blockDim.x", *constants}:
        for name in constants[:_MOST_STRIDES]:
            if name not in sides:
                yield replaced(_SHARE, product, f"({says(product)} * {name})")


def _of_all_rows(loop: Node, shapes: list[tuple[str, ...]]) -> Iterator[Edit]:
    """The end of a loop over the slots of one row becomes that of all rows."""
    condition = condition_of(loop)
    end = sides_of(condition)[1] if condition is not None else None
    if end is None or "=" in operator_of(condition):
        return
    for sizes in shapes:
        if says(end) in sizes:
            yield replaced(_ALL, end, " * ".join(reversed(sizes)), word=says(condition))
