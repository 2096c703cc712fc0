"""Launches: what stands between <<< and >>>."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    Code,
    all_of,
    beginnings,
    first_name,
    function_name,
    is_launched,
    line_of,
    operator_of,
    says,
    sides_of,
)
from tilelab.repairs.edit import Change, Edit, Kind, exchanged, inserted, replaced

_SWAPPED = Kind(
    "grid and block exchanged",
    "Which of these is the number of blocks, and which is the number of threads in a block?",
    "Blocks per grid come first in <<<>>>, threads per block second. A block has at most 1024.",
    0.3,
)
_SHARED = Kind(
    "dynamic shared memory",
    "How many bytes of shared memory does this launch ask for, and how many does a block use?",
    "An array declared as extern __shared__ has as many bytes as the third number in <<<>>> says, "
    "and none if it is left out.",
    0.4,
)
_LIMIT = Kind(
    "more than 48 KiB",
    "How many bytes of shared memory may a launch ask for, and how many does this one want?",
    "A launch gets up to 48 KiB of dynamic shared memory. More has to be allowed for the kernel "
    "first, with cudaFuncSetAttribute().",
    0.3,
)
_GRID = Kind(
    "grid",
    "How many threads does this launch have in all, and how many elements are there?",
    "Round up the number of blocks, so that no element is left without a thread.",
    0.7,
)
_BLOCK = Kind(
    "block",
    "How many threads does the kernel expect in a block, along x and along y?",
    "The kernel's indices and tiles fit one shape of block. The launch has to ask for it.",
    0.7,
)
_SIDES = Kind(
    "axes exchanged",
    "Does x count along a row here, and y from row to row, as in the kernel?",
    "The first number of a dim3 is that of x, the second that of y. What is x in the kernel has to "
    "be x in the launch.",
    0.25,
)
_EMPTY = Kind(
    "empty launch",
    "How many blocks does this launch have if there is nothing to do?",
    "A launch of no blocks is an error, so skip it where there are no elements.",
    0.6,
)

_ROWS = Kind(
    "rows of threads",
    "Which values does threadIdx.y take in this launch?",
    "A number of threads alone is a block of one row: threadIdx.y is 0 in all of its threads. "
    "dim3(x, y) has y rows.",
    0.3,
)
_AT_LEAST_ONE = Kind(
    "empty launch",
    "How many blocks does this launch have if there is nothing to do?",
    "A launch of no blocks is an error. If there is a result without any element, one block has to "
    "store it.",
    0.6,
)
_DIM3 = Kind(
    "dim3 forgotten",
    "How many blocks or threads is (x, y), and how many is dim3(x, y)?",
    "In parentheses, a comma drops what stands before it: (x, y) is just y.",
    0.1,
)
_LIMITS = Kind(
    "limits of the grid",
    "How many blocks may a grid have along each axis, and how many has it for the largest input?",
    "Along y and z, a grid ends at 65,535 blocks. What may be more belongs to x.",
    0.7,
)
_OF_THE_GRID = re.compile(r"((?:blockIdx|gridDim)\.)([xyz])")


def of(code: Code) -> Iterator[Edit]:
    shared = _dynamic_types(code)
    yield from _turned(code)
    for function in code.host_functions:
        known, values = variables.of_function(code, function), beginnings(function)
        yield from _shapes(code, function)
        yield from _on_their_side(function)
        yield from _side_by_side(function)
        yield from _along_x(function)
        yield from _at_least_one(function)
        yield from _numbers_of_threads(code, function, known)
        for launch in all_of(function, "kernel_call_syntax"):
            yield from _of_launch(launch, shared, known)
            yield from _with_commas(launch)
            yield from _along_two_axes(code, launch, known)
            yield from _threads_as_blocks(launch, known, values)
            yield from _allowed(launch)
            if numbers := launch.named_children:
                yield from _told(function, numbers[0], known)


def _numbers_of_threads(
    code: Code, function: Node, known: list[variables.Variable]
) -> Iterator[Edit]:
    """A constant of the file that a kernel counts with, in place of a number."""
    used = {says(use) for kernel in code.kernels for use in all_of(kernel, "identifier")}
    constants = [
        one.name
        for one in known
        if one.holds == "integer" and one.begin < function.start_byte and one.name in used
    ]
    places = [one.child_by_field_name("value") for one in all_of(function, "init_declarator")]
    for launch in all_of(function, "kernel_call_syntax"):
        places += launch.named_children[:2]
    for place in places:
        if place is not None and says(place).isdigit() and int(says(place)) >= 32:
            yield from (replaced(_BLOCK, place, name, -0.3) for name in constants)


def _allowed(launch: Node) -> Iterator[Edit]:
    """A launch that may ask for more dynamic shared memory than usual."""
    numbers = launch.named_children
    statement = launch.parent.parent if launch.parent else None
    if len(numbers) < 3 or statement is None or statement.type != "expression_statement":
        return
    kernel = says(statement).split("<<<")[0].strip()
    allow = (
        f"cudaFuncSetAttribute({kernel}, cudaFuncAttributeMaxDynamicSharedMemorySize, "
        f"{says(numbers[2])});"
    )
    yield replaced(_LIMIT, statement, f"{{ {allow} {says(statement)} }}", word=says(numbers[2]))


def _told(function: Node, blocks: Node, known: list[variables.Variable]) -> Iterator[Edit]:
    """The number of blocks that the caller asks for, and that nothing has used."""
    body = function.child_by_field_name("body")
    used = {says(use) for use in all_of(body, "identifier")} if body is not None else set()
    for size in variables.sizes_of_call(known):
        if size not in used:
            yield replaced(_GRID, blocks, size, -0.3)


def _shapes(code: Code, function: Node) -> Iterator[Edit]:
    """The constants of the file as the numbers of threads or blocks."""
    constants = [
        one.name
        for one in variables.of_function(code, function)
        if one.holds == "integer" and one.begin < function.start_byte
    ]
    for arguments in all_of(function, "argument_list"):
        around = arguments.parent
        text = says(around)
        if not text.startswith("dim3") and "dim3" not in says(around.parent if around else None):
            continue
        if all(one.type == "number_literal" for one in arguments.named_children):
            for name in constants:
                names = ", ".join([name] * len(arguments.named_children))
                yield replaced(_BLOCK, arguments, f"({names})")


def _on_their_side(function: Node) -> Iterator[Edit]:
    """`dim3 grid(a, b)` that should be `dim3 grid(b, a)`. It parses like a declared function."""
    for declaration in _dim3s(function):
        for numbers in all_of(declaration, "argument_list", "parameter_list"):
            if len(named := numbers.named_children) > 1:
                yield exchanged(_SIDES, named[0], named[1])


def _turned(code: Code) -> Iterator[Edit]:
    """Grids with two axes exchanged, in all launches of a kernel and in the kernel itself."""
    helpers = [one for one in code.kernels if not is_launched(one)]
    for kernel in filter(is_launched, code.kernels):
        uses = [
            (one, found)
            for function in (kernel, *helpers)
            for one in all_of(function, "field_expression")
            if (found := _OF_THE_GRID.fullmatch(says(one)))
        ]
        grids = _grids_of(kernel, code)
        for axis in ("y", "z"):
            if grids and {("blockIdx.", "x"), ("blockIdx.", axis)} <= {
                (found[1], found[2]) for _, found in uses
            }:
                other = {"x": axis, axis: "x"}
                inside = [
                    Change(one.start_byte, one.end_byte, found[1] + other[found[2]])
                    for one, found in uses
                    if found[2] in other
                ]
                numbers = [
                    Change(one.start_byte, one.end_byte, _exchanged(one, axis)) for one in grids
                ]
                yield Edit(_LIMITS, line_of(grids[0]), says(grids[0]), (*numbers, *inside))


def _grids_of(kernel: Node, code: Code) -> list[Node]:
    """The numbers of the dim3 of each launch of a kernel. None if one of them is no dim3."""
    name = function_name(kernel)
    found: dict[int, Node] = {}
    for function in code.host_functions:
        shapes = {first_name(one): one for one in _dim3s(function)}
        for launch in all_of(function, "kernel_call_syntax"):
            called = launch.parent.child_by_field_name("function") if launch.parent else None
            if says(called).partition("<")[0] != name or not launch.named_children:
                continue
            grid = launch.named_children[0]
            declaration = shapes.get(says(grid), grid if "dim3" in says(grid) else None)
            numbers = (
                next(all_of(declaration, "argument_list", "parameter_list"), None)
                if declaration is not None
                else None
            )
            if numbers is None:
                return []
            found[numbers.start_byte] = numbers
    return list(found.values())


def _exchanged(numbers: Node, axis: str) -> str:
    """The numbers of a dim3 with that of x and that of another axis exchanged."""
    texts = [*map(says, numbers.named_children), "1", "1"][:3]
    place = "xyz".index(axis)
    texts[0], texts[place] = texts[place], texts[0]
    return f"({', '.join(texts)})"


def _along_x(function: Node) -> Iterator[Edit]:
    """`dim3 grid(a, 1, c)` becomes `dim3 grid(a * c)`: along x, a grid may have most blocks."""
    for declaration in _dim3s(function):
        for numbers in all_of(declaration, "argument_list", "parameter_list"):
            texts = [f"({says(one)})" for one in numbers.named_children if says(one) != "1"]
            if len(texts) > 1:
                yield replaced(_LIMITS, numbers, f"({' * '.join(texts)})")


def _dim3s(function: Node) -> Iterator[Node]:
    for declaration in all_of(function, "declaration"):
        if says(declaration.child_by_field_name("type")) == "dim3":
            yield declaration


def _along_two_axes(code: Code, launch: Node, known: list[variables.Variable]) -> Iterator[Edit]:
    """`<<<grid, n>>>` becomes `<<<grid, dim3(n, n)>>>` if threads ask for two coordinates."""
    numbers = launch.named_children[:2]
    if "threadIdx.y" in says(code.root) and len(numbers) == 2 and _is_number(numbers[1], known):
        threads = says(numbers[1])
        yield replaced(_ROWS, numbers[1], f"dim3({threads}, {threads})")


def _with_commas(launch: Node) -> Iterator[Edit]:
    """`<<<n, (x, y)>>>` that should be `<<<n, dim3(x, y)>>>`."""
    for number in launch.named_children[:2]:
        inside = number.named_children[:1] if number.type == "parenthesized_expression" else []
        if inside and inside[0].type == "comma_expression":
            yield replaced(_DIM3, number, f"dim3{says(number)}")


def _at_least_one(function: Node) -> Iterator[Edit]:
    """One block where the number of blocks would be 0."""
    launched = {
        says(numbers[0])
        for launch in all_of(function, "kernel_call_syntax")
        if (numbers := launch.named_children)
    }
    for declarator in all_of(function, "init_declarator"):
        value = declarator.child_by_field_name("value")
        is_launched = says(declarator.child_by_field_name("declarator")) in launched
        if value is not None and is_launched and operator_of(value) == "/":
            text = f"(({says(value)}) > 0 ? ({says(value)}) : 1)"
            yield replaced(_AT_LEAST_ONE, value, text, 0.1)


def _side_by_side(function: Node) -> Iterator[Edit]:
    """`grid.x = a; grid.y = b;` that should be `grid.x = b; grid.y = a;`."""
    sides: dict[str, dict[str, Node]] = {}
    for assignment in all_of(function, "assignment_expression"):
        place, value = sides_of(assignment)
        if place is not None and value is not None and place.type == "field_expression":
            name = says(place.child_by_field_name("argument"))
            sides.setdefault(name, {})[says(place.child_by_field_name("field"))] = value
    for values in sides.values():
        if set(values) in ({"x", "y"}, {"x", "y", "z"}) and says(values["x"]) != says(values["y"]):
            yield exchanged(_SIDES, values["x"], values["y"])


def _dynamic_types(code: Code) -> list[str]:
    """The types of elements of the arrays whose size the launch says."""
    found = [
        says(one.child_by_field_name("type"))
        for one in all_of(code.root, "declaration")
        if "extern" in says(one).split() and "__shared__" in says(one)
    ]
    return list(dict.fromkeys(found))


def _of_launch(launch: Node, shared: list[str], known: list[variables.Variable]) -> Iterator[Edit]:
    numbers = launch.named_children
    if len(numbers) < 2:
        return
    yield exchanged(_SWAPPED, numbers[0], numbers[1])
    if len(numbers) == 2 and _is_number(numbers[1], known):
        for element in shared:
            for count in (says(numbers[1]), f"2 * ({says(numbers[1])})"):
                yield inserted(_SHARED, numbers[1], f", ({count}) * sizeof({element})")
    elif len(numbers) > 2:
        for element in shared or ["float"]:
            yield replaced(_SHARED, numbers[2], f"({says(numbers[2])}) * sizeof({element})")
        yield replaced(_SHARED, numbers[2], f"2 * ({says(numbers[2])})", 0.2)
    yield from _shape(_GRID, numbers[0], known)
    yield from _shape(_BLOCK, numbers[1], known)
    here = list(variables.visible(known, launch.start_byte))
    statement = launch.parent.parent if launch.parent else None
    if statement is not None and statement.type == "expression_statement":
        sizes = variables.sizes_of_call(here)
        for size in sizes:
            yield replaced(_EMPTY, statement, f"if ({size} > 0) {says(statement)}")
        for one, other in combinations(sizes, 2):
            condition = f"{one} > 0 && {other} > 0"
            yield replaced(_EMPTY, statement, f"if ({condition}) {says(statement)}", 0.1)


def _threads_as_blocks(
    launch: Node, known: list[variables.Variable], values: dict[str, str]
) -> Iterator[Edit]:
    """`<<<n, threads>>>` gets as many blocks as n threads need.

    It is not tried with what the kernel is not told, or what is a quotient: those count blocks, and
    fewer of them hide what is wrong elsewhere.
    """
    numbers, call = launch.named_children[:2], launch.parent
    if len(numbers) < 2 or numbers[0].type != "identifier":
        return
    arguments = call.child_by_field_name("arguments") if call is not None else None
    told = list(map(says, arguments.named_children)) if arguments is not None else []
    number, block = map(says, numbers)
    counts_threads = number in told and "/" not in values.get(number, "")
    if counts_threads and all(_is_number(one, known) for one in numbers):
        yield replaced(_GRID, numbers[0], f"({number} + {block} - 1) / {block}", -0.1)


def _is_number(node: Node, known: list[variables.Variable]) -> bool:
    """Whether this is a number, and not a dim3."""
    whole = {one.name for one in known if one.holds == "integer"}
    return "dim3" not in says(node) and all(
        says(one) in whole for one in all_of(node, "identifier")
    )


def _shape(kind: Kind, number: Node, known: list[variables.Variable]) -> Iterator[Edit]:
    arguments = next(all_of(number, "argument_list"), None)
    if number.type == "call_expression" and arguments is not None and "dim3" in says(number):
        named = arguments.named_children
        if len(named) > 1:
            yield exchanged(kind, named[0], named[1])
        yield from (replaced(kind, one, f"({says(one)} + 1)", 0.3) for one in named)
        if len(named) == 1:
            yield inserted(kind, named[0], f", {says(named[0])}")
    elif not _is_number(number, known):
        return
    elif kind is _GRID:
        yield replaced(kind, number, f"{says(number)} + 1", 0.3)
    else:
        yield replaced(kind, number, f"dim3({says(number)}, {says(number)})", 0.2)
