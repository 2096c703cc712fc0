"""Variables, axes and arrays that stand where another should."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    Code,
    all_of,
    beginnings,
    begun,
    calls,
    line_of,
    parents,
    says,
    spliced,
    statements,
)
from tilelab.repairs.edit import Change, Edit, Kind, exchanged, joined, replaced
from tilelab.repairs.variables import Variable

_VARIABLE = Kind(
    "wrong variable",
    "Is this the variable that belongs here?",
    "Say in words what each variable of the line counts, and what the line needs.",
)
_ARRAY = Kind(
    "wrong array",
    "Is this the array that this line should use?",
    "Say in words what each array holds at this point, and what the line needs.",
    0.8,
)
_TILE = Kind(
    "read from global memory",
    "Is this element not in the tile already?",
    "What a thread of the block has loaded into the tile need not be loaded from global memory "
    "again.",
    0.9,
)
_AXIS = Kind(
    "axes exchanged",
    "Which of these runs along a row, and which from row to row?",
    "threadIdx.x is the fastest: neighboring threads differ in x. A row of an array lies along the "
    "fastest axis, so x belongs to the column and y to the row.",
    0.7,
)
_ARGUMENTS = Kind(
    "arguments exchanged",
    "In which order does the function that is called here want its arguments?",
    "Compare the order of the arguments with that of the parameters.",
    0.9,
)
_IN_USE = Kind(
    "memory in use",
    "What does this call still read, and where does it write?",
    "What a function reads and what it writes must not overlap, unless it says so. Give each its "
    "own part of the memory.",
    0.5,
)
# A name that is wrong is mostly wrong wherever a statement uses it.
_ALL_USES = -0.25
_OF_NAMES = {"integer": _AXIS, "real": _VARIABLE, "pointer": _ARRAY, "array": _ARRAY}
# Then the launch is rather what exchanges them.
_FITS_ALREADY = 0.3
_AXES = {"x": ("y",), "y": ("x", "z"), "z": ("y",)}
_STATEMENTS = ("declaration", "expression_statement", "return_statement")
_BUILT_IN = ("threadIdx", "blockIdx", "blockDim", "gridDim")
_MOST_ARGUMENTS = 8
# One is made of the other, as a row of the array of a row of the tile, or stands for it, too.
_LIKELY = -0.4
_OF_ONE_TYPE = -0.2  # No compiler notices.
_OF_MEMBERS = -0.5  # Nor does a name say which is which.


def of(code: Code) -> Iterator[Edit]:
    for kernel in code.kernels:
        known = variables.of_function(code, kernel)
        yield from _from_the_tile(kernel, known)
        yield from _neighbors_in_the_tile(kernel, known)
        yield from _on_the_other_side(kernel, known)
        yield from _indices_of_the_tile(kernel, known)
    types = _types_in_order(code)
    # There are very many of these.
    for function in code.functions:
        known = variables.of_function(code, function)
        yield from _axes(function)
        yield from _arguments(function)
        yield from _of_one_type(function, types)
        yield from _behind(function, types, known)
        yield from _allocated_twice(function, known)
        yield from _exchanged(function, known)
        yield from _replaced(function, known)


def _replaced(function: Node, known: list[Variable]) -> Iterator[Edit]:
    in_statement: dict[tuple[Node | None, str, str], list[Edit]] = defaultdict(list)
    for statement, edit in _each_replaced(function, known):
        yield edit
        in_statement[statement, edit.word, edit.changes[0].text].append(edit)
    for edits in in_statement.values():
        if len(edits) > 1:
            yield joined(edits, extra=_ALL_USES)


def _each_replaced(function: Node, known: list[Variable]) -> Iterator[tuple[Node | None, Edit]]:
    """Each use of a variable, as one of another, with the statement around it."""
    by_name = {one.name: one for one in known}
    values = {
        name: {says(part) for part in all_of(value, "identifier")}
        for name, value in begun(function)
    }
    for use in all_of(function, "identifier"):
        own = by_name.get(says(use))
        if own is None or not _is_use(use, own):
            continue
        for other in variables.visible(known, use.start_byte):
            if other.name != own.name and other.is_like(own):
                kind = _VARIABLE if own.holds in ("integer", "real") else _ARRAY
                statement = _statement_of(use)
                is_likely = own.name in values.get(other.name, ()) or (
                    own.is_parameter and _twice(statement, own.name, other.name)
                )
                extra = _LIKELY if is_likely else 0
                edit = replaced(kind, use, other.name, extra + _distance(own, other))
                yield statement, edit


def _twice(statement: Node | None, one: str, other: str) -> bool:
    """Whether a statement, or two for two axes, use one name twice and the other not at all."""
    if statement is None:
        return False
    used = [says(use) for use in all_of(statement, "identifier")]
    neighbors = (statement.prev_named_sibling, statement.next_named_sibling)
    value = says(statement).partition("=")[2]
    is_copied = any(value and value == says(near).partition("=")[2] for near in neighbors)
    return (used.count(one) > 1 or is_copied) and other not in used


def _statement_of(use: Node) -> Node | None:
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


def _axes(function: Node) -> Iterator[Edit]:
    for use in _built_in(function):
        field = use.child_by_field_name("field")
        assert field is not None
        for other in _AXES.get(says(field), ()):
            yield replaced(_AXIS, field, other, 0.1, says(use))
        base = use.child_by_field_name("argument")
        for name in _BUILT_IN:
            if base is not None and name != says(base):
                yield replaced(_VARIABLE, base, name, 0.3, says(use))


def _built_in(root: Node) -> Iterator[Node]:
    for use in all_of(root, "field_expression"):
        if says(use.child_by_field_name("argument")) in _BUILT_IN:
            yield use


def _exchanged(function: Node, known: list[Variable]) -> Iterator[Edit]:
    """Two names, or two axes, that change places in a statement, or in two that follow."""
    found = list(statements(function))
    pieces = [[one] for one in found]
    pieces += [list(two) for two in pairwise(found) if two[0].parent == two[1].parent]
    pieces += [list(all_of(function, "compound_statement"))[:1]]
    seen = set()
    threads = {name: value[-1] for name, value in beginnings(function).items() if _is_axis(value)}
    for piece in pieces:
        for edit in (*_axes_of(piece, threads), *_names_of(piece, known)):
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
            for use in _built_in(root)
            if says(use.child_by_field_name("argument")) in names
            and (field := use.child_by_field_name("field")) is not None
        ]
        if {"x", "y"} <= {says(one) for one in fields}:
            fits = names == ("blockIdx",) and _fits(fields[0], threads)
            edit = _swapped(_AXIS, fields, "x", "y", _FITS_ALREADY if fits else 0)
            yield edit
            yield from (joined([edit, other]) for other in _axes_by_name(piece))


def _fits(field: Node, threads: Mapping[str, str]) -> bool:
    """Whether the index of the block is added to that of the thread along the same axis."""
    around = _statement_of(field)
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
            yield _swapped(_AXIS, [use for use in uses if says(use) in (name, other)], name, other)


def _names_of(piece: list[Node], known: list[Variable]) -> Iterator[Edit]:
    uses = [use for root in piece for use in all_of(root, "identifier")]
    names = sorted({says(one) for one in uses})
    usable = {
        one.name: one for one in known if one.holds in ("integer", "real", "pointer", "array")
    }
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            one, other = usable.get(first), usable.get(second)
            if one is None or other is None or not one.is_like(other):
                continue
            places = [use for use in uses if says(use) in (first, second) and not _declares(use)]
            if {says(use) for use in places} == {first, second}:
                kind = _OF_NAMES[one.holds]
                extra = -0.4 if one.holds == "real" else 0.2  # There are few of these.
                yield _swapped(kind, places, first, second, extra)


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


def _from_the_tile(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """A read of global memory becomes one of the tile."""
    tiles = [one for one in known if one.is_shared and len(one.sizes) == 1]
    inputs = {one.name: one for one in known if one.is_parameter and one.holds == "pointer"}
    for read in all_of(kernel, "subscript_expression"):
        array = inputs.get(says(read.child_by_field_name("argument")))
        around = read.parent
        if array is None or around is None or says(around).startswith(f"{says(read)} ="):
            continue
        for tile in (one for one in tiles if one.type == array.type):
            for index in variables.visible(known, read.start_byte):
                if index.holds == "integer" and not index.is_parameter:
                    yield replaced(_TILE, read, f"{tile.name}[{index.name}]")


def _neighbors_in_the_tile(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """After `tile[t] = in[i]`, a read of `in[i - 1]` becomes one of `tile[t - 1]`, if it exists."""
    sizes = {one.name: one.sizes[0] for one in known if one.is_shared and len(one.sizes) == 1}
    for assignment in all_of(kernel, "assignment_expression"):
        slot, element = (assignment.child_by_field_name(side) for side in ("left", "right"))
        tile, place = _subscripted(slot)
        array, index = _subscripted(element)
        if tile not in sizes or not array or not index:
            continue
        for read in all_of(kernel, "subscript_expression"):
            other, beside = _subscripted(read)
            step = beside.removeprefix(index).strip()
            if other != array or not beside.startswith(index) or step[:1] not in ("+", "-"):
                continue
            near = f"{place} {step}"
            inside = f"{near} >= 0 && {near} < int({sizes[tile]})"
            yield replaced(_TILE, read, f"({inside} ? {tile}[{near}] : {says(read)})", -0.1)


def _on_the_other_side(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """Near a read of `tile[t + d]`, a read of global memory becomes one of `tile[t - d]`."""
    tiles = {one.name for one in known if one.is_shared}
    inputs = {one.name for one in known if one.is_parameter and one.holds == "pointer"}
    for block in all_of(kernel, "compound_statement"):
        reads = [
            one
            for statement in block.named_children
            if statement.type in ("declaration", "expression_statement")
            for one in all_of(statement, "subscript_expression")
            if one.parent is None or one.parent.type != "subscript_expression"
        ]
        near = [one for one in reads if says(next(all_of(one, "identifier"), None)) in tiles]
        for read in reads:
            around = read.parent
            is_stored = around is not None and around.child_by_field_name("left") == read
            if says(read.child_by_field_name("argument")) not in inputs or is_stored:
                continue
            for other in near:
                if not other.start_byte <= read.start_byte < other.end_byte:
                    yield from (replaced(_TILE, read, text, -0.2) for text in _mirrored(other))


def _mirrored(access: Node) -> Iterator[str]:
    """An access with each of its `+` a `-`, and each `-` a `+`, one at a time."""
    text, start = says(access).encode(), access.start_byte
    for one in all_of(access, "binary_expression"):
        operator = one.child_by_field_name("operator")
        if operator is not None and says(operator) in ("+", "-"):
            other = b"-" if says(operator) == "+" else b"+"
            place = operator.start_byte - start
            yield (text[:place] + other + text[place + 1 :]).decode()


def _subscripted(node: Node | None) -> tuple[str, str]:
    """The array and the index of an access, empty if it is none."""
    if node is None or node.type != "subscript_expression":
        return "", ""
    index = next(all_of(node, "subscript_argument_list"), None)
    return says(node.child_by_field_name("argument")), says(index).strip("[]").strip()


def _indices_of_the_tile(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """One index of the whole becomes one of the block, in all accesses of a tile."""
    whole = [one for one in known if one.holds == "integer" and not one.is_parameter]
    for tile in (one for one in known if one.is_shared):
        uses = [
            use
            for access in all_of(kernel, "subscript_expression")
            if says(access.child_by_field_name("argument")) == tile.name
            for inner in all_of(access, "subscript_argument_list")
            for use in all_of(inner, "identifier")
        ]
        for name in sorted({says(use) for use in uses}):
            for other in whole:
                places = [use for use in uses if says(use) == name]
                if other.name != name and len(places) > 1:
                    changes = tuple(
                        Change(use.start_byte, use.end_byte, other.name) for use in places
                    )
                    yield Edit(_VARIABLE, line_of(places[0]), name, changes, -0.2)


def _arguments(function: Node) -> Iterator[Edit]:
    """Two neighboring arguments of a call."""
    for arguments in all_of(function, "argument_list"):
        named = arguments.named_children
        for number, (one, other) in enumerate(pairwise(named)):
            if says(one) != says(other):
                # Where a copy goes to comes first, which surprises many.
                is_copy = number == 0 and says(arguments.parent).startswith("cudaMemcpy")
                yield exchanged(_ARGUMENTS, one, other, -0.4 if is_copy else 0)


def _types_in_order(code: Code) -> dict[str, list[str]]:
    """The types of what each function of the file is called with, and each struct is made of."""
    found: dict[str, list[str]] = {}
    for function in code.functions:
        declarator = next(all_of(function, "function_declarator"), None)
        if declarator is not None:
            name = says(declarator.child_by_field_name("declarator"))
            parameters = all_of(declarator, "parameter_declaration")
            found[name] = [kind for one in parameters for kind in _types_of(one)]
    for struct in all_of(code.root, "struct_specifier"):
        fields = all_of(struct, "field_declaration")
        name = says(struct.child_by_field_name("name"))
        found[name] = [kind for one in fields for kind in _types_of(one)]
    return found


def _types_of(declaration: Node) -> Iterator[str]:
    """The types of what is declared, such as `float*`."""
    of_type = says(declaration.child_by_field_name("type"))
    for declarator in declaration.children_by_field_name("declarator"):
        name = next(all_of(declarator, "identifier", "field_identifier"), None)
        yield of_type + (spliced(declarator, name, "") if name is not None else "")


def _of_one_type(function: Node, types: Mapping[str, list[str]]) -> Iterator[Edit]:
    """Two arguments of an own function that are not neighbors, or two members of a struct."""
    for values in all_of(function, "argument_list", "initializer_list"):
        wanted = types.get(_name_of(values), [])
        named = values.named_children
        if len(named) != len(wanted) or len(named) > _MOST_ARGUMENTS:
            continue
        is_call = values.type == "argument_list"
        for i, j in combinations(range(len(named)), 2):
            if wanted[i] == wanted[j] and says(named[i]) != says(named[j]):
                if not is_call:
                    yield exchanged(_ARGUMENTS, named[i], named[j], _OF_MEMBERS)
                elif j > i + 1:
                    yield exchanged(_ARGUMENTS, named[i], named[j], _OF_ONE_TYPE)


def _behind(
    function: Node, types: Mapping[str, list[str]], known: list[Variable]
) -> Iterator[Edit]:
    """`f(in, work, work, n)` of the file becomes `f(in, work, work + n, n)`."""
    pointers = {one.name for one in known if one.holds == "pointer"}
    for values in all_of(function, "argument_list"):
        named = values.named_children if _name_of(values) in types else []
        repeated = [
            one
            for number, one in enumerate(named)
            if says(one) in pointers and says(one) in map(says, named[:number])
        ]
        counts = [one.name for one in variables.visible(known, values.start_byte)]
        whole = {one.name for one in known if one.holds == "integer"}
        for pointer in repeated:
            yield from (
                replaced(_IN_USE, pointer, f"{says(pointer)} + {count}", word=says(values))
                for count in counts
                if count in whole
            )


def _allocated_twice(function: Node, known: list[Variable]) -> Iterator[Edit]:
    """A pointer that nothing allocates, in place of one that is allocated twice."""
    places: dict[str, list[Node]] = defaultdict(list)
    for call in calls(function, "cudaMalloc"):
        use = next(all_of(call.child_by_field_name("arguments") or call, "identifier"), None)
        if use is not None:
            places[says(use)].append(use)
    empty = [
        one.name
        for one in known
        if one.holds == "pointer" and not one.is_parameter and one.name not in places
    ]
    for found in places.values():
        for use in found if len(found) > 1 else ():
            yield from (replaced(_ARRAY, use, other, -0.5) for other in empty)


def _name_of(values: Node) -> str:
    """The function that is called, or the struct that is begun, with these values."""
    around = values.parent
    if around is None or values.type == "argument_list":
        return says(around.child_by_field_name("function") if around is not None else None)
    declaration = around.parent if around.type == "init_declarator" else None
    return says(declaration.child_by_field_name("type") if declaration is not None else None)
