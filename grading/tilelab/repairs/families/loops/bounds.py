"""Loops of a kernel: how far they go, which thread takes which round, and what is in between."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    Code,
    all_of,
    beginnings,
    condition_of,
    constants_of,
    first_name,
    is_barrier,
    line_of,
    operator_of,
    parents,
    says,
    sides_of,
    spliced,
    terms_of,
)
from tilelab.repairs.edit import Change, Edit, Kind, replaced
from tilelab.repairs.families.indices import TURN
from tilelab.repairs.variables import Variable

_BOUND = Kind(
    "end of a loop",
    "How many slots does the array have, and how many of them does this loop fill?",
    "A loop that fills a tile has to reach each of its slots.",
    0.4,
)
_SHARE = Kind(
    "work of one thread",
    "How many threads run this loop, and how many rounds does each of them make?",
    "Each thread runs all of a kernel. If they are to share the rounds of a loop, each begins at "
    "its own index and steps by the number of threads.",
    0.4,
)
_TREE = Kind(
    "distances of a tree",
    "Which slots do the threads 0, 1 and 2 use in this round, and in which banks are they?",
    "If the distance begins at half of the elements and is halved in each round, neighboring "
    "threads use neighboring slots.",
    0.4,
)
_SPLIT = Kind(
    "barrier in the middle of a loop",
    "Which slots of the tile are filled when the first round of this loop reads some of them?",
    "A barrier makes visible what has been stored before. What later rounds store is not there "
    "yet, so all rounds that fill the tile come before the first that reads it.",
    0.4,
)
_ROUND = Kind(
    "index of the round",
    "Which element does this line use in the first round of the loop, and which in the second?",
    "An index without the counter of the loop is the same in each round.",
    0.5,
)
_LAST_TILE = Kind(
    "slots of the last tile",
    "How many slots of the last tile have been filled, and how many does this loop go through?",
    "The last tile is seldom full. What its other slots hold belongs to no element.",
    0.8,  # It shows where slots are read, but comes from where they are filled.
)
_Arrays = Mapping[tuple[str, str], tuple[str, ...]]  # by struct and member

_THREAD = re.compile(r"threadIdx\.([xyz])")
_LOOPS = ("for_statement", "while_statement")


@dataclass(frozen=True)
class _Loop:
    """`for (int counter = start; counter < end; update)`."""

    node: Node
    counter: str
    start: Node
    condition: Node
    end: Node
    update: Node
    body: Node


def of(code: Code) -> Iterator[Edit]:
    constants = sorted(constants_of(code))
    members = _arrays(code)
    for kernel in code.kernels:
        known = variables.of_function(code, kernel)
        values = beginnings(kernel)
        loops = list(_loops(kernel))
        for loop in loops:
            yield from _as_another(loop, loops)
            yield from _of_full_tiles(loop, variables.sizes_of_call(known), values)
            yield from _of_the_round(loop, known)
            yield from _blocks_apart(loop, constants, values)
            yield from _to_the_end(loop, known, members)
            yield from _shared_out(loop, kernel, known, members)
            yield from _halving(loop, kernel)
            yield from _split(loop)
            yield from _by_the_grid(loop, values)


def _loops(kernel: Node) -> Iterator[_Loop]:
    for node in all_of(kernel, "for_statement"):
        start = next(
            all_of(node.child_by_field_name("initializer") or node, "init_declarator"), None
        )
        condition = node.child_by_field_name("condition")
        update, body = node.child_by_field_name("update"), node.child_by_field_name("body")
        if start is None or condition is None or update is None or body is None:
            continue
        value = start.child_by_field_name("value")
        end = condition.child_by_field_name("right")
        if value is not None and end is not None and condition.type == "binary_expression":
            counter = says(start.child_by_field_name("declarator"))
            yield _Loop(node, counter, value, condition, end, update, body)


def _as_another(loop: _Loop, loops: list[_Loop]) -> Iterator[Edit]:
    """The loop ends where another one with a counter of that name does."""
    ends = {says(one.condition) for one in loops if one.counter == loop.counter}
    for end in sorted(ends - {says(loop.condition)}):
        yield replaced(_BOUND, loop.condition, end)


def _of_full_tiles(loop: _Loop, sizes: list[str], values: Mapping[str, str]) -> Iterator[Edit]:
    """A loop over the slots of each tile ends where the elements do."""
    width = values.get(says(loop.end), says(loop.end))
    outer = [one for one in parents(loop.node) if one.type in _LOOPS]
    for around in outer if width not in sizes else ():
        counter, end = sides_of(condition_of(around) or around)
        body = around.child_by_field_name("body")
        if counter is None or body is None or counter.type != "identifier":
            continue
        by_tile = f"{says(counter)} += {width}" in says(around)
        first = says(counter) if by_tile else f"{says(counter)} * {width}"
        for size in sizes:
            text = f"{says(loop.condition)} && {first} + {loop.counter} < {size}"
            extra = 0.0 if size == says(end) else 0.2
            # If every thread stores to the tile, none of its slots is empty.
            extra += 0.0 if _stores_on_condition(body, loop.node) else 0.1
            yield replaced(_LAST_TILE, loop.condition, text, extra)


def _stores_on_condition(body: Node, end: Node) -> bool:
    """Whether a store to an array depends on a condition, before the loop `end`."""
    stores = [
        says(store.child_by_field_name("left"))
        for branch in all_of(body, "if_statement")
        if branch.end_byte <= end.start_byte
        for store in all_of(branch, "assignment_expression")
    ]
    return any("[" in one for one in stores)


def _of_the_round(loop: _Loop, known: list[Variable]) -> Iterator[Edit]:
    """The counter of the loop, in an index that is the same in each round."""
    whole = {one.name for one in known if one.holds == "integer"}
    for index in all_of(loop.body, "subscript_argument_list"):
        access = _whole_access(index)
        used = [says(use) for use in all_of(access, "identifier")]
        if loop.counter in used or _innermost(access) != loop.node:
            continue
        for use in all_of(index, "identifier"):
            if says(use) in whole:
                yield replaced(_ROUND, use, loop.counter, word=says(access))


def _whole_access(index: Node) -> Node:
    """The access with all of its indices that one of them belongs to."""
    return max(
        takewhile(lambda one: one.type == "subscript_expression", parents(index)),
        key=lambda one: one.end_byte - one.start_byte,
    )


def _innermost(node: Node) -> Node | None:
    return next((one for one in parents(node) if one.type == "for_statement"), None)


def _blocks_apart(loop: _Loop, constants: list[str], values: dict[str, str]) -> Iterator[Edit]:
    """`threadIdx.y + k` becomes `threadIdx.y + k * blockDim.y`, or as many rows as a constant."""
    if "++" not in says(loop.update):
        return
    for total in all_of(loop.body, "binary_expression"):
        if operator_of(total) != "+" or operator_of(total.parent) == "+":
            continue
        terms = terms_of(total)
        counters = [one for one in terms if says(one) == loop.counter]
        threads = [_THREAD.search(values.get(says(one), says(one))) for one in terms]
        for axis in [found[1] for found in threads if found]:
            steps = (f"blockDim.{axis}", *constants)
            for counter in counters:
                yield from (
                    replaced(TURN, counter, f"{loop.counter} * {step}", word=says(total))
                    for step in steps
                )


def _filled(loop: _Loop, known: list[Variable], members: _Arrays) -> Iterator[Variable]:
    """The shared arrays that a loop stores to, also those that are members."""
    shared = {one.name: one for one in known if one.is_shared}
    places = [
        left
        for one in all_of(loop.body, "assignment_expression")
        if (left := one.child_by_field_name("left")) is not None and "[" in says(left)
    ]
    found: dict[Variable, None] = {}
    for place in places:
        array = shared.get(first_name(place))
        if array is not None:
            member = says(next(all_of(place, "field_identifier"), None))
            sizes = members.get((array.type, member), array.sizes)
            found[replace(array, sizes=sizes)] = None
    yield from found


def _arrays(code: Code) -> _Arrays:
    """The sizes of the arrays in the structs of the file."""
    return {
        (says(struct.child_by_field_name("name")), says(name)): (size,)
        for struct in all_of(code.root, "struct_specifier")
        for field in all_of(struct, "field_declaration")
        for array in field.children_by_field_name("declarator")
        if array.type == "array_declarator"
        and (name := array.child_by_field_name("declarator")) is not None
        and name.type == "field_identifier"
        and (size := says(array.child_by_field_name("size")))
    }


def _to_the_end(loop: _Loop, known: list[Variable], members: _Arrays) -> Iterator[Edit]:
    """The loop ends at the size of the array that it fills."""
    for array in _filled(loop, known, members):
        if not array.sizes or not all(array.sizes):
            continue
        whole = " * ".join(f"({one})" for one in array.sizes)
        for size in dict.fromkeys((whole, *(f"({one})" for one in array.sizes))):
            if says(loop.end) != size.strip("()"):
                yield replaced(_BOUND, loop.end, size, word=says(loop.condition))


def _shared_out(
    loop: _Loop, kernel: Node, known: list[Variable], members: _Arrays
) -> Iterator[Edit]:
    """A loop that every thread runs as a whole becomes one whose rounds the threads share."""
    if says(loop.start) != "0" or "++" not in says(loop.update):
        return
    if not any(_filled(loop, known, members)):
        return
    threads = [("threadIdx.x", "blockDim.x")]
    if "threadIdx.y" in says(kernel):
        threads.append(("threadIdx.y * blockDim.x + threadIdx.x", "blockDim.x * blockDim.y"))
        threads.append(("threadIdx.y", "blockDim.y"))
    for start, step in threads:
        changes = (
            Change(loop.start.start_byte, loop.start.end_byte, start),
            Change(loop.update.start_byte, loop.update.end_byte, f"{loop.counter} += {step}"),
        )
        yield Edit(_SHARE, line_of(loop.node), says(loop.condition), changes)


_ADDED = re.compile(r"(\w+)\[(.+?)\] \+= (\w+)\[(.+?) \+ (\w+)\]")


def _halving(loop: _Loop, kernel: Node) -> Iterator[Edit]:
    """A tree whose distance is doubled from round to round becomes one whose distance is halved."""
    doubled = re.fullmatch(r"(\w+) (?:\*= 2|<<= 1)", says(loop.update))
    added = _ADDED.search(says(loop.body))
    if not doubled or not added or added[1] != added[3] or added[5] != loop.counter:
        return
    if doubled[1] != loop.counter or says(loop.start) != "1":
        return
    array, distance = added[1], loop.counter
    text = (
        f"for (int {distance} = ({says(loop.end)}) / 2; {distance} > 0; {distance} /= 2) "
        f"{{ if (threadIdx.x < {distance}) "
        f"{array}[threadIdx.x] += {array}[threadIdx.x + {distance}]; __syncthreads(); }}"
    )
    yield replaced(_TREE, loop.node, text, word=says(loop.condition))


def _split(loop: _Loop) -> Iterator[Edit]:
    """All rounds up to a barrier, then the barrier, then all rounds of what follows it."""
    statements = [one for one in loop.body.named_children if one.type != "comment"]
    for place, barrier in enumerate(statements):
        if not is_barrier(barrier) or place in (0, len(statements) - 1):
            continue
        head = says(loop.node)[: loop.body.start_byte - loop.node.start_byte]
        text = f"}} {says(barrier)} {head}{{"
        changed = spliced(loop.node, barrier, text)
        change = Change(loop.node.start_byte, loop.node.end_byte, changed)
        yield Edit(_SPLIT, line_of(barrier), says(barrier), (change,))


def _by_the_grid(loop: _Loop, values: dict[str, str]) -> Iterator[Edit]:
    """Several elements in a row for each thread become elements that are a whole grid apart."""
    if operator_of(loop.start) != "*" or loop.update.type != "update_expression":
        return
    for thread in map(says, sides_of(loop.start)):
        if not all(name in values.get(thread, thread) for name in ("blockIdx.x", "threadIdx.x")):
            continue
        for part in all_of(loop.condition, "binary_expression"):
            left, right = sides_of(part)
            is_name = right is not None and right.type == "identifier"
            if operator_of(part) == "<" and says(left) == loop.counter and is_name:
                step = f"{loop.counter} += gridDim.x * blockDim.x"
                changes = (
                    Change(loop.start.start_byte, loop.start.end_byte, thread),
                    Change(loop.condition.start_byte, loop.condition.end_byte, says(part)),
                    Change(loop.update.start_byte, loop.update.end_byte, step),
                )
                yield Edit(TURN, line_of(loop.node), says(loop.condition), changes)
