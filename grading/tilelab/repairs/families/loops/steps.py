"""How a loop goes on from round to round, and by how much."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    Code,
    all_of,
    beginnings,
    begun,
    condition_of,
    is_launched,
    line_of,
    operator_of,
    parents,
    says,
    sides_of,
)
from tilelab.repairs.edit import Change, Edit, Kind, replaced
from tilelab.repairs.variables import Variable

_STEP = Kind(
    "step of a loop",
    "How far apart are the elements of two rounds of this loop?",
    "If all threads of a block, or of the grid, take an element in each round, the next round "
    "begins that many elements later.",
    0.8,
)
_AMOUNT = Kind(
    "amount of a step",
    "How far does this line move the variable, and how far do the others?",
    "A place that has left a range at one end comes back at the other end by the same distance.",
    0.5,
)
_NO_STEP = Kind(
    "loop without a step",
    "What changes from one round of this loop to the next, and when does the loop end?",
    "A loop ends when its condition no longer holds, so each round has to change a variable of "
    "the condition.",
    0.3,
)
_AT_LEAST_ONCE = Kind(
    "first round of a loop",
    "How many rounds does this loop make for the smallest inputs, and how many are needed?",
    "while asks before the first round. What has to be done at least once needs do ... while, or "
    "its own line before the loop.",
    0.6,
)
_GRID = Kind(
    "work of one block",
    "Which blocks run this loop, and which of its rounds does each of them make?",
    "Each block runs all of a kernel. If the blocks are to share the rounds of a loop, each thread "
    "begins at its index in the grid, and steps by the number of threads in the grid.",
    0.4,
)
# The threads of a grid, those of a block, and the blocks: how far rounds often are apart.
_STRIDES = {"blockDim.x * gridDim.x": -0.3, "blockDim.x": -0.1, "gridDim.x": 0}
_OF_THE_GRID = "(blockIdx.x * blockDim.x + threadIdx.x)"
_CHANGES = ("assignment_expression", "update_expression")


def of(code: Code) -> Iterator[Edit]:
    for function in code.functions:
        known = variables.of_function(code, function)
        for loop in all_of(function, "for_statement"):
            yield from _in_head(loop, known)
        for loop in all_of(function, "while_statement"):
            yield from _at_least_once(loop)
    for kernel in code.kernels:
        values = beginnings(kernel)
        begins: dict[str, list[Node]] = defaultdict(list)
        for name, value in begun(kernel):
            begins[name].append(value)
        yield from _as_before(kernel)
        for loop in all_of(kernel, "for_statement"):
            yield from _of_the_grid(loop, values)
        for loop in all_of(kernel, "while_statement", "do_statement", "for_statement"):
            yield from _elsewhere(loop, begins)


def _in_head(loop: Node, known: list[Variable]) -> Iterator[Edit]:
    update = loop.child_by_field_name("update")
    counter = next(all_of(update, "identifier"), None) if update is not None else None
    if update is None or counter is None:
        return
    yield from _of_no_effect(update)
    yield from _of_another(update, counter, _counters(loop))
    yield from _backward(update)
    for step in _steps(loop, update, known):
        if step != says(counter):
            yield replaced(_STEP, update, f"{says(counter)} += {step}")
    if update.type == "assignment_expression":
        yield replaced(_STEP, update, f"++{says(counter)}", 0.2)
        value = update.child_by_field_name("right")
        if value is not None and _is_in_kernel(loop):
            yield replaced(_STEP, value, f"{says(value)} * gridDim.x", word=says(update))


def _at_least_once(loop: Node) -> Iterator[Edit]:
    body, condition = loop.child_by_field_name("body"), condition_of(loop)
    if body is not None and condition is not None:
        text = f"do {says(body)} while ({says(condition)});"
        yield replaced(_AT_LEAST_ONCE, loop, text, word=says(condition))


def _of_the_grid(loop: Node, values: dict[str, str]) -> Iterator[Edit]:
    """A loop whose rounds the threads of a block share becomes one of all threads of the grid."""
    update = loop.child_by_field_name("update")
    start = loop.child_by_field_name("initializer")
    step = update.child_by_field_name("right") if update is not None else None
    if update is None or start is None or step is None or "+=" not in says(update):
        return
    for thread in all_of(start, "field_expression", "identifier"):
        if values.get(says(thread), says(thread)) == "threadIdx.x":
            changes = (
                Change(thread.start_byte, thread.end_byte, _OF_THE_GRID),
                Change(step.start_byte, step.end_byte, f"{says(step)} * gridDim.x"),
            )
            yield Edit(_GRID, line_of(loop), says(condition_of(loop)), changes)


def _steps(loop: Node, update: Node, known: list[Variable]) -> list[str]:
    names = [one.name for one in variables.visible(known, update.start_byte)]
    whole = [name for one in known if (name := one.name) in names and one.holds == "integer"]
    strides = ["blockDim.x * gridDim.x", "blockDim.x"] if _is_in_kernel(loop) else []
    return [*strides, *dict.fromkeys(whole)]


def _is_in_kernel(loop: Node) -> bool:
    return any(is_launched(one) for one in parents(loop) if one.type == "function_definition")


def _as_before(kernel: Node) -> Iterator[Edit]:
    """`ahead++` becomes `ahead += gridDim.x` if the variable steps so elsewhere in the kernel."""
    steps: dict[str, dict[str, None]] = defaultdict(dict)
    amounts: dict[str, dict[str, None]] = defaultdict(dict)
    changes = [one for one in all_of(kernel, *_CHANGES) if _is_step(one)]
    for one in changes:
        steps[says(_changed(one))][says(one)] = None
        if (amount := one.child_by_field_name("right")) is not None:
            amounts[says(_changed(one))][says(amount)] = None
    for one in changes:
        for other in steps[says(_changed(one))]:
            if other != says(one):
                yield replaced(_STEP, one, other, -0.3)
        if (amount := one.child_by_field_name("right")) is not None:
            for text in amounts[says(_changed(one))]:
                if text != says(amount):
                    yield replaced(_AMOUNT, amount, text, word=says(one))


def _is_step(change: Node) -> bool:
    """Whether a change takes the variable on from where it is, and adds up no elements."""
    operator = says(change.child_by_field_name("operator"))
    if "[" in says(change):
        return False
    return change.type == "update_expression" or operator in ("+=", "-=")


def _counters(loop: Node) -> list[str]:
    """The variables that a loop's condition asks about."""
    condition = condition_of(loop)
    return [says(one) for one in all_of(condition, "identifier")] if condition is not None else []


def _of_no_effect(update: Node) -> Iterator[Edit]:
    """`i + 1` becomes `i += 1`."""
    left, right = sides_of(update)
    if operator := operator_of(update):
        yield replaced(_NO_STEP, update, f"{says(left)} {operator}= {says(right)}")


def _of_another(update: Node, counter: Node, counters: list[str]) -> Iterator[Edit]:
    """The step of a variable that the condition does not ask about."""
    if says(counter) not in counters:
        for name in dict.fromkeys(counters):
            yield replaced(_NO_STEP, counter, name, word=says(update))


def _backward(update: Node) -> Iterator[Edit]:
    for one, other in (("--", "++"), ("++", "--")):
        if update.type == "update_expression" and one in says(update):
            extra = 0 if one == "--" else 0.6
            yield replaced(_NO_STEP, update, says(update).replace(one, other), extra)


def _elsewhere(loop: Node, begins: Mapping[str, list[Node]]) -> Iterator[Edit]:
    """The step of a loop that its head does not have: in the body, in a variable, or nowhere."""
    counters = _counters(loop)
    changes = [one for one in all_of(loop, *_CHANGES) if says(_changed(one)) in counters]
    if counters and not changes:
        yield from _at_the_end(loop, counters[0])
    for change in changes:
        found = begins.get(says(change.child_by_field_name("right")), [])
        for step, extra in _STRIDES.items():
            for begin in found:
                yield replaced(_STEP, begin, step, extra, says(begin.parent))
            if not found and loop.type != "for_statement":
                yield replaced(_STEP, change, f"{says(_changed(change))} += {step}", extra)


def _at_the_end(loop: Node, counter: str) -> Iterator[Edit]:
    body = loop.child_by_field_name("body")
    if loop.type == "for_statement" and loop.child_by_field_name("update") is not None:
        return
    if body is not None and body.type == "compound_statement" and body.named_children:
        end = body.named_children[-1].end_byte
        for step in (*_STRIDES, "1"):
            change = Change(end, end, f" {counter} += {step};")
            yield Edit(_NO_STEP, line_of(loop), says(condition_of(loop)), (change,))


def _changed(change: Node) -> Node | None:
    return change.child_by_field_name("left") or change.child_by_field_name("argument")
