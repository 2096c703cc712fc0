"""Barriers that are missing, or stand where not all threads come by."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs.code import (
    Code,
    all_of,
    calls,
    is_barrier,
    is_launched,
    line_of,
    parents,
    says,
    statements,
)
from tilelab.repairs.edit import Change, Edit, Kind, exchanged, inserted, joined, replaced

_MISSING = Kind(
    "barrier missing",
    "Which threads store what is read after this line, and what makes a thread wait for them?",
    "A thread may read what another thread of its block has stored in shared memory only after a "
    "barrier that both have reached. The same holds before it is overwritten.",
    0.5,
)
_SKIPPED = Kind(
    "barrier in a branch",
    "Does every thread of the block reach this barrier, also those without an element?",
    "A barrier waits for all threads of the block, so it may not stand where some threads do not "
    "reach it: inside an if, or after a return.",
    0.5,
)
_BESIDE = Kind(
    "barrier next to its place",
    "What have the threads stored before this barrier, and what do they read after it?",
    "A barrier belongs between the last store and the first read of what other threads stored.",
    0.5,
)
_IN_EACH_ROUND = Kind(
    "barrier in a loop",
    "What is stored after this barrier in the last round, and who waits for that?",
    "A barrier separates what stands before it from what stands after it. In a loop that fills a "
    "tile, the last stores come after the last barrier of the loop.",
    -0.2,  # As for that of a warp.
)
_WARP = Kind(
    "barrier of a warp",
    "Which threads does this make wait for each other, and whose data are read after it?",
    "__syncwarp() lets the 32 threads of a warp wait for each other, and __syncthreads() all "
    "threads of the block.",
    -0.5,  # It says already where to wait, so no other place is more likely.
)
_FENCE = Kind(
    "fence missing",
    "Another block reads what is stored here. What makes it visible there first?",
    "Another block sees a store for sure only if a __threadfence() lies between it and the store "
    "or atomic that announces it.",
    0.7,
)
_LOOPS = ("for_statement", "while_statement", "do_statement")
_MOVES_OVER = ("expression_statement", "if_statement", *_LOOPS)
_OF_AN_INNER_LOOP = 0.35
_AT_THE_END = 0.25
_WITHOUT_A_FLAG = 0.8  # Atomics of one block need none.


def of(code: Code) -> Iterator[Edit]:
    tells_blocks = "volatile" in says(code.root) or "__threadfence" in says(code.root)
    for kernel in code.kernels:
        if tells_blocks or "atomic" in says(kernel):
            yield from _fences(kernel, 0.0 if tells_blocks else _WITHOUT_A_FLAG)
        yield from _of_the_block(kernel)
        yield from _added(kernel)
        yield from _moved_out(kernel)
        yield from _after_the_loop(kernel)
        yield from _next_to_its_place(kernel)


def _fences(kernel: Node, extra: float) -> Iterator[Edit]:
    for one in filter(_can_follow, statements(kernel)):
        yield inserted(_FENCE, one, "__threadfence();", extra)


def _of_the_block(kernel: Node) -> Iterator[Edit]:
    """A barrier for the warp, where one for the block is needed."""
    for call in calls(kernel, "__syncwarp"):
        yield replaced(_WARP, call, "__syncthreads()")


def _added(kernel: Node) -> Iterator[Edit]:
    places = [one for one in statements(kernel) if _can_follow(one)]
    # What waits is seldom a helper, unless it does so already.
    waits = any(map(is_barrier, statements(kernel)))
    extra = 0.0 if is_launched(kernel) or waits else 0.2
    edits = [
        inserted(_MISSING, one, "__syncthreads();", extra + _extra(one, kernel)) for one in places
    ]
    yield from edits
    yield from _in_single_bodies(kernel)
    # One is often missing on both sides of a loop's work.
    for i, first in enumerate(edits):
        if _is_in_a_loop(places[i]):
            yield from (joined([first, second], extra=0.8) for second in edits[i + 1 :])


def _extra(statement: Node, kernel: Node) -> float:
    """More in an inner loop, where a barrier in the outer one does as well, and less at its end."""
    loops = [one for one in parents(statement) if one.type in _LOOPS]
    loops = [one for one in loops if one.start_byte > kernel.start_byte]
    inner = _OF_AN_INNER_LOOP if len(loops) > 1 else 0.0
    block = statement.parent
    is_last = block is not None and block.named_children[-1] == statement
    if is_last and loops and loops[0].child_by_field_name("body") == block:
        return inner - _AT_THE_END
    return inner


def _can_follow(statement: Node) -> bool:
    if statement.type in ("return_statement", "break_statement", "continue_statement"):
        return False
    near = [statement, statement.next_named_sibling]
    return not any(one is not None and is_barrier(one) for one in near)


def _in_single_bodies(kernel: Node) -> Iterator[Edit]:
    """A barrier at the end of a loop whose body is one statement without braces."""
    for loop in all_of(kernel, "for_statement", "while_statement"):
        body = loop.child_by_field_name("body")
        if body is not None and body.type != "compound_statement":
            yield replaced(_MISSING, body, f"{{ {says(body)} __syncthreads(); }}", word=" ")


def _moved_out(kernel: Node) -> Iterator[Edit]:
    """A barrier that moves behind a branch that it stands in."""
    for statement in statements(kernel):
        if not is_barrier(statement):
            continue
        without = Change(statement.start_byte, statement.end_byte, "")
        for branch in (one for one in parents(statement) if one.type == "if_statement"):
            if branch.start_byte < kernel.start_byte:
                break
            after = inserted(_SKIPPED, branch, says(statement))
            line = line_of(statement)
            yield Edit(_SKIPPED, line, says(statement), (without, *after.changes))


def _after_the_loop(kernel: Node) -> Iterator[Edit]:
    """The only barrier of a loop, at the beginning of each round, which moves behind the loop."""
    for loop in all_of(kernel, *_LOOPS):
        body = loop.child_by_field_name("body")
        first = next(iter(body.named_children), None) if body is not None else None
        others = list(filter(is_barrier, statements(loop)))[1:]
        if first is not None and is_barrier(first) and not others:
            without = Change(first.start_byte, first.end_byte, "")
            after = inserted(_IN_EACH_ROUND, loop, says(first))
            changes = (without, *after.changes)
            yield Edit(_IN_EACH_ROUND, line_of(first), says(first), changes)


def _next_to_its_place(kernel: Node) -> Iterator[Edit]:
    """A barrier and the statement before or after it change places."""
    for one in filter(is_barrier, statements(kernel)):
        for other in (one.prev_named_sibling, one.next_named_sibling):
            if other is not None and other.type in _MOVES_OVER:
                first, second = sorted((one, other), key=lambda node: node.start_byte)
                yield exchanged(_BESIDE, first, second)


def _is_in_a_loop(statement: Node) -> bool:
    return any(one.type in _LOOPS for one in parents(statement))
