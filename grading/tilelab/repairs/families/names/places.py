"""Two names, or two axes, that change places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, combinations, pairwise

from tree_sitter import Node

from tilelab.repairs.code import (
    all_of,
    beginnings,
    line_of,
    says,
    statements,
)
from tilelab.repairs.edit import Change, Edit, Kind, joined
from tilelab.repairs.families.names.kinds import ARRAY, AXIS, VARIABLE
from tilelab.repairs.families.names.uses import built_in, statement_of
from tilelab.repairs.variables import Variable

_OF_NAMES = {"integer": AXIS, "real": VARIABLE, "pointer": ARRAY, "array": ARRAY}
# Then the launch is rather what exchanges them.
_FITS_ALREADY = 0.3


def of(function: Node, known: list[Variable]) -> Iterator[Edit]:
    """Two names, or two axes, that change places in an index, a statement, or two that follow."""
    found = list(statements(function))
    pieces = [[one] for one in found]
    pieces += [list(two) for two in pairwise(found) if two[0].parent == two[1].parent]
    pieces += [list(all_of(function, "compound_statement"))[:1]]
    pieces += [[one] for one in all_of(function, "subscript_argument_list")]
    seen = set()
    threads = {name: value[-1] for name, value in beginnings(function).items() if _is_axis(value)}
    for piece in pieces:
        for edit in chain(_axes_of(piece, threads), _names_of(piece, known)):
            if edit.changes not in seen:
                seen.add(edit.changes)
                yield edit


def _is_axis(value: str) -> bool:
    return value in ("threadIdx.x", "threadIdx.y")


def _axes_of(piece: list[Node], threads: Mapping[str, str]) -> Iterator[Edit]:
    for names in (("threadIdx",), ("blockIdx",), ("threadIdx", "blockIdx", "blockDim")):
        fields = [
            field
            for root in piece
            for use in built_in(root)
            if says(use.child_by_field_name("argument")) in names
            and (field := use.child_by_field_name("field")) is not None
        ]
        if {"x", "y"} <= {says(one) for one in fields}:
            fits = names == ("blockIdx",) and _fits(fields[0], threads)
            edit = _swapped(AXIS, fields, "x", "y", _FITS_ALREADY if fits else 0)
            yield edit
            yield from (joined([edit, other]) for other in _axes_by_name(piece))


def _fits(field: Node, threads: Mapping[str, str]) -> bool:
    """Whether the index of the block is added to that of the thread along the same axis."""
    around = statement_of(field)
    if around is None:
        return False
    axis = says(field)
    names = [says(one) for one in all_of(around, "identifier")]
    return f"threadIdx.{axis}" in says(around) or axis in map(threads.get, names)


def _axes_by_name(piece: list[Node]) -> Iterator[Edit]:
    """Variables such as tx and ty change places."""
    uses = [use for root in piece for use in all_of(root, "identifier") if not _declares(use)]
    names = {says(one) for one in uses}
    for name in sorted(names):
        other = name.replace("x", "y")
        if other != name and other in names:
            yield _swapped(AXIS, [use for use in uses if says(use) in (name, other)], name, other)


def _names_of(piece: list[Node], known: list[Variable]) -> Iterator[Edit]:
    usable = {one.name: one for one in known if one.holds in _OF_NAMES}
    uses: dict[str, list[Node]] = {}
    for root in piece:
        for use in all_of(root, "identifier"):
            if says(use) in usable and not _declares(use):
                uses.setdefault(says(use), []).append(use)
    for first, second in combinations(sorted(uses), 2):
        one, other = usable[first], usable[second]
        if one.is_like(other):
            places = sorted((*uses[first], *uses[second]), key=lambda use: use.start_byte)
            extra = -0.4 if one.holds == "real" else 0.2  # There are few of these.
            yield _swapped(_OF_NAMES[one.holds], places, first, second, extra)


def _declares(use: Node) -> bool:
    around = use.parent
    if around is None:
        return False
    if around.type == "init_declarator":
        return around.child_by_field_name("declarator") == use
    return around.type in ("parameter_declaration", "array_declarator", "pointer_declarator")


def _swapped(kind: Kind, nodes: list[Node], one: str, other: str, extra: float = 0) -> Edit:
    changes = tuple(
        Change(node.start_byte, node.end_byte, other if says(node) == one else one)
        for node in nodes
    )
    return Edit(kind, line_of(nodes[0]), says(nodes[0]), changes, extra)
