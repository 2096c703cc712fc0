"""Variables and tiles: their size, their padding, where they live, and what they begin with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import Code, all_of, first_name, is_zero, line_of, says, sides_of
from tilelab.repairs.edit import Change, Edit, Kind, inserted, replaced

_SIZE = Kind(
    "size of an array",
    "Which is the largest index that a thread uses here, and how many elements are there?",
    "An array of n elements ends at index n - 1. Halos need slots of their own.",
    0.7,
)
_PADDING = Kind(
    "padding",
    "In which bank does each row of the tile begin, and which banks does a column use?",
    "Successive words lie in successive banks, 32 in all. With one spare column, each row begins "
    "one bank further than the row before, so a column meets every bank once.",
    0.5,
)
_NOT_SHARED = Kind(
    "shared or not",
    "Does each thread have one of these, or do all threads of a block have one together?",
    "What is declared in a kernel belongs to a single thread, unless it is __shared__.",
    0.7,
)
_PARTLY = Kind(
    "initial value",
    "Which elements get their first value here, and which are used later?",
    "Shared memory holds anything at the beginning. What is added to has to be emptied before, all "
    "of it.",
    0.5,
)
_UNSET = Kind(
    "initial value",
    "What does this hold before anything is stored in it?",
    "A local variable, shared memory and memory from cudaMalloc hold anything at the beginning.",
    0.5,
)


def of(code: Code) -> Iterator[Edit]:
    for declarator in all_of(code.root, "array_declarator"):
        yield from _sizes(declarator)
    for kernel in code.kernels:
        for declaration in all_of(kernel, "declaration"):
            yield from _of_declaration(declaration)
        yield from _zeroed(code, kernel)


def _sizes(declarator: Node) -> Iterator[Edit]:
    size = declarator.child_by_field_name("size")
    if size is None:
        return
    is_row = declarator.parent is not None and declarator.parent.type != "array_declarator"
    is_tile = len(list(all_of(declarator, "array_declarator"))) > 1 and is_row
    if size.type == "binary_expression" and is_row:
        kept, kind = says(size.child_by_field_name("left")), _PADDING if is_tile else _SIZE
        yield replaced(kind, size, f"{kept} + 1", 0, says(declarator))
        yield replaced(kind, size, kept, 0.1, says(declarator))
    for more in (1, 2):
        kind = _PADDING if is_tile and more == 1 else _SIZE
        yield replaced(kind, size, f"{says(size)} + {more}", 0.1 * more, says(declarator))
    yield replaced(_SIZE, size, f"{says(size)} - 1", 0.3, says(declarator))
    yield replaced(_SIZE, size, f"2 * ({says(size)})", 0.3, says(declarator))


def _of_declaration(declaration: Node) -> Iterator[Edit]:
    start = declaration.start_byte
    line = line_of(declaration)
    if "__shared__" in says(declaration):
        mark = next(all_of(declaration, "__shared__"), None)
        if mark is not None and "extern" not in says(declaration):
            yield replaced(_NOT_SHARED, mark, "", 0.4)
    elif any(all_of(declaration, "array_declarator")):
        change = Change(start, start, "__shared__ ")
        yield Edit(_NOT_SHARED, line, says(declaration), (change,))
    for declarator in declaration.children_by_field_name("declarator"):
        if declarator.type == "identifier" and "__shared__" not in says(declaration):
            yield inserted(_UNSET, declarator, "= 0")


def _zeroed(code: Code, kernel: Node) -> Iterator[Edit]:
    """A shared array that begins with zeros."""
    for one in variables.of_function(code, kernel):
        if not one.is_shared or one.holds != "array" or not all(one.sizes):
            continue
        declaration = next(
            node
            for node in all_of(kernel, "declaration")
            if node.start_byte < one.begin <= node.end_byte
        )
        count = " * ".join(f"({size})" for size in one.sizes)
        text = (
            f"for (int z_ = threadIdx.x + blockDim.x * threadIdx.y; z_ < int({count}); "
            f"z_ += blockDim.x * blockDim.y) (&{one.name}{'[0]' * len(one.sizes)})[z_] = 0; "
            "__syncthreads();"
        )
        edit = inserted(_UNSET, declaration, text, 0.2)
        store = next(_emptying(kernel, one.name), None)
        if store is not None:
            edit = replace(edit, kind=_PARTLY, line=line_of(store), word=says(store))
        yield edit


def _emptying(kernel: Node, array: str) -> Iterator[Node]:
    """The assignments that store 0 in an element of an array."""
    for assignment in all_of(kernel, "assignment_expression"):
        place, value = sides_of(assignment)
        if place is None or place.type != "subscript_expression" or not is_zero(value):
            continue
        if first_name(place) == array:
            yield assignment
