"""Vectors of CUDA, such as float4, that are read where the array holds something else."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import BUILT_IN, Code, all_of, beginnings, says
from tilelab.repairs.edit import Edit, Kind, replaced

_CAST = Kind(
    "array of another type",
    "At which byte does element 1 of the array begin, and at which byte does this read?",
    "A cast of a pointer moves nothing in memory. A float3 has 12 bytes and a float4 has 16, and a "
    "vector of 16 bytes has to begin at a multiple of 16.",
    0.6,
)
_MEMBER = Kind(
    "part of a vector",
    "What does this part of the vector stand for, and where does it come from?",
    "What is to be kept has to be copied when a new vector is made.",
    0.5,
)
_ALIGNED = Kind(
    "address of a vector",
    "At which address does the next access of a vector begin, and is it a multiple of its size?",
    "A float4 has to begin at a multiple of 16 bytes. A pointer keeps that alignment only if it "
    "moves by multiples of 4 floats.",
    0.3,
)
_VECTOR = re.compile(r"\b(\w+?)([234])\b")
_NUMBER = re.compile(r"[\d.]+f?")
_PARTS = "xyzw"


def of(code: Code) -> Iterator[Edit]:
    for kernel in code.kernels:
        pointers = {
            one.name: one.type
            for one in variables.of_function(code, kernel)
            if one.holds == "pointer"
        }
        for access in all_of(kernel, "subscript_expression", "pointer_expression"):
            if text := _by_parts(access, pointers):
                yield replaced(_CAST, access, text)
        yield from _members(code, kernel)
        yield from _last_members(code, kernel)
        yield from _other_parts(kernel)
    yield from _rounded_up(code)


def _members(code: Code, kernel: Node) -> Iterator[Edit]:
    """A number that a vector is made of becomes the part of another one in its place."""
    vectors = [one for one in variables.of_function(code, kernel) if _VECTOR.fullmatch(one.type)]
    values = beginnings(kernel)
    for call in all_of(kernel, "call_expression"):
        made, arguments = (call.child_by_field_name(one) for one in ("function", "arguments"))
        parts = arguments.named_children if arguments is not None else []
        made_of = " ".join(values.get(says(one), says(one)) for one in parts)
        for part, value in zip(_PARTS, parts, strict=False):
            for one in variables.visible(vectors, call.start_byte):
                is_scalar = one.holds == "other" and not one.sizes
                if (
                    says(made) == f"make_{one.type}"
                    and is_scalar
                    and _NUMBER.fullmatch(says(value))
                ):
                    extra = -0.2 if f"{one.name}." in made_of else 0.0
                    yield replaced(_MEMBER, value, f"{one.name}.{part}", extra, says(call))


def _last_members(code: Code, kernel: Node) -> Iterator[Edit]:
    """`float4{x, y, z}`, whose last part is 0, takes it from another vector."""
    known = [one for one in variables.of_function(code, kernel) if one.holds == "other"]
    for made in all_of(kernel, "compound_literal_expression"):
        vector = _VECTOR.fullmatch(says(made.child_by_field_name("type")))
        values = made.child_by_field_name("value")
        parts = values.named_children if values is not None else []
        if vector is None or not parts or len(parts) != int(vector[2]) - 1:
            continue
        for one in variables.visible(known, made.start_byte):
            if one.type == vector[0] and not one.sizes:
                text = f"{says(parts[-1])}, {one.name}.{_PARTS[len(parts)]}"
                yield replaced(_MEMBER, parts[-1], text, word=says(made))


def _other_parts(kernel: Node) -> Iterator[Edit]:
    """`a.y` becomes `a.z`, of the parts that the function uses."""
    fields = [
        (one, field)
        for one in all_of(kernel, "field_expression")
        if (field := one.child_by_field_name("field")) is not None
        and says(field) in _PARTS
        and says(one.child_by_field_name("argument")) not in BUILT_IN
    ]
    used = sorted({says(field) for _, field in fields})
    for one, field in fields:
        for other in used:
            if other != says(field):
                yield replaced(_MEMBER, field, other, 0.4, says(one))


def _rounded_up(code: Code) -> Iterator[Edit]:
    """A pointer moves on by a multiple of the elements of the vectors that are read somewhere."""
    counts = sorted(
        {int(one) for one in re.findall(r"reinterpret_cast<[^>]*?([24])\s*\*>", says(code.root))}
    )
    for function in code.functions:
        pointers = {
            one.name for one in variables.of_function(code, function) if one.holds == "pointer"
        }
        for one in all_of(function, "assignment_expression"):
            step = one.child_by_field_name("right")
            is_moved = says(one.child_by_field_name("left")) in pointers
            if step is None or not is_moved or says(one.child_by_field_name("operator")) != "+=":
                continue
            for count in counts:
                text = f"({says(step)} + {count - 1}) / {count} * {count}"
                yield replaced(_ALIGNED, step, text, word=says(one))


def _by_parts(access: Node, pointers: dict[str, str]) -> str:
    """A vector that is read through a cast, made of the elements that the array holds."""
    argument = access.child_by_field_name("argument")
    found = re.fullmatch(r"(?s)reinterpret_cast<(?:const )?(\w+)\s*\*>\((.*)\)", says(argument))
    vector = _VECTOR.fullmatch(found[1]) if found else None
    if found is None or vector is None:
        return ""
    count = int(vector[2])
    pointer = re.fullmatch(r"(?s)&?(\w+)\s*(?:\[(.*)\]|\+(.*))?", found[2].strip())
    if pointer is None or pointer[1] not in pointers:
        return ""
    index = next(all_of(access, "subscript_argument_list"), None)
    place = says(index).strip("[]") if access.type == "subscript_expression" else "0"
    start = pointer[2] or pointer[3] or "0"
    parts = _parts(pointers[pointer[1]], vector[1], pointer[1], start, place, count)
    return f"make_{found[1]}({', '.join(parts)})" if parts else ""


def _parts(held: str, scalar: str, array: str, start: str, place: str, count: int) -> list[str]:
    if held == scalar:
        return [f"{array}[({start}) + {count} * ({place}) + {i}]" for i in range(count)]
    other = _VECTOR.fullmatch(held)
    if other is None or other[1] != scalar:
        return []
    own = int(other[2])
    element = f"{array}[({start}) + ({place})]"
    return [f"{element}.{_PARTS[i]}" if i < own else "0" for i in range(count)]
