"""What a thread at the edge of its block reads: an element of another block's tile."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    all_of,
    beginnings,
    condition_of,
    operator_of,
    says,
    sides_of,
    spliced,
)
from tilelab.repairs.edit import Edit, Kind, replaced
from tilelab.repairs.families.names.tiles import subscripted
from tilelab.repairs.variables import Variable

_BEYOND = Kind(
    "neighbor in another block",
    "Which element is next to this one, and in which block's tile is it?",
    "The first and the last thread of a block have neighbors, too, but in the tiles of other "
    "blocks. Only the first and the last of all elements have none.",
    0.4,
)


def of(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """Where the others read `tile[t - 1]`, the first thread of a block reads `in[i - 1]`."""
    sources = _sources(kernel, {one.name for one in known if one.is_shared})
    sizes = variables.sizes_of_call(known)
    for own, others in _apart(kernel) if sources else ():
        for text in _beyond(others, sources, sizes):
            yield replaced(_BEYOND, own, text)


def _apart(kernel: Node) -> Iterator[tuple[Node, Node]]:
    """What one thread of the block does, and what the others do in its place."""
    values = beginnings(kernel)
    for branch in all_of(kernel, "if_statement", "conditional_expression"):
        asked = condition_of(branch)
        thread = says(sides_of(asked)[0]) if asked is not None else ""
        if operator_of(asked) and values.get(thread, thread) == "threadIdx.x":
            one = branch.child_by_field_name("consequence")
            other = branch.child_by_field_name("alternative")
            if other is not None and other.type == "else_clause":
                other = other.named_children[0] if other.named_children else None
            if one is not None and other is not None:
                yield from ((one, other), (other, one))


def _sources(kernel: Node, tiles: set[str]) -> dict[str, tuple[str, str, str]]:
    """For each tile the slot of a thread, and the array and the index that it is filled from."""
    held = {
        says(place): element
        for place, element in _stores(kernel)
        if place.type == "identifier" and subscripted(element)[0]
    }
    held |= {
        name: value
        for one in all_of(kernel, "init_declarator")
        if (value := one.child_by_field_name("value")) is not None
        and subscripted(value)[0]
        and (name := says(one.child_by_field_name("declarator")))
    }
    sources = {}
    for place, value in _stores(kernel):
        tile, slot = subscripted(place)
        array, index = subscripted(held.get(says(value), value))
        if tile in tiles and array and array not in tiles:
            sources[tile] = slot, array, index
    return sources


def _stores(kernel: Node) -> Iterator[tuple[Node, Node]]:
    for one in all_of(kernel, "assignment_expression"):
        place, value = sides_of(one)
        if place is not None and value is not None:
            yield place, value


def _beyond(
    others: Node, sources: dict[str, tuple[str, str, str]], sizes: list[str]
) -> Iterator[str]:
    """What the others do, with the array in place of a slot next to their own."""
    for read in all_of(others, "subscript_expression"):
        tile, beside = subscripted(read)
        slot, array, index = sources.get(tile, ("", "", ""))
        step = beside.removeprefix(slot).strip()
        if not slot or not beside.startswith(slot) or step[:1] not in ("+", "-"):
            continue
        place = f"{index} {step}"
        inside = [f"{place} >= 0"] if step[0] == "-" else [f"{place} < {size}" for size in sizes]
        for one in inside:
            yield spliced(others, read, f"({one} ? {array}[{place}] : 0)")
