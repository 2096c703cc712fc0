"""The tile in place of global memory, and its own indices."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    all_of,
    begun,
    first_name,
    line_of,
    operator_of,
    says,
    sides_of,
)
from tilelab.repairs.edit import Change, Edit, Kind, replaced
from tilelab.repairs.families.names.kinds import VARIABLE
from tilelab.repairs.variables import Variable

_TILE = Kind(
    "read from global memory",
    "Is this element not in the tile already?",
    "What a thread of the block has loaded into the tile need not be loaded from global memory "
    "again.",
    0.9,
)
_OF_ITS_TILE = -0.7


def of(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    yield from _from_the_tile(kernel, known)
    yield from _neighbors_in_the_tile(kernel, known)
    yield from _on_the_other_side(kernel, known)
    yield from _indices_of_the_tile(kernel, known)
    yield from _ends_of_tiles(kernel, known)


def _from_the_tile(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """A read of global memory becomes one of the tile."""
    tiles = [one for one in known if one.is_shared and len(one.sizes) == 1]
    inputs = {one.name: one for one in known if one.is_parameter and one.holds == "pointer"}
    for read in all_of(kernel, "subscript_expression"):
        array = inputs.get(says(read.child_by_field_name("argument")))
        around = read.parent
        if array is None or around is None or says(around).startswith(f"{says(read)} ="):
            continue
        for tile in (one for one in tiles if one.type == array.type):
            for index in variables.visible(known, read.start_byte):
                if index.holds == "integer" and not index.is_parameter:
                    yield replaced(_TILE, read, f"{tile.name}[{index.name}]")


def _neighbors_in_the_tile(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """After `tile[t] = in[i]`, a read of `in[i - 1]` becomes one of `tile[t - 1]`, if it exists."""
    sizes = {one.name: one.sizes[0] for one in known if one.is_shared and len(one.sizes) == 1}
    for assignment in all_of(kernel, "assignment_expression"):
        slot, element = (assignment.child_by_field_name(side) for side in ("left", "right"))
        tile, place = subscripted(slot)
        array, index = subscripted(element)
        if tile not in sizes or not array or not index:
            continue
        for read in all_of(kernel, "subscript_expression"):
            other, beside = subscripted(read)
            step = beside.removeprefix(index).strip()
            if other != array or not beside.startswith(index) or step[:1] not in ("+", "-"):
                continue
            near = f"{place} {step}"
            inside = f"{near} >= 0 && {near} < int({sizes[tile]})"
            yield replaced(_TILE, read, f"({inside} ? {tile}[{near}] : {says(read)})", -0.1)


def _on_the_other_side(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """Near a read of `tile[t + d]`, a read of global memory becomes one of `tile[t - d]`."""
    tiles = {one.name for one in known if one.is_shared}
    inputs = {one.name for one in known if one.is_parameter and one.holds == "pointer"}
    for block in all_of(kernel, "compound_statement"):
        reads = [
            one
            for statement in block.named_children
            if statement.type in ("declaration", "expression_statement")
            for one in all_of(statement, "subscript_expression")
            if one.parent is None or one.parent.type != "subscript_expression"
        ]
        near = [one for one in reads if first_name(one) in tiles]
        for read in reads:
            around = read.parent
            is_stored = around is not None and around.child_by_field_name("left") == read
            if says(read.child_by_field_name("argument")) not in inputs or is_stored:
                continue
            for other in near:
                if not other.start_byte <= read.start_byte < other.end_byte:
                    yield from (replaced(_TILE, read, text, -0.2) for text in _mirrored(other))


def _ends_of_tiles(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """After `first = t * tile`, `first + block` becomes `first + tile`."""
    constants = {one.name for one in known if one.begin < kernel.start_byte}
    lengths = {
        name: says(length)
        for name, value in begun(kernel)
        for length in sides_of(value)[1:]
        if operator_of(value) == "*" and says(length) in constants
    }
    for total in all_of(kernel, "binary_expression"):
        first, length = sides_of(total)
        wanted = lengths.get(says(first), says(length))
        is_constant = length is not None and says(length) in constants
        if operator_of(total) == "+" and length and is_constant and wanted != says(length):
            yield replaced(VARIABLE, length, wanted, _OF_ITS_TILE, says(total))


def _mirrored(access: Node) -> Iterator[str]:
    """An access with each of its `+` a `-`, and each `-` a `+`, one at a time."""
    text, start = says(access).encode(), access.start_byte
    for one in all_of(access, "binary_expression"):
        operator = one.child_by_field_name("operator")
        if operator is not None and says(operator) in ("+", "-"):
            other = b"-" if says(operator) == "+" else b"+"
            place = operator.start_byte - start
            yield (text[:place] + other + text[place + 1 :]).decode()


def subscripted(node: Node | None) -> tuple[str, str]:
    """The array and the index of an access, empty if it is none."""
    if node is None or node.type != "subscript_expression":
        return "", ""
    index = next(all_of(node, "subscript_argument_list"), None)
    return says(node.child_by_field_name("argument")), says(index).strip("[]").strip()


def _indices_of_the_tile(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """One index of the whole becomes one of the block, in all accesses of a tile."""
    whole = [one for one in known if one.holds == "integer" and not one.is_parameter]
    for tile in (one for one in known if one.is_shared):
        uses = [
            use
            for access in all_of(kernel, "subscript_expression")
            if says(access.child_by_field_name("argument")) == tile.name
            for inner in all_of(access, "subscript_argument_list")
            for use in all_of(inner, "identifier")
        ]
        for name in sorted({says(use) for use in uses}):
            for other in whole:
                places = [use for use in uses if says(use) == name]
                if other.name != name and len(places) > 1:
                    changes = tuple(
                        Change(use.start_byte, use.end_byte, other.name) for use in places
                    )
                    yield Edit(VARIABLE, line_of(places[0]), name, changes, -0.2)
