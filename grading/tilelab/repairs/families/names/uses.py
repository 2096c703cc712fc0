"""A variable, an array or an axis in place of another."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    BUILT_IN,
    Code,
    all_of,
    beginnings,
    begun,
    operator_of,
    parents,
    says,
)
from tilelab.repairs.edit import Edit, joined, replaced
from tilelab.repairs.families.names.kinds import ARRAY, AXIS, VARIABLE
from tilelab.repairs.variables import Variable

# A name that is wrong is usually wrong wherever a statement uses it.
_ALL_USES = -0.25
# One is made of the other, as a row of the array of a row of the tile, or stands for it, too.
_LIKELY = -0.4
# Both are lengths that the function is given.
_SIZES = -0.35
# They say how many tiles there are.
_COUNTED = -0.6
# A constant is seldom meant to be a variable.
_OF_THE_FILE = 0.3
_AXES = {"x": ("y",), "y": ("x", "z"), "z": ("y",)}
_COORDINATES = {f"threadIdx.{axis}" for axis in _AXES}
_STATEMENTS = ("declaration", "expression_statement", "return_statement")


@dataclass(frozen=True)
class File:
    """The names in the sizes of shared arrays, and the statements that a file has several times."""

    extents: AbstractSet[str]
    repeated: AbstractSet[str]

    @classmethod
    def of(cls, code: Code) -> File:
        sizes = (
            declarator.child_by_field_name("size")
            for declaration in all_of(code.root, "declaration")
            if "__shared__" in says(declaration)
            for declarator in all_of(declaration, "array_declarator")
        )
        names = (name for size in sizes if size is not None for name in _names(size))
        texts = Counter(says(one) for one in all_of(code.root, *_STATEMENTS))
        return cls(frozenset(names), {text for text, count in texts.items() if count > 1})


def _names(root: Node) -> Iterator[str]:
    return (says(one) for one in all_of(root, "identifier"))


def of(function: Node, known: list[Variable], file: File) -> Iterator[Edit]:
    in_statement: dict[tuple[Node | None, str, str], list[Edit]] = defaultdict(list)
    for statement, edit in _each_replaced(function, known, file):
        yield edit
        in_statement[statement, edit.word, edit.changes[0].text].append(edit)
    for edits in in_statement.values():
        if len(edits) > 1:
            yield joined(edits, extra=_ALL_USES)


def _each_replaced(
    function: Node, known: list[Variable], file: File
) -> Iterator[tuple[Node | None, Edit]]:
    """Each use of a variable, as one of another, with the statement around it."""
    by_name = {one.name: one for one in known}
    begins = beginnings(function)
    values = {
        name: {says(part) for part in all_of(value, "identifier")}
        for name, value in begun(function)
    }
    used: dict[int, list[str]] = {}
    counted = {use.id: says(use) for use in _in_tiles(function)}
    in_tiles = set(counted.values())
    for use in all_of(function, "identifier"):
        own = by_name.get(says(use))
        if own is None or not _is_use(use, own):
            continue
        statement = statement_of(use)
        beside = None
        if statement is not None and own.is_parameter:
            if statement.id not in used:
                used[statement.id] = list(_names(statement))
            beside = _beside_itself(statement, own, used[statement.id], file.repeated)
        for other in variables.visible(known, use.start_byte):
            if other.name != own.name and other.is_like(own):
                kind = VARIABLE if own.holds in ("integer", "real") else ARRAY
                is_made_of_it = own.name in values.get(other.name, ())
                is_likely = is_made_of_it or (beside is not None and other.name not in beside)
                is_likely |= _are_two_axes(begins.get(own.name), begins.get(other.name))
                is_likely |= _differ_in_a_letter(own.name, other.name)
                # What a tile is as long as is often what its rows are apart.
                if max(own.begin, other.begin) < function.start_byte:
                    is_likely |= other.name in file.extents and own.name not in file.extents
                extra = _LIKELY if is_likely else _SIZES if _are_sizes(own, other) else 0
                if own.begin < function.start_byte <= other.begin:
                    extra += _OF_THE_FILE
                elif _are_sizes(own, other) and use.id in counted:
                    extra = _COUNTED if other.name not in in_tiles else extra
                edit = replaced(kind, use, other.name, extra + _distance(own, other))
                yield statement, edit


def _are_two_axes(one: str | None, other: str | None) -> bool:
    """Whether variables begin as coordinates of the thread along different axes."""
    return {one, other} <= _COORDINATES and one != other


def _are_sizes(one: Variable, other: Variable) -> bool:
    """Whether both are lengths that a function is given, such as the rows and the columns."""
    are_given = one.is_parameter and other.is_parameter
    return are_given and one.holds == other.holds == "integer"


def _in_tiles(function: Node) -> Iterator[Node]:
    """The lengths in quotients such as `(length + tile - 1) / tile`."""
    for quotient in all_of(function, "binary_expression"):
        if operator_of(quotient) == "/" and {"+", "1"} <= set(says(quotient)):
            yield from all_of(quotient, "identifier")


def _differ_in_a_letter(one: str, other: str) -> bool:
    """Whether two longer names are told apart by one letter, such as bestA and bestB."""
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) > 2 and sum(a != b for a, b in pairs) == 1


def _beside_itself(
    statement: Node, one: Variable, used: list[str], repeated: AbstractSet[str]
) -> set[str] | None:
    """The names that a statement uses, if it uses a parameter twice, or is a copy of another."""
    value = says(statement).partition("=")[2]
    neighbors = (statement.prev_named_sibling, statement.next_named_sibling)
    is_copied = says(statement) in repeated or any(
        value and value == says(near).partition("=")[2] for near in neighbors
    )
    return set(used) if is_copied or used.count(one.name) > 1 else None


def statement_of(use: Node) -> Node | None:
    return next((one for one in parents(use) if one.type in _STATEMENTS), None)


def _is_use(node: Node, variable: Variable) -> bool:
    around = node.parent
    if around is None or not variable.begin <= node.start_byte < variable.end:
        return False
    if around.type == "assignment_expression":
        return variable.holds == "pointer" or around.child_by_field_name("left") != node
    return around.type not in ("update_expression", "parameter_declaration", "array_declarator")


def _distance(one: Variable, other: Variable) -> float:
    return (0.0 if one.type == other.type else 0.3) + (
        0.0 if one.is_parameter == other.is_parameter else 0.2
    )


def axes(function: Node) -> Iterator[Edit]:
    for use in built_in(function):
        field = use.child_by_field_name("field")
        assert field is not None
        for other in _AXES.get(says(field), ()):
            yield replaced(AXIS, field, other, 0.1, says(use))
        base = use.child_by_field_name("argument")
        for name in BUILT_IN:
            if base is not None and name != says(base):
                yield replaced(VARIABLE, base, name, 0.3, says(use))


def built_in(root: Node) -> Iterator[Node]:
    for use in all_of(root, "field_expression"):
        if says(use.child_by_field_name("argument")) in BUILT_IN:
            yield use
