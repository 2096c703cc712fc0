"""Questions about threads: which of them goes where, worked out by the trace of a small input."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence

from tilelab.model.picture import Step
from tilelab.model.questions.viva import Question
from tilelab.viva.accesses import Access, Array, Seen

_DOES = {"load": "loads", "store": "stores"}
# More would have to be counted one by one.
_MOST_BARRIERS = 40


def questions(seen: Seen, shared_copies: Container[int], draw: random.Random) -> Iterator[Question]:
    """One question of each kind for each line, array and drawn block.

    In the lines of `shared_copies`, no access belongs to a thread.
    """
    by_line: dict[tuple[str, int, Array], list[Access]] = defaultdict(list)
    for one in seen.accesses:
        if one.kind in _DOES and one.line not in shared_copies:
            by_line[one.kind, one.line, one.array].append(one)
    for accesses in by_line.values():
        block = draw.choice(sorted({one.block for one in accesses}))
        here = [one for one in accesses if one.block == block]
        yield from _who(seen, here, draw)
        yield from _which(seen, here, draw)
        yield from _how_many(seen, accesses)
    yield from _of_arrays(seen, draw)
    yield from _barriers(seen, draw)


def _who(seen: Seen, here: Sequence[Access], draw: random.Random) -> Iterator[Question]:
    """Which thread of a block loads or stores an element."""
    threads: dict[int, set[tuple[int, ...]]] = defaultdict(set)
    for one in here:
        for element in one.elements:
            threads[element].add(one.thread)
    single = sorted(element for element, found in threads.items() if len(found) == 1)
    if not single or len({one.thread for one in here}) < 2:
        return
    element = draw.choice(single)
    first = here[0]
    (thread,) = threads[element]
    place = first.array.place(element)
    yield Question(
        kind=f"who {_DOES[first.kind]} {_space(first)}",
        line=first.line,
        ask=f"{seen.where}: which thread of block {_named(first.block)} {_DOES[first.kind]} "
        f"`{place}` in line {first.line}?{_form(thread)}",
        answer=thread,
        why=f"In the trace, thread {_named(thread)} of block {_named(first.block)} "
        f"{_DOES[first.kind]} {place} there, and no other thread of the block does.",
    )


def _which(seen: Seen, here: Sequence[Access], draw: random.Random) -> Iterator[Question]:
    """Which element a thread loads or stores."""
    by_thread: dict[tuple[int, ...], list[Access]] = defaultdict(list)
    for one in here:
        by_thread[one.thread].append(one)
    single = sorted(thread for thread, found in by_thread.items() if len(found) == 1)
    if not single:
        return
    thread = draw.choice(single)
    (one,) = by_thread[thread]
    indices = one.array.indices(one.first)
    who = f"thread {_named(thread)} of block {_named(one.block)}"
    asked = (
        f"which element of `{one.array.name}` is the first that {who} {_DOES[one.kind]}"
        if one.count > 1
        else f"which element of `{one.array.name}` does {who} {one.kind}"
    )
    yield Question(
        kind=f"which element {_DOES[one.kind]} {_space(one)}",
        line=one.line,
        ask=f"{seen.where}: {asked} in line {one.line}? Answer with its "
        f"{'index' if len(indices) == 1 else 'indices, (row, column)'}.",
        answer=indices,
        why=f"In the trace, this thread {_DOES[one.kind]} {one.array.place(one.first)} there"
        + (f" and the {one.count - 1} elements after it." if one.count > 1 else "."),
    )


def _how_many(seen: Seen, accesses: Sequence[Access]) -> Iterator[Question]:
    """How many threads of the last block do it, if that is not all of them."""
    last = max(one.block for one in accesses)
    threads = {one.thread for one in accesses if one.block == last}
    size = seen.launch.block[0] * seen.launch.block[1] * seen.launch.block[2]
    first = accesses[0]
    if len(threads) == size:
        return
    yield Question(
        kind=f"how many threads {_DOES[first.kind]} {_space(first)}",
        line=first.line,
        ask=f"{seen.where}: how many of the {size} threads of block {_named(last)} "
        f"{first.kind} something of `{first.array.name}` in line {first.line}?",
        answer=(len(threads),),
        why=f"In the trace, {len(threads)} of the block's {size} threads do.",
    )


def _of_arrays(seen: Seen, draw: random.Random) -> Iterator[Question]:
    """How many elements of an array a block loads or stores, each counted once."""
    touched: dict[tuple[str, Array, tuple[int, ...]], set[int]] = defaultdict(set)
    lines: dict[tuple[str, Array], int] = {}
    for one in seen.accesses:
        if one.kind in _DOES:
            touched[one.kind, one.array, one.block].update(one.elements)
            lines.setdefault((one.kind, one.array), one.line)
    for (kind, array), line in lines.items():
        blocks = sorted(block for one, other, block in touched if (one, other) == (kind, array))
        block = draw.choice(blocks)
        count = len(touched[kind, array, block])
        yield Question(
            kind=f"how many elements {kind} {array.is_shared}",
            line=line,
            ask=f"{seen.where}: how many different elements of `{array.name}` does block "
            f"{_named(block)} {kind} in all?",
            answer=(count,),
            why=f"In the trace, the threads of this block {kind} {count} different elements "
            f"of {array.name}.",
        )


def _barriers(seen: Seen, draw: random.Random) -> Iterator[Question]:
    found = {block: count for block, count in seen.barriers.items() if count <= _MOST_BARRIERS}
    line = next((seen.launch.trace.places[one.place].line for one in _waits(seen)), 0)
    if not found or not line:
        return
    block = draw.choice(sorted(found))
    yield Question(
        kind="how many barriers",
        line=line,
        ask=f"{seen.where}: how many times does block {_named(block)} wait at a barrier in all?",
        answer=(found[block],),
        why=f"The trace has {found[block]} of this block.",
    )


def _waits(seen: Seen) -> Iterator[Step]:
    return (one for one in seen.launch.trace.steps if one.barrier)


def _space(access: Access) -> str:
    return "tile" if access.array.is_shared else "array"


def _named(index: tuple[int, ...]) -> str:
    return str(index[0]) if len(index) == 1 else f"({', '.join(map(str, index))})"


def _form(index: tuple[int, ...]) -> str:
    """How to write an answer of several numbers."""
    return "" if len(index) == 1 else f" Answer as ({', '.join('xyz'[: len(index)])})."
