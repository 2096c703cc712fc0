"""Variables, axes and arrays that stand where another should."""

from __future__ import annotations

from collections.abc import Iterator

from tilelab.repairs import variables
from tilelab.repairs.code import Code, constants_of
from tilelab.repairs.edit import Edit
from tilelab.repairs.families.names import (
    arguments,
    computed,
    copied,
    edges,
    members,
    places,
    tiles,
    uses,
)


def of(code: Code) -> Iterator[Edit]:
    for kernel in code.kernels:
        known = variables.of_function(code, kernel)
        yield from tiles.of(kernel, known)
        yield from edges.of(kernel, known)
        yield from computed.drawn(kernel, known)
    constants = constants_of(code)
    structs = members.structs(code)
    types, names = arguments.types_in_order(code), arguments.names_in_order(code)
    file = uses.File.of(code)
    # There are very many of these.
    for function in code.functions:
        known = variables.of_function(code, function)
        yield from copied.of(code, function)
        yield from computed.of(function, known, constants)
        yield from members.of(function, known, structs)
        yield from uses.axes(function)
        yield from arguments.of(function, types, names, known)
        yield from places.of(function, known)
        yield from uses.of(function, known, file)
