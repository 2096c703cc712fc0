"""Calls of the runtime: bytes, directions, and errors that nobody asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import Code, all_of, calls, first_name, line_of, parents, says, spliced
from tilelab.repairs.edit import Change, Edit, Kind, exchanged, inserted, joined, replaced
from tilelab.repairs.variables import Variable

_COUNTS = ("identifier", "binary_expression", "number_literal")
_BYTES = Kind(
    "bytes and elements",
    "Does this count bytes or elements, and what does the function want?",
    "cudaMalloc, cudaMemcpy and their relatives count bytes: the number of elements times the size "
    "of one.",
    0.4,
)
_SIZEOF = Kind(
    "size of a pointer",
    "What does sizeof measure here: the array, an element, or the pointer?",
    "The sizeof of a pointer is 8, whatever it points to. An element's is sizeof(*pointer).",
    0.3,
)
_ELEMENT = Kind(
    "bytes of a vector",
    "How many bytes does one step move, and how many elements is one step?",
    "A float4 has the bytes of four floats. What is moved at a time has as many bytes as the step "
    "has elements.",
    0.4,
)
_DIRECTION = Kind(
    "direction of a copy",
    "Where does this copy come from, and where does it go?",
    "cudaMemcpy takes the destination first, then the source, and its last argument says from "
    "where to where: host or device.",
    0.4,
)
_OF_THE_HOST = Kind(
    "pointer of the host",
    "Which of these pointers lead to memory of the device?",
    "A kernel follows only pointers to memory of the device. Hand it the copies, not what they "
    "were copied from.",
    0.4,
)
_UNCHECKED = Kind(
    "error not asked for",
    "How does anybody learn that this launch failed?",
    "A launch returns nothing. Ask cudaGetLastError() right after it, before another call.",
    0.4,
)
_OVERWRITTEN = Kind(
    "error overwritten",
    "Which error does this variable hold before this line, and which one after it?",
    "What a call returns replaces what the variable held. The first error is the one to return.",
    0.5,
)
_DROPPED = Kind(
    "error dropped",
    "What does this call return, and which variable keeps it?",
    "Each call of the runtime returns cudaSuccess or an error. The caller never learns of one that "
    "no variable keeps.",
    0.4,
)
_KEPT = Kind(
    "memory that stays",
    "What has been allocated when the function returns here, and who frees it?",
    "A function that returns early leaves out what stands at its end, such as cudaFree.",
    0.4,
)
_COPY = Kind(
    "copy missing",
    "What does each array on the device hold when the kernel reads it?",
    "Memory from cudaMalloc holds anything. What a kernel reads has to be copied there first.",
    0.4,
)
_VECTOR = re.compile(r"\b(?:float|double|int|uint)[24]\b")
_RETURN = re.compile(r"\breturn\b[^;]*;")
_RETURNS_ERRORS = re.compile(r"cuda(?!Free|GetLastError|PeekAtLastError)[A-Z]")
_COUNTING = (
    "cudaMalloc", "cudaMallocAsync", "cudaMemcpy", "cudaMemcpyAsync", "cudaMemset",
    "cudaMemsetAsync", "memcpy_async", "cuda::memcpy_async", "cg::memcpy_async",
    "cooperative_groups::memcpy_async", "__pipeline_memcpy_async",
)  # fmt: skip
_BLOCK, _PLAIN = "compound_statement", ("declaration", "expression_statement")
_DIRECTIONS = ("cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice")
_OPPOSITE = {_DIRECTIONS[0]: _DIRECTIONS[1], _DIRECTIONS[1]: _DIRECTIONS[0]}


def of(code: Code) -> Iterator[Edit]:
    vectors = sorted(set(_VECTOR.findall(says(code.root))))
    for function in code.functions:
        known = variables.of_function(code, function)
        for call in calls(function, *_COUNTING):
            yield from _bytes(call, known)
        for call in calls(function, "cudaMemcpy", "cudaMemcpyAsync"):
            yield from _the_other_way(call)
        yield from _sizes(function, known, vectors)
        for name in all_of(function, "identifier"):
            yield from (
                replaced(_DIRECTION, name, other)
                for other in _DIRECTIONS
                if says(name) in _DIRECTIONS and other != says(name)
            )
    for function in code.host_functions:
        yield from _copies(function)
        yield from _not_copied(function)
        if says(function.child_by_field_name("type")) == "cudaError_t":
            yield from _unchecked(function, _launching(code))
            yield from _overwritten(function)
            yield from _dropped(function, _returning_errors(code))
            yield from _asked_first(function)
            yield from _freed(function)
            yield from _freed_by_a_macro(code, function)
            yield from _goes_on(function)


def _goes_on(function: Node) -> Iterator[Edit]:
    """The function goes on to its calls of cudaFree() where it returned before them."""
    last = max((call.start_byte for call in calls(function, "cudaFree")), default=0)
    for branch in all_of(function, "if_statement"):
        inside = branch.child_by_field_name("consequence")
        if branch.start_byte < last and says(inside).strip("{ ").startswith("return"):
            yield replaced(_KEPT, branch, ";", word=says(branch))


def _copies(function: Node) -> Iterator[Edit]:
    """The copies on the device, in place of what cudaMemcpy() copies from or to."""
    on_device: dict[str, str] = {}
    for call in calls(function, "cudaMemcpy", "cudaMemcpyAsync"):
        arguments = call.child_by_field_name("arguments")
        to, source = [*map(says, arguments.named_children), "", ""][:2] if arguments else ("", "")
        if "HostToDevice" in says(call):
            on_device[source] = to
        elif "DeviceToHost" in says(call):
            on_device[to] = source
    for call in all_of(function, "call_expression"):
        arguments = call.child_by_field_name("arguments")
        called = says(call.child_by_field_name("function"))
        if arguments is None or re.match("cuda[A-Z]", called):
            continue
        wrong = [one for one in arguments.named_children if says(one) in on_device]
        if wrong:
            changes = tuple(
                Change(one.start_byte, one.end_byte, on_device[says(one)]) for one in wrong
            )
            yield Edit(_OF_THE_HOST, line_of(wrong[0]), says(arguments), changes)


def _not_copied(function: Node) -> Iterator[Edit]:
    """A copy to the device for an array that nothing is copied to or from.

    It may be one that goes to the same place as another.
    """
    copies = list(calls(function, "cudaMemcpy", "cudaMemcpyAsync"))
    used = {says(one) for call in copies for one in all_of(call, "identifier")}
    allocated = [
        says(one)
        for call in calls(function, "cudaMalloc", "cudaMallocAsync")
        for one in list(all_of(call.child_by_field_name("arguments") or call, "identifier"))[:1]
        if says(one) not in used
    ]
    sources = [
        says(next(all_of(one.child_by_field_name("declarator") or one, "identifier"), None))
        for one in all_of(function, "parameter_declaration")
        if says(one).startswith("const") and "*" in says(one)
    ]
    filled: set[str] = set()
    for call in copies:
        arguments = call.child_by_field_name("arguments")
        named = arguments.named_children if arguments is not None else []
        statement = next((one for one in parents(call) if _is_in_block(one)), None)
        if len(named) < 3 or "HostToDevice" not in says(call) or statement is None:
            continue
        if says(named[0]) in filled:
            yield from (replaced(_COPY, named[0], to, word=says(call)) for to in allocated)
        filled.add(says(named[0]))
        for to in allocated:
            for source in (one for one in sources if one not in used):
                rest = ", ".join(map(says, named[2:]))
                text = spliced(statement, named[0].parent or call, f"({to}, {source}, {rest})")
                yield inserted(_COPY, statement, text)


def _is_in_block(statement: Node) -> bool:
    return statement.parent is not None and statement.parent.type == _BLOCK


def _the_other_way(call: Node) -> Iterator[Edit]:
    """A copy from what it goes to, to what it comes from, and in the other direction."""
    arguments = call.child_by_field_name("arguments")
    named = arguments.named_children if arguments is not None else []
    for direction in named[2:]:
        if says(direction) in _OPPOSITE:
            turned = replaced(_DIRECTION, direction, _OPPOSITE[says(direction)])
            yield joined([exchanged(_DIRECTION, named[0], named[1]), turned])


def _bytes(call: Node, known: list[Variable]) -> Iterator[Edit]:
    arguments = call.child_by_field_name("arguments")
    if arguments is None:
        return
    types = _types(arguments, known)
    no_numbers = {*_DIRECTIONS, *(one.name for one in known if one.holds != "integer")}
    for one in arguments.named_children[1:]:
        if no_numbers & {says(name) for name in all_of(one, "identifier")}:
            continue
        if one.type in _COUNTS and "sizeof" not in says(one):
            for element in types:
                yield replaced(_BYTES, one, f"({says(one)}) * sizeof({element})")
        if one.type == "binary_expression" and "sizeof" in says(one):
            for side in ("left", "right"):
                kept = one.child_by_field_name(side)
                if kept is not None and "sizeof" not in says(kept):
                    yield replaced(_BYTES, one, says(kept), 0.4)


def _types(root: Node, known: list[Variable]) -> list[str]:
    names = {says(one) for one in all_of(root, "identifier")}
    found = [one.type for one in known if one.name in names and one.holds in ("pointer", "array")]
    return list(dict.fromkeys(found)) or ["float"]


def _sizes(function: Node, known: list[Variable], vectors: list[str]) -> Iterator[Edit]:
    pointers = [one for one in known if one.holds == "pointer"]
    for size in all_of(function, "sizeof_expression"):
        inside = says(size).removeprefix("sizeof").strip().strip("()").strip()
        if any(one.name == inside for one in pointers):
            yield replaced(_SIZEOF, size, f"sizeof(*{inside})")
        for other in dict.fromkeys(one.type for one in pointers):
            if other != inside:
                yield replaced(_SIZEOF, size, f"sizeof({other})", 0.3)
        for vector in vectors if inside in ("float", "int", "unsigned", "double") else ():
            if vector.startswith(inside[:4]):
                yield replaced(_ELEMENT, size, f"sizeof({vector})")
    for one in known:
        # A number of bytes that is kept in a variable.
        if one.holds == "integer" and not one.is_parameter and "byte" in one.name.lower():
            yield from _kept(function, one, pointers)


def _kept(function: Node, one: Variable, pointers: list[Variable]) -> Iterator[Edit]:
    for declarator in all_of(function, "init_declarator"):
        value = declarator.child_by_field_name("value")
        name = says(declarator.child_by_field_name("declarator"))
        if name == one.name and value is not None and "sizeof" not in says(value):
            for element in dict.fromkeys(pointer.type for pointer in pointers):
                yield replaced(_BYTES, value, f"({says(value)}) * sizeof({element})")


def _launching(code: Code) -> list[str]:
    """The functions that launch a kernel, also by one another, and return nothing."""
    found: list[str] = []
    for one in code.host_functions:
        launches = any(all_of(one, "kernel_call_syntax")) or any(calls(one, *found))
        if says(one.child_by_field_name("type")) == "void" and launches:
            found.append(first_name(one.child_by_field_name("declarator") or one))
    return found


def _unchecked(function: Node, launching: list[str]) -> Iterator[Edit]:
    for statement in all_of(function, "expression_statement"):
        if any(all_of(statement, "kernel_call_syntax")) or any(calls(statement, *launching)):
            asked = "if (cudaError_t e_ = cudaGetLastError(); e_ != cudaSuccess) return e_;"
            yield inserted(_UNCHECKED, statement, asked)
            for name in _errors_of(function):
                kept = f"if ({name} == cudaSuccess) {name} = cudaGetLastError();"
                yield inserted(_UNCHECKED, statement, kept)


def _overwritten(function: Node) -> Iterator[Edit]:
    """What a call returns is dropped, or kept only if nothing has failed before."""
    for assignment in all_of(function, "assignment_expression"):
        name = says(assignment.child_by_field_name("left"))
        call = assignment.child_by_field_name("right")
        if name in _errors_of(function) and call is not None and call.type == "call_expression":
            if says(call).startswith("cudaFree"):
                change = Change(assignment.start_byte, call.start_byte, "")
                yield Edit(_OVERWRITTEN, line_of(assignment), says(assignment), (change,))
            kept = f"{name} == cudaSuccess ? {says(call)} : {name}"
            yield replaced(_OVERWRITTEN, call, kept, 0.2)


def _returning_errors(code: Code) -> set[str]:
    """The functions of the file, and of its classes, that return an error."""
    return {
        says(declarator.child_by_field_name("declarator"))
        for one in code.host_functions
        if says(one.child_by_field_name("type")) == "cudaError_t"
        for declarator in all_of(one, "function_declarator")
    }


def _dropped(function: Node, returning: set[str]) -> Iterator[Edit]:
    """`copy(to, from);` becomes `error = copy(to, from);` if it returns an error."""
    for statement in all_of(function, "expression_statement"):
        call = statement.named_children[0] if statement.named_children else None
        if call is None or call.type != "call_expression":
            continue
        called = call.child_by_field_name("function")
        if called is not None and called.type == "field_expression":
            called = called.child_by_field_name("field")
        if says(called) in returning or _RETURNS_ERRORS.match(says(called)):
            for name in _errors_of(function):
                yield replaced(_DROPPED, call, f"{name} = {says(call)}")


def _asked_first(function: Node) -> Iterator[Edit]:
    """A call between a launch and cudaGetLastError() comes after it, and only without an error."""
    for statement in all_of(function, "expression_statement"):
        previous = statement.prev_named_sibling
        asked = next(calls(statement, "cudaGetLastError"), None)
        if asked is None or previous is None or not re.match("cuda[A-Z]", says(previous)):
            continue
        for name in _errors_of(function):
            if re.match(rf"{name}\s*=", says(statement)):
                text = f"{says(statement)} if ({name} == cudaSuccess) {name} = {says(previous)}"
                changes = (
                    Change(previous.start_byte, previous.end_byte, text),
                    Change(statement.start_byte, statement.end_byte, ""),
                )
                yield Edit(_UNCHECKED, line_of(previous), says(previous), changes)


def _freed(function: Node) -> Iterator[Edit]:
    """Before each early return, what was allocated is freed."""
    allocated = list(calls(function, "cudaMalloc"))
    edits = []
    for one in list(all_of(function, "return_statement"))[:-1]:
        failed = _just_asked(one)
        names = [
            says(next(all_of(call.child_by_field_name("arguments") or call, "identifier"), None))
            for call in allocated
            if call.end_byte < one.start_byte and call not in failed
        ]
        if names:
            frees = "".join(f"cudaFree({name}); " for name in names)
            edits.append(replaced(_KEPT, one, f"{{ {frees}{says(one)} }}"))
    yield from edits
    if len(edits) > 1:
        yield joined(edits, extra=-0.1)


def _freed_by_a_macro(code: Code, function: Node) -> Iterator[Edit]:
    """Before a macro of the file returns from the function, what was allocated is freed."""
    for macro in all_of(code.root, "preproc_function_def"):
        text, name = says(macro), says(macro.child_by_field_name("name"))
        if (returned := _RETURN.search(text)) is None:
            continue
        allocated: list[str] = []
        changes = []
        for statement in all_of(function, "expression_statement"):
            call = next(calls(statement, name), None)
            arguments = call.child_by_field_name("arguments") if call is not None else None
            if arguments is None or len(arguments.named_children) != 1:
                continue
            if allocated:
                frees = "".join(f"cudaFree({one}); " for one in allocated)
                asked = f"cudaError_t e_ = {says(arguments)}; e_ != cudaSuccess"
                ended = f"if ({asked}) {{ {frees}return e_; }}"
                changes.append(Change(statement.start_byte, statement.end_byte, ended))
            allocated += [
                first_name(one.child_by_field_name("arguments") or one)
                for one in calls(arguments, "cudaMalloc")
            ]
        if changes:
            line = line_of(macro) + text[: returned.start()].count("\n")
            yield Edit(_KEPT, line, returned[0], tuple(changes))


def _just_asked(early: Node) -> list[Node]:
    """The calls whose failure an early return follows: those of its statement, or of the last."""
    blocks = filter(_is_in_block, parents(early))
    statement = next(blocks, early)
    previous = statement.prev_named_sibling
    asked = list(calls(statement, "cudaMalloc"))
    if not asked and previous is not None and previous.type in _PLAIN:
        asked = list(calls(previous, "cudaMalloc"))
    return asked


def _errors_of(function: Node) -> list[str]:
    """The names of variables that hold errors."""
    found = [
        first_name(one)
        for one in all_of(function, "declaration")
        if says(one.child_by_field_name("type")) == "cudaError_t"
    ]
    return list(dict.fromkeys(name for name in found if name))
