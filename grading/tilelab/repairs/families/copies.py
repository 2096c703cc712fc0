"""Asynchronous copies: when they are committed, and when a thread waits for them."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs.code import Code, all_of, calls, line_of, says, statements
from tilelab.repairs.edit import Change, Edit, Kind, inserted, joined

_WAIT = Kind(
    "wait missing",
    "What makes sure that the copies have arrived before this block reads them?",
    "An asynchronous copy has only begun when its call returns. A thread waits for its own copies, "
    "and a barrier then makes those of the others visible.",
    0.5,
)
_COMMIT = Kind(
    "commit missing",
    "To which batch do the copies before this line belong?",
    "A wait is for whole batches, and a commit ends a batch.",
    0.6,
)
_RELEASE = Kind(
    "release or acquire missing",
    "When may the slot be filled again, and who says so?",
    "A producer acquires a stage before it copies, and a consumer releases it after its last read.",
    0.7,
)
_PRODUCERS = ("producer_acquire", "producer_commit")
_CONSUMERS = ("consumer_wait", "consumer_release")


def of(code: Code) -> Iterator[Edit]:
    for kernel in code.kernels:
        added = list(_calls_to_add(kernel))
        for statement in statements(kernel):
            if statement.type not in ("return_statement", "declaration"):
                for kind, text in added:
                    yield inserted(kind, statement, text)
                if added:
                    yield joined(
                        [inserted(_WAIT, statement, text) for _, text in added[1:2]]
                        + [inserted(_WAIT, statement, "__syncthreads();")],
                        0.2,
                    )
        yield from _moved(kernel)


def _calls_to_add(kernel: Node) -> Iterator[tuple[Kind, str]]:
    text = says(kernel)
    if "__pipeline_memcpy_async" in text:
        yield _COMMIT, "__pipeline_commit();"
        yield _WAIT, "__pipeline_wait_prior(0);"
        yield _WAIT, "__pipeline_wait_prior(1);"
    pipes = [
        says(one.child_by_field_name("argument"))
        for one in all_of(kernel, "field_expression")
        if says(one.child_by_field_name("field")) in (*_PRODUCERS, *_CONSUMERS)
    ]
    for pipe in dict.fromkeys(pipes):
        yield _COMMIT, f"{pipe}.producer_commit();"
        yield _WAIT, f"{pipe}.consumer_wait();"
        yield _RELEASE, f"{pipe}.producer_acquire();"
        yield _RELEASE, f"{pipe}.consumer_release();"
    if any(True for _ in calls(kernel, "cg::memcpy_async", "cooperative_groups::memcpy_async")):
        yield _WAIT, "__syncthreads();"
        group = "cg::this_thread_block()"
        yield _WAIT, f"cg::wait({group});"


def _moved(kernel: Node) -> Iterator[Edit]:
    """A wait or commit, two statements further up or down."""
    for one in statements(kernel):
        text = says(one)
        names = ("wait", "commit", "release", "acquire")
        if one.type != "expression_statement" or not any(name in text for name in names):
            continue
        without = Change(one.start_byte, one.end_byte, "")
        for other in _near(one):
            after = inserted(_WAIT, other, text)
            yield Edit(_WAIT, line_of(one), text, (without, *after.changes), 0.2)


def _near(statement: Node) -> Iterator[Node]:
    block = statement.parent
    if block is None:
        return
    place = block.named_children.index(statement)
    for offset in (-3, -2, 2, 3):
        if 0 <= place + offset < len(block.named_children):
            yield block.named_children[place + offset]
