"""Mutants: the file with one change that does harm, as far as its syntax tree can tell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from tilelab.repairs.code import Code, all_of, is_barrier, says
from tilelab.repairs.edit import Edit, Kind, replaced

# A mutant has no hint.
_NONE = Kind("mutant", "", "")

_NEIGHBORS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}

# Of what a question quotes. The line is there in full.
_LONGEST = 60


@dataclass(frozen=True)
class Mutant:
    """A change, its sort, and how a question describes it."""

    edit: Edit
    sort: str
    says: str

    @property
    def line(self) -> int:
        return self.edit.line


def of(code: Code) -> Iterator[Mutant]:
    """All mutants of a file."""
    for kernel in code.kernels:
        yield from _removed(kernel)
        yield from _guards(kernel)
        yield from _shifted(kernel)
        yield from _unpadded(kernel)
    for function in code.functions:
        yield from _comparisons(function)
    for function in code.host_functions:
        yield from _rounded_down(function)


def _removed(kernel: Node) -> Iterator[Mutant]:
    for statement in all_of(kernel, "expression_statement"):
        inner = statement.named_children[0] if statement.named_children else None
        if inner is None or inner.type not in (
            "call_expression", "assignment_expression", "update_expression",
        ):  # fmt: skip
            continue
        sort = "barrier" if is_barrier(statement) else "statement"
        yield _mutant(statement, ";", sort, f"{_quoted(statement)} is deleted")


def _guards(kernel: Node) -> Iterator[Mutant]:
    for branch in all_of(kernel, "if_statement"):
        condition = branch.child_by_field_name("condition")
        body = branch.child_by_field_name("consequence")
        if condition is None or body is None:
            continue
        if body.type == "return_statement":
            yield _mutant(branch, ";", "guard", f"{_quoted(branch)} is deleted")
        elif branch.child_by_field_name("alternative") is None:
            what = f"the guard {_quoted(condition)} is removed, so that what it guards always runs"
            yield _mutant(condition, "(true)", "guard", what)


def _comparisons(function: Node) -> Iterator[Mutant]:
    for one in all_of(function, "binary_expression"):
        operator = one.child_by_field_name("operator")
        other = _NEIGHBORS.get(says(operator))
        if operator is not None and other:
            what = f"`{says(operator)}` in {_quoted(one)} becomes `{other}`"
            yield _mutant(operator, other, "comparison", what)


def _shifted(kernel: Node) -> Iterator[Mutant]:
    """An index without its + 1 or - 1."""
    seen: set[int] = set()
    for index in all_of(kernel, "subscript_argument_list"):
        for one in all_of(index, "binary_expression"):
            left = _without_one(one)
            if left is None or one.id in seen:
                continue
            seen.add(one.id)
            yield _mutant(one, says(left), "index", f"{_quoted(one)} becomes {_quoted(left)}")


def _unpadded(kernel: Node) -> Iterator[Mutant]:
    """A row of a tile without its spare column."""
    for declaration in all_of(kernel, "declaration"):
        if "__shared__" not in says(declaration):
            continue
        for array in all_of(declaration, "array_declarator"):
            size = array.child_by_field_name("size")
            if size is not None and (left := _without_one(size)) is not None:
                what = f"the row {_quoted(size)} of the tile becomes {_quoted(left)}"
                yield _mutant(size, says(left), "padding", what)


def _without_one(sum_of: Node) -> Node | None:
    """What 1 is added to or taken from."""
    if says(sum_of.child_by_field_name("operator")) not in ("+", "-"):
        return None
    return sum_of.child_by_field_name("left") if _right(sum_of) == "1" else None


def _rounded_down(function: Node) -> Iterator[Mutant]:
    """(n + block - 1) / block becomes n / block."""
    for one in all_of(function, "binary_expression"):
        left = one.child_by_field_name("left")
        if says(one.child_by_field_name("operator")) != "/" or left is None:
            continue
        inner = left.named_children[0] if left.type == "parenthesized_expression" else left
        less = _without_one(inner)
        count = less.child_by_field_name("left") if less is not None else None
        if less is not None and count is not None and _right(less) == _right(one):
            down = f"{says(count)} / {_right(one)}"
            yield _mutant(one, down, "rounding", f"{_quoted(one)} becomes {_code(down)}")


def _right(expression: Node) -> str:
    return says(expression.child_by_field_name("right"))


def _mutant(node: Node, text: str, sort: str, what: str) -> Mutant:
    return Mutant(replaced(_NONE, node, text), sort, what)


def _quoted(node: Node) -> str:
    return _code(says(node))


def _code(text: str) -> str:
    """Code in a sentence."""
    # A backquote would end the quotation.
    line = " ".join(text.split()).replace("`", "'")
    return f"`{line if len(line) <= _LONGEST else line[: _LONGEST - 1] + '…'}`"
