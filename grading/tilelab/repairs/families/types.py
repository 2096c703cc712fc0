"""Types that cannot hold what is put into them."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs.code import Code, all_of, says
from tilelab.repairs.edit import Edit, Kind, replaced

_NARROW = Kind(
    "type too small",
    "Which is the largest number that this type can hold, and which numbers come here?",
    "An unsigned char ends at 255 and begins again at 0, an int ends at 2,147,483,647.",
    0.6,
)
_FLOAT = Kind(
    "float for a whole number",
    "Up to which number can a float hold every whole number?",
    "A float has 24 bits for its digits: beyond 16,777,216 it skips whole numbers. Count and index "
    "with integers.",
    0.5,
)
_WHOLE = Kind(
    "whole number for a float",
    "What becomes of the digits behind the point here?",
    "A whole number drops what is behind the point.",
    0.6,
)
_OTHERS: dict[str, tuple[tuple[Kind, str], ...]] = {
    "char": ((_NARROW, "int"),),
    "unsigned char": ((_NARROW, "int"), (_NARROW, "unsigned")),
    "signed char": ((_NARROW, "int"),),
    "short": ((_NARROW, "int"),),
    "unsigned short": ((_NARROW, "unsigned"),),
    "std::uint8_t": ((_NARROW, "unsigned"),),
    "uint8_t": ((_NARROW, "unsigned"),),
    "int": ((_NARROW, "long long"), (_WHOLE, "float"), (_NARROW, "unsigned")),
    "unsigned": ((_NARROW, "int"), (_NARROW, "unsigned long long")),
    "unsigned int": ((_NARROW, "int"),),
    "float": ((_FLOAT, "int"), (_FLOAT, "long long"), (_FLOAT, "unsigned")),
    "double": ((_FLOAT, "float"),),
}


def of(code: Code) -> Iterator[Edit]:
    for function in code.functions:
        for declaration in all_of(function, "declaration", "cast_expression", "for_range_loop"):
            of_type = declaration.child_by_field_name("type")
            if of_type is not None:
                yield from _changed(of_type)


def _changed(of_type: Node) -> Iterator[Edit]:
    for kind, other in _OTHERS.get(" ".join(says(of_type).split()), ()):
        yield replaced(kind, of_type, other, 0.4 if kind is _NARROW and other == "unsigned" else 0)
