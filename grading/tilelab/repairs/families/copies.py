"""Asynchronous copies: when they are committed, and when a thread waits for them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs.code import (
    Code,
    all_of,
    begun,
    calls,
    condition_of,
    is_barrier,
    is_launched,
    line_of,
    operator_of,
    parents,
    says,
    sides_of,
    spliced,
    statements,
)
from tilelab.repairs.edit import Change, Edit, Kind, exchanged, inserted, joined, replaced

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
_BATCH = Kind(
    "wait for the wrong batch",
    "How many batches have been committed here, and how many of them does this wait leave out?",
    "A wait for all but the last n batches leaves out n. With one batch under way besides the one "
    "that is used now, n is 1.",
    0.5,
)
_BEFORE = Kind(
    "barrier before the wait",
    "Whose copies have arrived for sure after this barrier?",
    "A thread waits for its own copies only. So it first waits, and the barrier after that tells "
    "the others.",
    0.3,
)
_SKIPPED = Kind(
    "commit in a branch",
    "Which threads, in which rounds, come to this line, and who counts on it?",
    "A wait counts batches. If a round without a copy commits none, the wait leaves out the batch "
    "before it.",
    0.4,
)
_PLAIN = Kind(
    "plain copy",
    "Does a thread go on at once after this line, or does it wait for what it has loaded?",
    "An assignment loads into a register and stores from there. An asynchronous copy goes on "
    "alongside the threads.",
    0.4,
)
_TOGETHER = Kind(
    "copy of one thread",
    "Who makes this copy: one thread, or all threads of the block together?",
    "Without a group, each thread that calls memcpy_async() copies everything. With a group, its "
    "threads share the copy.",
    0.4,
)
_PROMISE = Kind(
    "promise about a size",
    "Is the number of bytes a multiple of this for every size of the call?",
    "aligned_size_t promises that addresses and size are multiples of its number. The last piece "
    "of an array often is not.",
    0.4,
)
_RELEASE = Kind(
    "release or acquire missing",
    "When may the slot be filled again, and who says so?",
    "A producer acquires a stage before it copies, and a consumer releases it after its last read.",
    0.7,
)
_AFTER = Kind(
    "elements after the last group",
    "How many elements are left after the last whole group, and who copies them?",
    "A number that is divided by 4 leaves up to three elements. They are copied one at a time.",
    0.4,
)
# What a thread does for the batches that it has begun.
_ENDS = re.compile(r"commit\b|wait\w*\b|release\b")
_PROMISING = re.compile(r"(?:const )?(?:cuda::)?aligned_size_t<\w+> (\w+)[({](.+)[)}];")
_WAITS = re.compile(r"wait\w*\b")
_COMMITS = re.compile(r"^[\w.>-]*commit\(\);$")
_PRODUCERS = ("producer_acquire", "producer_commit")
_CONSUMERS = ("consumer_wait", "consumer_release")


def of(code: Code) -> Iterator[Edit]:
    for kernel in code.kernels:
        added = list(_calls_to_add(kernel))
        # A helper may be what copies, and is seldom where a wait belongs.
        further = 0.0 if is_launched(kernel) else 0.3
        for statement in statements(kernel):
            if statement.type not in ("return_statement", "declaration"):
                for kind, text in added:
                    yield inserted(kind, statement, text, further)
                if added:
                    yield joined(
                        [inserted(_WAIT, statement, text) for _, text in added[1:2]]
                        + [inserted(_WAIT, statement, "__syncthreads();")],
                        0.2 + further,
                    )
        yield from _moved(kernel)
        yield from _moved_out(kernel)
        yield from _before_a_return(kernel)
        yield from _before_the_barrier(kernel)
        yield from _counts(kernel)
        yield from _in_the_last_round(kernel)
        yield from _asynchronous(kernel)
        yield from _together(code, kernel)
        yield from _after_the_groups(kernel)
        yield from _promised(kernel)


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


def _before_the_barrier(kernel: Node) -> Iterator[Edit]:
    """A barrier and the wait after it change places."""
    for one in statements(kernel):
        following = one.next_named_sibling
        if is_barrier(one) and following is not None and _WAITS.search(says(following)):
            yield exchanged(_BEFORE, one, following)


def _moved_out(kernel: Node) -> Iterator[Edit]:
    """A commit or wait moves behind a branch that it stands in."""
    for one in statements(kernel):
        text = says(one)
        if one.type != "expression_statement" or not _ENDS.search(text):
            continue
        for branch in (around for around in parents(one) if around.type == "if_statement"):
            after = inserted(_SKIPPED, branch, text)
            without = Change(one.start_byte, one.end_byte, "")
            yield Edit(_SKIPPED, line_of(one), text, (without, *after.changes))


def _before_a_return(kernel: Node) -> Iterator[Edit]:
    """A thread that returns early commits its batch, too, though it is empty."""
    commits = [one for one in statements(kernel) if _COMMITS.search(says(one))]
    for early in all_of(kernel, "return_statement"):
        later = [one for one in commits if one.start_byte > early.end_byte]
        if later and says(early) == "return;":
            yield replaced(_SKIPPED, early, f"{{ {says(later[-1])} return; }}", -0.1)


def _counts(kernel: Node) -> Iterator[Edit]:
    """Another number of batches that a wait leaves out."""
    for call in all_of(kernel, "call_expression"):
        if "wait_prior" not in says(call.child_by_field_name("function")):
            continue
        for arguments in all_of(call, "template_argument_list", "argument_list"):
            numbers = arguments.named_children
            is_pipe = arguments.type == "argument_list" and "<" in says(call)
            if len(numbers) != 1 or is_pipe:
                continue
            old = says(numbers[0])
            others = ("0", "1", "2") if old.isdigit() else (f"{old} - 1", "0", "1")
            for other in others:
                if other != old:
                    # Waiting for everything is never wrong, and hides other mistakes.
                    extra = 0.2 if other == "0" else 0
                    yield replaced(_BATCH, numbers[0], other, extra, says(call))


def _together(code: Code, kernel: Node) -> Iterator[Edit]:
    """The group of all threads of the block, as the first argument of a copy."""
    names = ("memcpy_async", "cuda::memcpy_async")
    if "cooperative_groups" not in says(code.root):
        return
    for call in calls(kernel, *names):
        arguments = call.child_by_field_name("arguments")
        if arguments is not None and len(arguments.named_children) == 4:
            first = says(arguments.named_children[0])
            text = f"cooperative_groups::this_thread_block(), {first}"
            yield _within(_TOGETHER, call, arguments.named_children[0], text)


def _promised(kernel: Node) -> Iterator[Edit]:
    """A number of bytes without the promise that it is a multiple of something."""
    for call in all_of(kernel, "call_expression"):
        called = says(call.child_by_field_name("function"))
        arguments = call.child_by_field_name("arguments")
        if re.fullmatch(r"(cuda::)?aligned_size_t<\w+>", called) and arguments is not None:
            yield _within(_PROMISE, call, call, f"size_t{says(arguments)}")
    for declaration in all_of(kernel, "declaration"):
        if (promise := _PROMISING.fullmatch(says(declaration))) is None:
            continue
        for use in all_of(kernel, "identifier"):
            around = use.parent
            if says(use) == promise[1] and around is not None and around.type == "argument_list":
                yield _within(_PROMISE, declaration, use, f"size_t({promise[2]})")


def _after_the_groups(kernel: Node) -> Iterator[Edit]:
    """Behind a loop that copies `count / 4` groups, the elements that are left are copied."""
    groups = {name: sides_of(one) for name, one in begun(kernel) if operator_of(one) == "/"}
    for loop in all_of(kernel, "for_statement"):
        counter, end = sides_of(condition_of(loop) or loop)
        count, size = groups.get(says(end), (None, None))
        for call in calls(loop, "__pipeline_memcpy_async"):
            arguments = call.child_by_field_name("arguments")
            places = list(map(says, arguments.named_children[:2])) if arguments is not None else []
            group = re.compile(rf"\b{re.escape(says(size))} \* {re.escape(says(counter))}\b")
            if count is None or not all(map(group.search, places)):
                continue
            to, source = (group.sub("i_", one) for one in places)
            begin = f"{says(size)} * {says(end)} + threadIdx.x"
            head = f"for (int i_ = {begin}; i_ < {says(count)}; i_ += blockDim.x)"
            copy = f"__pipeline_memcpy_async({to}, {source}, sizeof(*({to})));"
            yield inserted(_AFTER, loop, f"{head} {copy}")


def _within(kind: Kind, call: Node, part: Node, text: str) -> Edit:
    """A part of a statement becomes one of another type, so the statement changes as a whole."""
    around = [one for one in parents(part) if one.type == "expression_statement"]
    statement = around[0] if around else part
    change = Change(statement.start_byte, statement.end_byte, spliced(statement, part, text))
    return Edit(kind, line_of(call), says(call), (change,))


def _in_the_last_round(kernel: Node) -> Iterator[Edit]:
    """A wait that leaves out a batch does so only if there is one: the `if` before it says so."""
    for one in statements(kernel):
        before = one.prev_named_sibling
        call = re.fullmatch(r"(.*wait_prior)([<(])(\w[^>)]*)([>)].*)", says(one), re.DOTALL)
        if call is None or before is None or before.type != "if_statement":
            continue
        condition = says(before.child_by_field_name("condition"))
        everything = f"{call[1]}{call[2]}0{call[4]}"
        if before.child_by_field_name("alternative") is None and everything != says(one):
            text = f"if {condition} {says(one)} else {everything}"
            yield replaced(_BATCH, one, text, -0.3)


def _asynchronous(kernel: Node) -> Iterator[Edit]:
    """An assignment of an element becomes an asynchronous copy of it."""
    pipe = re.search(r"(\w+)\s*\.\s*producer_(acquire|commit)\b", says(kernel))
    for one in all_of(kernel, "assignment_expression"):
        sides = [one.child_by_field_name(side) for side in ("left", "right")]
        if says(one.child_by_field_name("operator")) != "=":
            continue
        if any(side is None or side.type != "subscript_expression" for side in sides):
            continue
        to, source = map(says, sides)
        if pipe:
            text = f"cuda::memcpy_async(&{to}, &{source}, sizeof({to}), {pipe[1]})"
            yield replaced(_PLAIN, one, text)
        elif "__pipeline_commit" in says(kernel):
            yield replaced(_PLAIN, one, f"__pipeline_memcpy_async(&{to}, &{source}, sizeof({to}))")


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
