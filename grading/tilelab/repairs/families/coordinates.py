"""Coordinates: which thread has which element, as seen from the kernel and from the launch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    Code,
    all_of,
    beginnings,
    begun,
    calls,
    first_name,
    is_barrier,
    is_launched,
    line_of,
    operator_of,
    parents,
    says,
    sides_of,
    statements,
)
from tilelab.repairs.edit import Change, Edit, Kind, joined, replaced

_TURNED = Kind(
    "axes exchanged",
    "Where do neighboring threads of a warp store, and where do they load?",
    "A thread need not store what it has loaded. Neighboring threads should load neighboring "
    "elements and store neighboring elements, so between the two a tile changes hands.",
    0.5,
)
_BOTH = Kind(
    "axes exchanged",
    "Which threads are neighbors in a warp, and which elements do they have?",
    "threadIdx.x is the fastest: neighboring threads differ in x. So x belongs to the axis along "
    "which elements lie next to each other, in the kernel and in the shape of the block.",
    0.3,
)
_MOVED = Kind(
    "axes exchanged",
    "Where does the tile in the second row and the third column of tiles end up?",
    "A tile that moves to another place is stored at another index of the block than it was "
    "loaded from.",
    0.3,
)
_ROUND = Kind(
    "slot of the tile",
    "Which slot do two successive tiles of one block get?",
    "The tiles of a block are a whole grid apart. Slots take turns from round to round of the "
    "block, whatever the numbers of the tiles are.",
    0.5,
)
_PITCH = Kind(
    "length of a row",
    "How many elements of this array lie between two neighbors in a column?",
    "The element in row r and column c has the index r * (elements in a row) + c, and each array "
    "has rows of its own length.",
    0.5,
)
_SIZE = Kind(
    "which size",
    "Along which axis does this line move, and how many elements are there along it?",
    "Each axis has a size of its own. With all sizes equal, the wrong one does not show.",
    0.6,
)
_FOLDED = Kind(
    "sizes of a call",
    "How far apart in memory are two neighbors along the axis in question?",
    "Axes that lie before the axis of interest act like one long row, so their sizes multiply.",
    0.7,
)
_NUMBER = Kind(
    "number for a variable",
    "Is this the same number for all blocks, threads and rounds?",
    "Say in words what the number counts, and on what it depends.",
    0.9,
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_AXES_OF_THE_BLOCK = re.compile(r"\bblockIdx\.([xyz])\b")
_TURN = re.compile(r"(?s).+(?:% 2|& 1)\)?")


def of(code: Code) -> Iterator[Edit]:
    for kernel in code.kernels:
        yield from _turned(kernel)
        yield from _moved(kernel)
        yield from _moved_by_name(kernel)
        yield from _by_rounds(kernel)
        yield from _taking_turns(kernel)
        yield from _instead_of_numbers(kernel)
        yield from _pitches(code, kernel)
    yield from _in_kernel_and_launch(code)
    for function in code.functions:
        yield from _folded(code, function)


def _turned(kernel: Node) -> Iterator[Edit]:
    """In a statement, x and y of the thread change places, also in what was made of them."""
    values = beginnings(kernel)
    pairs = [
        (one, other)
        for one, value in values.items()
        for other, beside in values.items()
        if value == "threadIdx.x" and beside == "threadIdx.y"
    ] + [("threadIdx.x", "threadIdx.y")]
    for statement in statements(kernel):
        if statement.type not in ("expression_statement", "if_statement"):
            continue
        for pair in pairs:
            if changes := tuple(_with_turned(statement, pair, values)):
                line = line_of(statement)
                yield Edit(_TURNED, line, says(statement), changes)


def _moved(kernel: Node) -> Iterator[Edit]:
    """After the last barrier, x and y of the block change places."""
    barriers = [one.end_byte for one in statements(kernel) if is_barrier(one)]
    fields = [
        field
        for use in all_of(kernel, "field_expression")
        if barriers and use.start_byte > max(barriers)
        if says(use.child_by_field_name("argument")) == "blockIdx"
        and (field := use.child_by_field_name("field")) is not None
    ]
    if {"x", "y"} <= {says(one) for one in fields}:
        other = {"x": "y", "y": "x"}
        changes = tuple(
            Change(one.start_byte, one.end_byte, other.get(says(one), says(one))) for one in fields
        )
        yield Edit(_MOVED, line_of(fields[0]), says(fields[0].parent), changes)


def _moved_by_name(kernel: Node) -> Iterator[Edit]:
    """The same for variables that hold where the block begins along x and along y."""
    last = max((one.end_byte for one in statements(kernel) if is_barrier(one)), default=None)
    if last is None:
        return
    blocks = {
        name: set(_AXES_OF_THE_BLOCK.findall(says(value)))
        for name, value in begun(kernel)
        if value.end_byte < last and "threadIdx" not in says(value)
    }
    along_x = [name for name, axes in blocks.items() if axes == {"x"}]
    along_y = [name for name, axes in blocks.items() if axes == {"y"}]
    later = [use for use in all_of(kernel, "identifier") if use.start_byte > last]
    for one, other in ((one, other) for one in along_x for other in along_y):
        uses = [use for use in later if says(use) in (one, other)]
        if {one, other} == {says(use) for use in uses}:
            changes = tuple(
                Change(use.start_byte, use.end_byte, other if says(use) == one else one)
                for use in uses
            )
            yield Edit(_MOVED, line_of(uses[0]), says(uses[0].parent), changes)


def _with_turned(
    statement: Node, pair: tuple[str, str], values: dict[str, str]
) -> Iterator[Change]:
    for use in all_of(statement, "identifier", "field_expression"):
        around = use.parent
        if around is not None and around.type == "field_expression":
            continue
        text = says(use)
        value = values.get(text, "")
        turned = _turn(text, pair)
        if turned != text:
            yield Change(use.start_byte, use.end_byte, turned)
        elif value and _turn(value, pair) != value:
            yield Change(use.start_byte, use.end_byte, f"({_turn(value, pair)})")


def _turn(text: str, pair: tuple[str, str]) -> str:
    names = "|".join(map(re.escape, pair))
    other = {pair[0]: pair[1], pair[1]: pair[0]}
    return re.sub(rf"(?<![.\w])({names})\b", lambda found: other[found[1]], text)


def _in_kernel_and_launch(code: Code) -> Iterator[Edit]:
    """x and y of all threads change places, and with them the sides of the block.

    Or x and y of all blocks, and with them those of the grid.
    """
    yield from _turned_together(code, ("threadIdx", "blockDim"))
    yield from _turned_together(code, ("blockIdx", "gridDim"))


def _turned_together(code: Code, names: tuple[str, str]) -> Iterator[Edit]:
    for kernel in code.kernels:
        fields = [
            field
            for use in all_of(kernel, "field_expression")
            if says(use.child_by_field_name("argument")) in names
            and (field := use.child_by_field_name("field")) is not None
        ]
        if not {"x", "y"} <= {says(one) for one in fields}:
            continue
        other = {"x": "y", "y": "x"}
        inside = Edit(
            _BOTH,
            line_of(fields[0]),
            says(fields[0].parent),
            tuple(
                Change(one.start_byte, one.end_byte, other.get(says(one), says(one)))
                for one in fields
            ),
        )
        for sides in _sides(code):
            one, two = sides.named_children[:2]
            if says(one) == says(two):
                continue
            changes = (
                Change(one.start_byte, one.end_byte, says(two)),
                Change(two.start_byte, two.end_byte, says(one)),
            )
            yield joined([inside, Edit(_BOTH, line_of(one), says(one), changes)])


def _sides(code: Code) -> Iterator[Node]:
    """The lists of the sizes of each dim3 that the host makes."""
    for function in code.host_functions:
        for sizes in all_of(function, "argument_list", "parameter_list"):
            text = says(sizes.parent)
            around = says(sizes.parent.parent if sizes.parent else None)
            if "dim3" in (text[:4], around[:4], around[6:10]) and len(sizes.named_children) >= 2:
                yield sizes


def _by_rounds(kernel: Node) -> Iterator[Edit]:
    """In a loop over tiles a grid apart, the slot is chosen by the round, not by the tile."""
    for loop in all_of(kernel, "for_statement"):
        update = loop.child_by_field_name("update")
        if update is None or update.type != "assignment_expression":
            continue
        step = says(update.child_by_field_name("right"))
        changes = []
        first: Node | None = None
        for one in all_of(kernel, "binary_expression"):
            left = one.child_by_field_name("left")
            is_index = any(around.type == "subscript_argument_list" for around in parents(one))
            if left is not None and is_index and operator_of(one) == "%":
                first = first or (one if one.start_byte > loop.start_byte else None)
                changes.append(
                    Change(left.start_byte, left.end_byte, f"(({says(left)}) / ({step}))")
                )
        if first is not None:
            yield Edit(_ROUND, line_of(first), says(first), tuple(changes))


def _taking_turns(kernel: Node) -> Iterator[Edit]:
    """The same where a helper says which slot it is, or where a variable takes its turns."""
    for result in () if is_launched(kernel) else all_of(kernel, "return_statement"):
        for value in result.named_children:
            left, _ = sides_of(value)
            if operator_of(value) == "%" and left is not None:
                yield replaced(_ROUND, left, f"(({says(left)}) / int(gridDim.x))", word=says(value))
    for change in all_of(kernel, "assignment_expression"):
        turn = change.child_by_field_name("right")
        if turn is not None and _TURN.fullmatch(says(turn)):
            slot = says(change.child_by_field_name("left"))
            yield replaced(_ROUND, turn, f"1 - {slot}", word=says(change))


def _instead_of_numbers(kernel: Node) -> Iterator[Edit]:
    """In place of 0 or 1: the number of the block, or the step of the loop around it."""
    for literal in all_of(kernel, "number_literal"):
        around = literal.parent
        if says(literal) not in ("0", "1") or around is None:
            continue
        if around.type not in ("argument_list", "binary_expression", "init_declarator"):
            continue
        if says(literal) == "0":
            yield replaced(_NUMBER, literal, "blockIdx.x", word=says(around))
        for loop in (one for one in parents(literal) if one.type == "for_statement"):
            update = loop.child_by_field_name("update")
            step = says(update.child_by_field_name("right")) if update is not None else ""
            if step and says(literal) == "1":
                yield replaced(_NUMBER, literal, f"({step})", -0.2, says(around))


def _pitches(code: Code, kernel: Node) -> Iterator[Edit]:
    """Another size of the call, as the length in `a[row * length + column]` or in a call."""
    sizes = variables.sizes_of_call(variables.of_function(code, kernel))
    for index in all_of(kernel, "subscript_argument_list"):
        for product in all_of(index, "binary_expression"):
            length = product.child_by_field_name("right")
            is_product = operator_of(product) == "*"
            if length is not None and is_product and says(length) in sizes:
                for other in sizes:
                    yield replaced(_PITCH, length, other, word=says(product))
    yield from _as_in_the_array(kernel)
    for arguments in all_of(kernel, "argument_list"):
        for one in arguments.named_children:
            if says(one) in sizes:
                yield from (replaced(_SIZE, one, size, word=says(arguments)) for size in sizes)


def _as_in_the_array(kernel: Node) -> Iterator[Edit]:
    """The length that another access of the same array has for its rows."""
    lengths: dict[str, dict[str, list[Node]]] = {}
    for access in all_of(kernel, "subscript_expression"):
        index = next(all_of(access, "subscript_argument_list"), None)
        for product in all_of(index, "binary_expression") if index is not None else ():
            length = sides_of(product)[1]
            if operator_of(product) == "*" and length is not None:
                array = says(access.child_by_field_name("argument"))
                lengths.setdefault(array, {}).setdefault(says(length), []).append(length)
    for found in lengths.values():
        for name, places in found.items():
            for other in found:
                if other != name:
                    yield from (replaced(_PITCH, one, other, -0.2) for one in places)


def _folded(code: Code, function: Node) -> Iterator[Edit]:
    """Three sizes in a call: two of them multiplied, the third, and 1."""
    names = variables.sizes_of_call(variables.of_function(code, function))
    own = [first_name(one) for one in code.host_functions]
    for call in calls(function, *own):
        arguments = call.child_by_field_name("arguments")
        found = [one for one in arguments.named_children if says(one) in names] if arguments else []
        for i in range(len(found) - 2):
            three = found[i : i + 3]
            for a, b, c in permutations(map(says, three)):
                if a > b:
                    continue
                for texts in ((f"{a} * {b}", c, "1"), (c, f"{a} * {b}", "1")):
                    changes = tuple(
                        Change(one.start_byte, one.end_byte, text)
                        for one, text in zip(three, texts, strict=True)
                    )
                    yield Edit(_FOLDED, line_of(call), says(call), changes)
