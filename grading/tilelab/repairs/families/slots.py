"""Statements about the slot of each thread that have to be about more slots than threads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    Code,
    all_of,
    beginnings,
    begun,
    condition_of,
    names_in,
    operator_of,
    says,
    sides_of,
)
from tilelab.repairs.edit import Edit, Kind, joined, replaced
from tilelab.repairs.families.numbers import TURN
from tilelab.repairs.variables import Variable

_SHARE = Kind(
    "slots beyond the block",
    "How many slots does the array have, and how many threads are there to look after them?",
    "A block may have fewer threads than an array has slots. Each thread then looks after several, "
    "as far apart as there are threads.",
    0.4,
)
# Of two slots, the one that is not used now.
_OTHER_SLOT = re.compile(r"1 - \w+|\w+ \^ 1")
_FEW = ("2", "3", "4")
_BY_NUMBER = -0.3  # Slots that take turns are seldom told by a number.


def of(code: Code) -> Iterator[Edit]:
    for kernel in code.kernels:
        values = beginnings(kernel)
        yield from _of_all_slots(kernel, values)
        known = variables.of_function(code, kernel)
        yield from _beyond_the_block(kernel, known, values, set(map(says, code.launched)))
        yield from _taking_turns(kernel, known)


def _taking_turns(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """`tile[0][t]` becomes `tile[now][t]`, and `next = now` becomes `next = 1 - now`.

    So they do if the same array has such an index elsewhere.
    """
    buffers = {one.name for one in known if _has_turns(one)}
    indices: dict[str, dict[str, Node]] = {}
    for access in all_of(kernel, "subscript_expression"):
        array = says(access.child_by_field_name("argument"))
        index = next(all_of(access, "subscript_argument_list"), None)
        if array in buffers and index is not None and index.named_children:
            indices.setdefault(array, {})[says(access)] = index.named_children[0]
    for found in indices.values():
        turns = dict.fromkeys(says(one) for one in found.values() if not says(one).isdigit())
        for index in found.values():
            for turn in turns if says(index).isdigit() else ():
                here = {one.name for one in variables.visible(known, index.start_byte)}
                if names_in(turn) <= here:
                    yield replaced(TURN, index, turn, _BY_NUMBER, says(index.parent))
    turning = {says(index) for found in indices.values() for index in found.values()}
    others = [
        one
        for one in all_of(kernel, "binary_expression")
        if _OTHER_SLOT.fullmatch(says(one)) and names_in(says(one)) <= turning
    ]
    for other in dict.fromkeys(map(says, others)):
        for name, value in begun(kernel):
            if says(value) in names_in(other):
                yield replaced(TURN, value, other, word=f"{name} = {says(value)}")


def _has_turns(one: Variable) -> bool:
    """Whether an array may be several of the same kind, such as two tiles."""
    return len(one.sizes) > 1 or (one.holds == "array" and one.sizes[0] in _FEW)


def _of_all_slots(kernel: Node, values: dict[str, str]) -> Iterator[Edit]:
    """`if (b < bins)` for the threads of a block becomes a loop over the slots that they share."""
    for branch in all_of(kernel, "if_statement"):
        asked, body = condition_of(branch), branch.child_by_field_name("consequence")
        slot, end = sides_of(asked) if asked is not None else (None, None)
        if slot is None or body is None or operator_of(asked) != "<":
            continue
        if "threadIdx.x" in (says(slot), values.get(says(slot))) and "[" in says(body):
            text = _shared_out(says(body), says(slot), says(end))
            yield replaced(_SHARE, branch, text, 0.2, says(asked))


def _beyond_the_block(
    kernel: Node, known: list[Variable], values: dict[str, str], threads: set[str]
) -> Iterator[Edit]:
    """A statement about the slot of each thread becomes a loop over the slots that they share.

    In an array that has more slots than the block has `threads`, each such statement misses some.
    """
    for array in known:
        if not array.is_shared or len(array.sizes) != 1 or array.sizes[0] in threads:
            continue
        found = [
            replaced(_SHARE, statement, text, 0.1)
            for statement in all_of(kernel, "expression_statement")
            if (text := _over_all_slots(statement, array, values))
        ]
        yield from found
        if len(found) > 1:
            yield joined(found)


def _over_all_slots(statement: Node, array: Variable, values: dict[str, str]) -> str:
    """The statement in a loop over the slots of an array, if it is about the slot of the thread."""
    for access in all_of(statement, "subscript_expression"):
        slot = says(next(all_of(access, "subscript_argument_list"), None)).strip("[]")
        is_own = "threadIdx.x" in (slot, values.get(slot))
        if is_own and says(access.child_by_field_name("argument")) == array.name:
            return _shared_out(says(statement), slot, array.sizes[0])
    return ""


def _shared_out(text: str, slot: str, end: str) -> str:
    """What is done for the slot of the thread, in a loop over all slots before an end."""
    inside = re.sub(rf"(?<![\w.]){re.escape(slot)}(?!\w)", "slot_", text)
    return f"for (int slot_ = threadIdx.x; slot_ < {end}; slot_ += blockDim.x) {inside}"
