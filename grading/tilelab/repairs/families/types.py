"""Types that cannot hold what is put into them."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs.code import Code, all_of, line_of, says
from tilelab.repairs.edit import Change, Edit, Kind, replaced

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
_VOLATILE = Kind(
    "flag that is not volatile",
    "What makes each round of the loop that waits for this load it again?",
    "The compiler may load an ordinary variable once and keep it in a register. volatile, or an "
    "atomic function, asks memory each time.",
    0.3,
)
_SIGNED = Kind(
    "sign of a byte",
    "Which number does this type make of a byte of 200?",
    "A char is signed here, and so are the members of char4: bytes from 128 on are below 0.",
    0.4,
)
_OTHERS: dict[str, tuple[tuple[Kind, str], ...]] = {
    "char": ((_NARROW, "int"), (_NARROW, "unsigned char")),
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
    "char2": ((_SIGNED, "uchar2"),),
    "char4": ((_SIGNED, "uchar4"),),
}


def of(code: Code) -> Iterator[Edit]:
    for function in code.functions:
        for declaration in all_of(function, "declaration", "cast_expression", "for_range_loop"):
            of_type = declaration.child_by_field_name("type")
            if of_type is not None:
                yield from _changed(of_type)
        for within in all_of(function, "template_argument_list"):
            for of_type in all_of(within, "type_identifier"):
                yield from _changed(of_type)
    for named in all_of(code.root, "alias_declaration", "type_definition"):
        if (of_type := named.child_by_field_name("type")) is not None:
            yield from _changed(of_type)
    for kernel in code.kernels:
        # What other files call keeps its types.
        for parameter in all_of(kernel, "parameter_declaration"):
            declarator = parameter.child_by_field_name("declarator")
            of_type = parameter.child_by_field_name("type")
            if declarator is not None and declarator.type == "identifier" and of_type is not None:
                yield from _changed(of_type)
        yield from _deduced(kernel)
    yield from _watched(code)


def _deduced(kernel: Node) -> Iterator[Edit]:
    """`auto s = 0` is an int."""
    for declaration in all_of(kernel, "declaration"):
        of_type = declaration.child_by_field_name("type")
        if of_type is None or says(of_type) != "auto":
            continue
        if declaration.parent is not None and declaration.parent.type == "for_statement":
            continue
        for declarator in all_of(declaration, "init_declarator"):
            value = declarator.child_by_field_name("value")
            if value is not None and says(value).isdigit():
                yield replaced(_WHOLE, of_type, "float", -0.2, says(declaration))


def _changed(of_type: Node) -> Iterator[Edit]:
    for kind, other in _OTHERS.get(" ".join(says(of_type).split()), ()):
        yield replaced(kind, of_type, other, 0.4 if kind is _NARROW and other == "unsigned" else 0)


def _watched(code: Code) -> Iterator[Edit]:
    """Pointers to what loops wait for become volatile, wherever they are declared."""
    loops = [
        loop
        for function in code.functions
        for loop in all_of(function, "while_statement", "do_statement")
    ]
    arrays = {
        says(access.child_by_field_name("argument")).rpartition(".")[2]
        for loop in loops
        for access in all_of(loop, "subscript_expression")
    }
    for name in sorted(arrays):
        places = [
            declared.child_by_field_name("type")
            for declared in all_of(
                code.root, "parameter_declaration", "field_declaration", "declaration"
            )
            if f"*{name}" in "".join(says(declared).split("=")[0].split())
            and "volatile" not in says(declared)
        ]
        changes = tuple(
            Change(one.start_byte, one.start_byte, "volatile ") for one in places if one is not None
        )
        if changes and places[0] is not None:
            yield Edit(_VOLATILE, line_of(places[0]), name, changes)
