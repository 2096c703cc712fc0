"""Statements about the slot of each thread that have to be about more slots than threads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import Code, all_of, beginnings, condition_of, operator_of, says, sides_of
from tilelab.repairs.edit import Edit, Kind, joined, replaced
from tilelab.repairs.variables import Variable

_SHARE = Kind(
    "slots beyond the block",
    "How many slots does the array have, and how many threads are there to look after them?",
    "A block may have fewer threads than an array has slots. Each thread then looks after several, "
    "as far apart as there are threads.",
    0.4,
)


def of(code: Code) -> Iterator[Edit]:
    for kernel in code.kernels:
        values = beginnings(kernel)
        yield from _of_all_slots(kernel, values)
        known = variables.of_function(code, kernel)
        yield from _beyond_the_block(kernel, known, values, set(map(says, code.launched)))


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
