"""Statements that stand in the wrong order or place, or should not be there."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    Code,
    all_of,
    begun,
    calls,
    condition_of,
    first_name,
    is_barrier,
    line_of,
    operator_of,
    parents,
    says,
    sides_of,
    statements,
)
from tilelab.repairs.edit import Change, Edit, Kind, exchanged, inserted, replaced

_ORDER = Kind(
    "order of statements",
    "What does this statement need from the next one, or the next one from it?",
    "Statements run in the order in which they stand.",
    0.8,
)
_PLACE = Kind(
    "inside or outside",
    "How often should this statement run: in each round, or once?",
    "What stands in a loop runs in each round, what stands behind it runs once.",
    0.8,
)
_SUPERFLUOUS = Kind(
    "statement",
    "What is this statement for?",
    "Ask what would be missing without the statement.",
    1.3,
    removes=True,
)
_ATOMIC = Kind(
    "atomic addition",
    "What if two threads do this to the same element at the same time?",
    "x += 1 reads, adds and stores. Between its load and its store another thread may store, and "
    "one of the additions is lost. atomicAdd() does all three at once.",
    0.4,
)
_SKIPPED = Kind(
    "statement that is skipped",
    "What does this jump over, and does the next round need it?",
    "continue leaves out what is left of the round. In a while loop this may be the step.",
    0.5,
)
_POINTER = Kind(
    "array of the next round",
    "Which array holds what the next round has to read?",
    "What one launch stores, the next one has to read from there.",
    0.8,
)
_CAP = Kind(
    "upper bound",
    "What becomes of the elements when there are more of them than this bound allows for?",
    "A grid may have 2^31 - 1 blocks along x. What has an upper bound leaves elements without a "
    "thread, unless each thread takes several.",
    0.5,
)
_GIVEN = Kind(
    "argument overwritten",
    "What did the caller hand over in this variable, and what is left of it after this line?",
    "A parameter that is assigned to before it is used loses what the function was called with.",
    0.3,
)
_FURTHEST = 3
_LARGEST_GROUP = 4
_DEPENDS = -0.3


def of(code: Code) -> Iterator[Edit]:
    for function in code.functions:
        found = [one for one in statements(function) if one.type != "declaration"]
        for one in found:
            following = one.next_named_sibling
            if following is not None and following.type not in ("declaration", "comment"):
                needs = 0.0 if not _depends(one, following) else _DEPENDS
                yield exchanged(_ORDER, one, following, needs)
            yield from _further(one)
            yield from _groups(one)
            yield from _moved(one)
            if one.type in ("expression_statement", "if_statement") and not is_barrier(one):
                yield replaced(_SUPERFLUOUS, one, ";")
        yield from _before_continue(function)
        yield from _before_the_loop(function)
        yield from _handed_on(code, function)
    for function in code.host_functions:
        yield from _without_a_bound(function)
        yield from _as_called(function)
    for kernel in code.kernels:
        yield from _atomic(kernel, variables.of_function(code, kernel))


def _further(statement: Node) -> Iterator[Edit]:
    """A statement that sets what another one near it uses, on the other side of that one."""
    if statement.type != "expression_statement" or not _set_by(statement):
        return
    without = Change(statement.start_byte, statement.end_byte, "")
    later = earlier = statement
    for distance in range(1, _FURTHEST + 1):
        after, before = later.next_named_sibling, earlier.prev_named_sibling
        if after is not None and distance > 1 and _depends(statement, after):
            there = inserted(_ORDER, after, says(statement))
            changes = (without, *there.changes)
            yield Edit(_ORDER, line_of(statement), says(statement), changes, _DEPENDS)
        if before is not None and distance > 1 and _depends(statement, before):
            there_before = Change(before.start_byte, before.start_byte, f"{says(statement)} ")
            changes = (without, there_before)
            yield Edit(_ORDER, line_of(statement), says(statement), changes, _DEPENDS)
        later, earlier = after or later, before or earlier


def _groups(first: Node) -> Iterator[Edit]:
    """Two groups of statements, such as those for x, y and z, change places."""
    row = [first]
    while len(row) < 2 * _LARGEST_GROUP:
        following = row[-1].next_named_sibling
        if following is None or following.type != "expression_statement":
            break
        row.append(following)
    for size in range(2, len(row) // 2 + 1):
        one, other = row[:size], row[size : 2 * size]
        if any(_takes(a, b) for a in one for b in other):
            texts = (" ".join(map(says, group)) for group in (other, one))
            change = Change(one[0].start_byte, other[-1].end_byte, " ".join(texts))
            yield Edit(_ORDER, line_of(first), says(first), (change,), _DEPENDS)


def _takes(statement: Node, later: Node) -> bool:
    """Whether a statement uses what a later one sets, members included."""
    set_there = {
        says(one.child_by_field_name("left")) for one in all_of(later, "assignment_expression")
    }
    return any(
        says(use) in set_there for use in all_of(statement, "identifier", "field_expression")
    )


def _depends(statement: Node, other: Node) -> bool:
    """Whether one of two statements sets a variable that the other one uses."""
    return not _set_by(statement).isdisjoint(_used_by(other)) or not (
        _set_by(other).isdisjoint(_used_by(statement))
    )


def _set_by(statement: Node) -> set[str]:
    """The variables that a statement by itself assigns to, without arrays and members."""
    if statement.type != "expression_statement":
        return set()
    return {
        says(place)
        for one in all_of(statement, "assignment_expression", "update_expression")
        for field in ("left", "argument")
        if (place := one.child_by_field_name(field)) is not None and place.type == "identifier"
    }


def _used_by(statement: Node) -> set[str]:
    return {says(one) for one in all_of(statement, "identifier")}


def _moved(statement: Node) -> Iterator[Edit]:
    """A loop's last statements behind the loop, and the statement behind a loop into it."""
    block = statement.parent
    loop = block.parent if block is not None else None
    without = Change(statement.start_byte, statement.end_byte, "")
    if loop is not None and loop.type in ("for_statement", "while_statement", "if_statement"):
        after = inserted(_PLACE, loop, says(statement))
        yield Edit(_PLACE, line_of(statement), says(statement), (without, *after.changes))
        before = Change(loop.start_byte, loop.start_byte, f"{says(statement)} ")
        yield Edit(_PLACE, line_of(statement), says(statement), (without, before))
    previous = statement.prev_named_sibling
    if previous is not None and previous.type in ("for_statement", "while_statement"):
        body = previous.child_by_field_name("body")
        if body is not None and body.type == "compound_statement":
            end = Change(body.end_byte - 1, body.end_byte - 1, f"{says(statement)} ")
            yield Edit(_PLACE, line_of(statement), says(statement), (without, end))


def _without_a_bound(function: Node) -> Iterator[Edit]:
    """`if (blocks > 1024) blocks = 1024;` goes, and `min(blocks, 1024)` becomes `blocks`."""
    for branch in all_of(function, "if_statement"):
        asked = condition_of(branch)
        assigned = list(all_of(branch, "assignment_expression"))
        if asked is None or operator_of(asked) not in (">", ">=") or len(assigned) != 1:
            continue
        if list(map(says, sides_of(asked))) == list(map(says, sides_of(assigned[0]))):
            yield replaced(_CAP, branch, ";", word=says(asked))
    for call in calls(function, "min", "std::min"):
        arguments = call.child_by_field_name("arguments")
        for value in arguments.named_children if arguments is not None else ():
            yield replaced(_CAP, call, f"({says(value)})")


def _as_called(function: Node) -> Iterator[Edit]:
    """A parameter that gets another value before anything has used it."""
    body = function.child_by_field_name("body")
    parameters = [
        first_name(one.child_by_field_name("declarator") or one)
        for one in all_of(function, "parameter_declaration")
    ]
    for statement in all_of(body, "expression_statement") if body is not None else ():
        assigned = statement.named_children[0] if statement.named_children else statement
        place, value = sides_of(assigned)
        if says(place) in parameters and value is not None and body is not None:
            if says(assigned.child_by_field_name("operator")) != "=":
                continue
            uses = [one for one in all_of(body, "identifier") if says(one) == says(place)]
            before_the_end = [one for one in uses if one.start_byte < statement.end_byte]
            if len(before_the_end) == 1:
                yield replaced(_GIVEN, statement, ";")


def _before_the_loop(function: Node) -> Iterator[Edit]:
    """What each round sets back to the same value."""
    own = {name for name, _ in begun(function)}
    for loop in all_of(function, "for_statement", "while_statement"):
        body = loop.child_by_field_name("body")
        for one in body.named_children if body is not None else ():
            begins = one.type == "declaration" and next(all_of(one, "init_declarator"), None)
            if begins and "const" not in says(one) and not _is_made_of(begins, own):
                there = Change(loop.start_byte, loop.start_byte, f"{says(one)} ")
                without = Change(one.start_byte, one.end_byte, "")
                yield Edit(_PLACE, line_of(one), says(one), (there, without), -0.2)


def _is_made_of(declarator: Node, names: set[str]) -> bool:
    """Whether the value of a variable is made of some of these."""
    value = declarator.child_by_field_name("value")
    used = all_of(value, "identifier") if value is not None else ()
    return any(says(use) in names for use in used)


def _before_continue(function: Node) -> Iterator[Edit]:
    """The last statement of a while loop, before each `continue` of the loop too."""
    for loop in all_of(function, "while_statement"):
        body = loop.child_by_field_name("body")
        last = body.named_children[-1] if body is not None and body.named_children else None
        if last is None or last.type != "expression_statement":
            continue
        for jump in all_of(loop, "continue_statement"):
            yield replaced(_SKIPPED, jump, f"{{ {says(last)} continue; }}")


def _atomic(kernel: Node, known: list[variables.Variable]) -> Iterator[Edit]:
    for statement in all_of(kernel, "expression_statement"):
        inner = statement.named_children[0] if statement.named_children else None
        if inner is None:
            continue
        if inner.type == "update_expression" and "++" in says(inner):
            place = says(inner.child_by_field_name("argument"))
            if "[" in place or "*" in place:
                yield replaced(_ATOMIC, inner, f"atomicAdd(&({place}), 1)")
        if inner.type == "assignment_expression":
            left = inner.child_by_field_name("left")
            if left is None or variables.is_vector(left, known):
                continue
            place = says(left)
            value = says(inner.child_by_field_name("right"))
            operator = says(inner.child_by_field_name("operator"))
            if operator in ("+=", "=") and ("[" in place or "*" in place):
                yield replaced(_ATOMIC, inner, f"atomicAdd(&({place}), {value})")


def _handed_on(code: Code, function: Node) -> Iterator[Edit]:
    """In a loop, a pointer becomes that of another array."""
    known = variables.of_function(code, function)
    pointers = [one for one in known if one.holds == "pointer"]
    for loop in all_of(function, "for_statement", "while_statement", "do_statement"):
        body = loop.child_by_field_name("body")
        if body is None or body.type != "compound_statement":
            continue
        if any(one in code.kernels for one in parents(loop)):
            continue
        for one in variables.visible(pointers, body.start_byte):
            for other in variables.visible(pointers, body.start_byte):
                if one.name != other.name:
                    for statement in body.named_children:
                        yield inserted(_POINTER, statement, f"{one.name} = {other.name};")
            for count in known:
                if count.holds == "integer" and body.start_byte < count.begin < body.end_byte:
                    for statement in body.named_children:
                        if statement.start_byte >= count.begin - 1:
                            text = f"{one.name} += {count.name};"
                            yield inserted(_POINTER, statement, text, -0.1)
