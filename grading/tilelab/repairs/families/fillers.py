"""What stands in the slots for which there is no element."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs.code import Code, all_of, is_zero, line_of, says
from tilelab.repairs.edit import Change, Edit, Kind, replaced

_VALUE = Kind(
    "value of an empty slot",
    "What does a slot without an element hold, and what does that do to the result?",
    "What stands for an element that is not there must change nothing: it is 0 in a sum, and "
    "infinitely far away in a search for the nearest.",
    0.5,
)
_MAKES = re.compile(r"make_(?:float|double)([234])")
_NUMBER = re.compile(r"-?[\d.]+(?:e\d+)?f?|INFINITY|FLT_MAX")
_COORDINATES = 3  # of a vector of four, the last part is something else


def of(code: Code) -> Iterator[Edit]:
    for function in code.kernels:
        yield from _vectors(function)
        yield from _clamped(function)


def _vectors(function: Node) -> Iterator[Edit]:
    """A vector of numbers that stand in the file lies infinitely far away, or is 0."""
    for call in all_of(function, "call_expression"):
        made = _MAKES.fullmatch(says(call.child_by_field_name("function")))
        arguments = call.child_by_field_name("arguments")
        parts = arguments.named_children if arguments is not None else []
        if made is None or not all(_NUMBER.fullmatch(says(one)) for one in parts):
            continue
        for value, some in (("INFINITY", parts[:_COORDINATES]), ("0", parts)):
            changes = tuple(
                Change(one.start_byte, one.end_byte, value)
                for one in some
                if not (is_zero(one) if value == "0" else says(one) == value)
            )
            if changes:
                yield Edit(_VALUE, line_of(call), says(call), changes)


def _clamped(function: Node) -> Iterator[Edit]:
    """`in[min(i, last)]` becomes `i <= last ? in[i] : 0`, whatever 0 is there.

    `in[i > 0 ? i - 1 : 0]` becomes `i > 0 ? in[i - 1] : 0`.
    """
    for access in all_of(function, "subscript_expression"):
        array = says(access.child_by_field_name("argument"))
        indices = access.child_by_field_name("indices")
        index = indices.named_children[0] if indices and indices.named_children else None
        if index is not None and index.type == "parenthesized_expression":
            index = next(iter(index.named_children), None)
        if index is not None and index.type == "conditional_expression":
            yield from _chosen(access, array, index)
        called = says(index.child_by_field_name("function")) if index is not None else ""
        if index is None or called not in ("min", "std::min"):
            continue
        arguments = index.child_by_field_name("arguments")
        named = arguments.named_children if arguments is not None else []
        if len(named) == 2:
            place, last = map(says, named)
            text = f"({place} <= {last} ? {array}[{place}] : {_nothing(array)})"
            yield replaced(_VALUE, access, text)


def _chosen(access: Node, array: str, index: Node) -> Iterator[Edit]:
    """One of two places that an index chooses between holds 0."""
    names = ("condition", "consequence", "alternative")
    asked, first, second = (says(index.child_by_field_name(name)) for name in names)
    zero = _nothing(array)
    for one, other in ((f"{array}[{first}]", zero), (zero, f"{array}[{second}]")):
        yield replaced(_VALUE, access, f"({asked} ? {one} : {other})")


def _nothing(array: str) -> str:
    return f"std::remove_cvref_t<decltype({array}[0])>{{}}"
