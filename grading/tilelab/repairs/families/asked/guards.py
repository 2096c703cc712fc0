"""Guards that are missing, and what a thread without an element stores in its slot."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    Code,
    all_of,
    beginnings,
    calls,
    condition_of,
    first_name,
    is_barrier,
    is_zero,
    line_of,
    operator_of,
    parents,
    renamed,
    says,
    sides_of,
    terms_of,
)
from tilelab.repairs.edit import Change, Edit, Kind, inserted, replaced
from tilelab.repairs.families.terms import offsets_of
from tilelab.repairs.variables import Variable

_GUARD = Kind(
    "guard missing",
    "Which threads run this line although there is no element for them?",
    "The last block has more threads than elements are left. A thread without an element must not "
    "access memory for it.",
    0.8,
)
_EMPTY_SLOT = Kind(
    "empty slot",
    "What does the slot of a thread without an element hold?",
    "Shared memory holds anything at the beginning. If all slots are read, a thread without an "
    "element has to store what changes nothing, such as 0.",
    0.4,
)
_ONE = Kind(
    "work of all threads",
    "How many threads run this line, and how many times is it to be done?",
    "What a block does once, one of its threads does. A barrier then lets the others read what it "
    "has got.",
    0.4,
)
_ONE_BLOCK = Kind(
    "work of one block",
    "How many blocks run this line, and how many times is it to be done?",
    "threadIdx.x is the same in each block. What the grid does once, the threads of one block do, "
    "or each thread asks for its index in the grid.",
    0.5,
)
_RANGE = Kind(
    "right already",
    "For which values does this have to change anything, and what does it do to the others?",
    "A place within the array is to be used as it is. Only one outside of it needs another.",
    0.6,
)
# What changes nothing in a search for the least, in one for the largest, and in a product.
_PLAIN = ("field_expression", "identifier", "subscript_expression")
_NUMBERS = ("float", "int", "unsigned", "unsigned int", "double")
_OF_A_HALO = -0.2
_NEUTRAL = ("3.402823466e38f", "-3.402823466e38f", "1")


def of(code: Code) -> Iterator[Edit]:
    offsets = offsets_of(code)
    helpers = {first_name(one.child_by_field_name("declarator") or one) for one in code.kernels}
    for kernel in code.kernels:
        known = variables.of_function(code, kernel)
        yield from _guards(kernel, known)
        yield from _beside_the_last(kernel, helpers, offsets)
        yield from _loads(kernel, known)
        yield from _at_the_end(kernel, known)
        yield from _empty_slots(kernel)
        yield from _neutral(kernel, known)
        yield from _filled(kernel, known)
        yield from _right_already(kernel, known)
        yield from _by_one_thread(kernel)
        yield from _by_one_block(kernel, known)


def _guards(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """A statement that reads or writes an array, guarded by an index and a size of the call."""
    for statement in all_of(kernel, "expression_statement"):
        if not _accesses(statement) or is_barrier(statement):
            continue
        used = {says(one) for one in all_of(statement, "identifier")}
        # A condition that it alone has already is rather what is wrong.
        is_asked_for = _is_asked_for(statement)
        for condition in _conditions(known, statement, used):
            if not is_asked_for:
                extra = 0.2 if "&&" in condition else 0
                yield replaced(_GUARD, statement, f"if ({condition}) {says(statement)}", extra)
            yield from _guarded_value(statement, condition)
        for condition in _by_index(known, statement):
            yield replaced(_GUARD, statement, f"if ({condition}) {says(statement)}", 0.1)


def _beside_the_last(kernel: Node, helpers: set[str], offsets: list[str]) -> Iterator[Edit]:
    """An access to `in[wrap(j, n)]` only if `j < n + halo`: no result needs what lies beyond."""
    for statement in all_of(kernel, "expression_statement"):
        for call in calls(statement, *helpers) if _accesses(statement) else ():
            arguments = call.child_by_field_name("arguments")
            given = list(map(says, arguments.named_children if arguments is not None else ()))
            for offset in offsets if len(given) > 1 else ():
                text = f"if ({given[0]} < {given[1]} + {offset}) {says(statement)}"
                yield replaced(_GUARD, statement, text, _OF_A_HALO)


def _is_asked_for(statement: Node) -> bool:
    """Whether it is all that an `if` without an `else` has."""
    around = statement.parent
    if around is not None and around.type == "compound_statement":
        if [one for one in around.named_children if one.type != "comment"] != [statement]:
            return False
        around = around.parent
    if around is None or around.type != "if_statement":
        return False
    return around.child_by_field_name("alternative") is None


def _by_index(known: list[Variable], statement: Node) -> Iterator[str]:
    """That what stands between the brackets lies below a size of the call, such as `i[r] < n`."""
    here = list(variables.visible(known, statement.start_byte))
    sizes = variables.sizes_of_call(here)
    arrays = {one.name for one in here if not one.is_shared and one.holds == "pointer"}
    for access in all_of(statement, "subscript_expression"):
        index = next(all_of(access, "subscript_argument_list"), None)
        if index is None or says(access.child_by_field_name("argument")) not in arrays:
            continue
        # A part of the index may be the place along one axis.
        sums = [one for one in all_of(index, "binary_expression") if operator_of(one) == "+"]
        for text in dict.fromkeys(map(says, (*index.named_children, *sums))):
            if not text.isidentifier():
                yield from (f"{text} < {size}" for size in sizes)


def _accesses(statement: Node) -> bool:
    return any(all_of(statement, "subscript_expression", "pointer_expression"))


def _conditions(known: list[Variable], at: Node, used: set[str]) -> Iterator[str]:
    """That indices that are used lie below the sizes of the call."""
    here = list(variables.visible(known, at.start_byte))
    sizes = variables.sizes_of_call(here)
    indices = [
        one.name
        for one in here
        if one.holds == "integer" and not one.is_parameter and one.name in used
    ]
    for index in indices:
        for size in sizes:
            yield f"{index} < {size}"
        yield f"{index} > 0"
    for one in indices:
        for other in indices:
            if one < other:
                yield from (
                    f"{one} < {first} && {other} < {second}"
                    for first in sizes
                    for second in sizes
                    if first != second
                )


def _guarded_value(statement: Node, condition: str) -> Iterator[Edit]:
    """What is stored is 0 where there is no element."""
    for assignment in all_of(statement, "assignment_expression"):
        value = assignment.child_by_field_name("right")
        if value is not None and any(all_of(value, "subscript_expression")):
            yield replaced(_GUARD, value, f"({condition} ? {says(value)} : 0)", 0.1)


def _loads(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """What a variable begins with, or a function is called with, is 0 where there is no element."""
    arrays = {one.name for one in known if one.is_parameter and one.holds == "pointer"}
    tiles = {one.name: one.sizes[0] for one in known if one.is_shared and len(one.sizes) == 1}
    for access in all_of(kernel, "subscript_expression"):
        is_needed = any(one.type in ("init_declarator", "argument_list") for one in parents(access))
        array = says(access.child_by_field_name("argument"))
        is_address = access.parent is not None and access.parent.type == "pointer_expression"
        if is_needed and not is_address and (size := tiles.get(array)):
            index = next(all_of(access, "subscript_argument_list"), None)
            slot = says(index).strip("[]")
            yield replaced(_GUARD, access, f"({slot} < {size} ? {says(access)} : 0)")
        if not is_needed or array not in arrays:
            continue
        used = {says(one) for one in all_of(access, "identifier")}
        for condition in _conditions(known, access, used):
            if "&&" not in condition:
                yield replaced(_GUARD, access, f"({condition} ? {says(access)} : 0)")


def _at_the_end(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """Threads without an element leave after the last barrier."""
    body = kernel.child_by_field_name("body")
    found = [one for one in body.named_children if one.type != "comment"] if body else []
    last = max((i for i, one in enumerate(found) if _waits(one)), default=-1)
    first = next((i for i in range(last + 1, len(found)) if _accesses(found[i])), None)
    if first is None or first == 0:
        return
    place = found[last] if last >= 0 else found[first - 1]
    following = found[last + 1 :] if last >= 0 else found[first:]
    used = {says(use) for one in following for use in all_of(one, "identifier")}
    # Only what is known at the place can be asked there.
    for condition in _conditions(known, following[0], used):
        if "> 0" not in condition:
            extra = 0.2 if "&&" in condition else -0.1
            leaving = Change(place.end_byte, place.end_byte, f" if (!({condition})) return;")
            yield Edit(_GUARD, line_of(found[first]), says(found[first]), (leaving,), extra)


def _waits(statement: Node) -> bool:
    return any(is_barrier(one) for one in all_of(statement, "expression_statement"))


def _empty_slots(kernel: Node) -> Iterator[Edit]:
    """What a thread without an element stores in its slot: 0."""
    for branch in all_of(kernel, "if_statement"):
        body = branch.child_by_field_name("consequence")
        assignment = next(all_of(body, "assignment_expression"), None) if body else None
        if body is None or assignment is None or branch.child_by_field_name("alternative"):
            continue
        slot = says(assignment.child_by_field_name("left"))
        if "[" in slot and says(body).strip("{} \n") == f"{says(assignment)};":
            yield inserted(_EMPTY_SLOT, body, f"else {slot} = {{}};")
            if (first := _first_term(assignment)) is not None:
                yield inserted(_EMPTY_SLOT, body, f"else {slot} = {says(first)};")
            yield from _empty_for_some(branch, slot)


def _first_term(assignment: Node) -> Node | None:
    """What is as far in another array as the place that something is added for."""
    place, value = sides_of(assignment)
    if place is None or value is None or operator_of(value) != "+":
        return None
    first = terms_of(value)[0]
    # The last index, of several.
    index, other = (one.child_by_field_name("indices") for one in (place, first))
    return first if first.type == place.type and says(index) == says(other) else None


def _empty_for_some(branch: Node, slot: str) -> Iterator[Edit]:
    """Of two conditions, one says whose slot it is, and the other whether it has an element."""
    both = condition_of(branch)
    body = says(branch.child_by_field_name("consequence"))
    if both is None or says(both.child_by_field_name("operator")) != "&&":
        return
    sides = [says(both.child_by_field_name(one)) for one in ("left", "right")]
    for whose, has_one in (sides, sides[::-1]):
        text = f"if ({whose}) {{ if ({has_one}) {body} else {slot} = {{}}; }}"
        yield replaced(_EMPTY_SLOT, branch, text, word=says(both))


def _neutral(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """Something other than 0 in the slot of a thread without an element."""
    shared = {one.name for one in known if one.is_shared}
    for assignment in all_of(kernel, "assignment_expression"):
        slot = assignment.child_by_field_name("left")
        value = assignment.child_by_field_name("right")
        if slot is None or value is None or first_name(slot) not in shared:
            continue
        empty = value.child_by_field_name("alternative") or value
        zeros = [one for one in all_of(empty, "number_literal") if is_zero(one)]
        if not zeros or "[" in says(empty):
            continue
        for other in _NEUTRAL:
            changes = tuple(Change(one.start_byte, one.end_byte, other) for one in zeros)
            yield Edit(_EMPTY_SLOT, line_of(empty), says(empty), changes, 0.1)


def _filled(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """What is stored in a slot is 0 where an index is past the end."""
    shared = {one.name for one in known if one.is_shared and one.type in _NUMBERS}
    for assignment in all_of(kernel, "assignment_expression"):
        slot, value = sides_of(assignment)
        if (
            slot is None
            or value is None
            or says(slot.child_by_field_name("argument")) not in shared
        ):
            continue
        is_stored = says(assignment.child_by_field_name("operator")) == "="
        if not is_stored or value.type not in _PLAIN or first_name(value) in shared:
            continue
        here = list(variables.visible(known, assignment.start_byte))
        indices = [one.name for one in here if one.holds == "integer" and not one.is_parameter]
        for size in variables.sizes_of_call(here):
            for index in indices:
                text = f"({index} < {size} ? {says(value)} : 0)"
                yield replaced(_EMPTY_SLOT, value, text, 0.2, says(assignment))


def _right_already(function: Node, known: list[Variable]) -> Iterator[Edit]:
    """What wraps around leaves alone what lies within."""
    whole = {one.name for one in known if one.holds == "integer"}
    for one in all_of(function, "binary_expression"):
        if operator_of(one) != "%":
            continue
        places, sizes = (
            [name for use in all_of(side, "identifier") if (name := says(use)) in whole]
            for side in sides_of(one)
            if side is not None
        )
        for place in dict.fromkeys(places):
            for size in dict.fromkeys(sizes):
                if place != size:
                    inside = f"{place} >= 0 && {place} < {size}"
                    yield replaced(_RANGE, one, f"({inside} ? {place} : {says(one)})")
                    # If the last one repeats the first, the period is one less.
                    period = renamed(says(one), {size: f"({size} - 1)"})
                    yield replaced(_RANGE, one, f"({inside} ? {place} : {period})", 0.1)


def _by_one_thread(kernel: Node) -> Iterator[Edit]:
    """An atomic operation that each thread makes, on a place that is the same for all."""
    for statement in all_of(kernel, "expression_statement"):
        if any(one.type == "if_statement" for one in parents(statement)):
            continue
        for call in all_of(statement, "call_expression"):
            arguments = call.child_by_field_name("arguments")
            place = arguments.named_children[0] if arguments and arguments.named_children else None
            if says(call).startswith("atomic") and place and not any(all_of(place, "[")):
                yield replaced(_ONE, statement, f"if (threadIdx.x == 0) {says(statement)}")


def _by_one_block(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """What threads of every block read from global memory, though their blocks are not asked."""
    arrays = {one.name for one in known if one.is_parameter and one.holds == "pointer"}
    values = beginnings(kernel)
    for branch in all_of(kernel, "if_statement"):
        condition, body = condition_of(branch), branch.child_by_field_name("consequence")
        if condition is None or body is None:
            continue
        asked = [says(one) for one in all_of(condition, "identifier", "field_expression")]
        is_of_a_block = any("threadIdx" in values.get(one, one) for one in asked)
        is_of_the_grid = any("blockIdx" in values.get(one, one) for one in asked)
        reads = {
            says(one.child_by_field_name("argument"))
            for one in all_of(body, "subscript_expression")
        }
        if is_of_a_block and not is_of_the_grid and arrays & reads:
            yield replaced(_ONE_BLOCK, condition, f"(blockIdx.x == 0 && ({says(condition)}))")
