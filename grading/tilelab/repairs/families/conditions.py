"""Conditions that let too many or too few through, are missing, or should not be there."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import Code, all_of, is_barrier, line_of, parents, says, statements
from tilelab.repairs.edit import Change, Edit, Kind, inserted, replaced

_COMPARISON = Kind(
    "comparison",
    "Which is the last value that this condition lets through, and which should it be?",
    "Of n elements the last one has the index n - 1. Try the condition for it, and for the next.",
    0.6,
)
_WHOLE = Kind(
    "condition",
    "For which threads is this condition true, and for which should it be?",
    "Try the condition with the first thread, the last one, and one without an element.",
)
_SUPERFLUOUS = Kind(
    "condition too strict",
    "Which threads does this condition keep away, and is there nothing for them to do?",
    "A condition keeps threads from all that it guards, also from what they do for others.",
    1.2,
    removes=True,
)
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
_RETURN = Kind(
    "threads leave early",
    "What is still to be done, for the block, by the threads that return here?",
    "A thread that has returned fills no slot of a tile and reaches no barrier. Guard the accesses "
    "in place of leaving.",
    0.7,
)
_GUARDING = ("conditional_expression", "if_statement")
_SIBLINGS = {
    "<": ("<=", ">", "!="),
    "<=": ("<", ">="),
    ">": (">=", "<"),
    ">=": (">", "<="),
    "==": ("!=",),
    "!=": ("==",),
    "&&": ("||",),
    "||": ("&&",),
}


def of(code: Code) -> Iterator[Edit]:
    for function in code.functions:
        yield from _operators(function)
        yield from _removed(function)
    for kernel in code.kernels:
        yield from _guards(code, kernel)
        yield from _within_rows(kernel)
        yield from _selected(kernel)
        yield from _empty_slots(kernel)
        yield from _instead_of_return(kernel)


def _operators(function: Node) -> Iterator[Edit]:
    for expression in all_of(function, "binary_expression"):
        operator = expression.child_by_field_name("operator")
        for other in _SIBLINGS.get(says(operator), ()):
            assert operator is not None
            kind = _WHOLE if says(operator) in ("&&", "||") else _COMPARISON
            extra = 0.0 if other.strip("=") == says(operator).strip("=") else 0.5
            yield replaced(kind, operator, other, extra, says(expression))


def _removed(function: Node) -> Iterator[Edit]:
    for branch in all_of(function, "if_statement"):
        condition = branch.child_by_field_name("condition")
        body = branch.child_by_field_name("consequence")
        if condition is not None and body is not None and body.type != "return_statement":
            yield replaced(_SUPERFLUOUS, condition, "(true)")
    for expression in all_of(function, "binary_expression"):
        if says(expression.child_by_field_name("operator")) == "&&":
            for name in ("left", "right"):
                if (kept := expression.child_by_field_name(name)) is not None:
                    yield replaced(_SUPERFLUOUS, expression, says(kept), 0.3)


def _guards(code: Code, kernel: Node) -> Iterator[Edit]:
    """A statement that reads or writes an array, guarded by an index and a size of the call."""
    known = variables.of_function(code, kernel)
    for statement in all_of(kernel, "expression_statement"):
        subscripts = list(all_of(statement, "subscript_expression", "pointer_expression"))
        if not subscripts or is_barrier(statement):
            continue
        used = {says(one) for one in all_of(statement, "identifier")}
        here = list(variables.visible(known, statement.start_byte))
        sizes = [one.name for one in here if one.is_parameter and one.holds == "integer"]
        indices = [
            one.name
            for one in here
            if one.holds == "integer" and not one.is_parameter and one.name in used
        ]
        for condition in _conditions(indices, sizes):
            extra = 0.2 if "&&" in condition else 0
            yield replaced(_GUARD, statement, f"if ({condition}) {says(statement)}", extra)
            yield from _guarded_value(statement, condition)


def _conditions(indices: list[str], sizes: list[str]) -> Iterator[str]:
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


def _within_rows(kernel: Node) -> Iterator[Edit]:
    """Where `a[row * width + column]` is read, the condition asks for `column < width`, too."""
    for subscript in all_of(kernel, "subscript_expression"):
        around = next((one for one in parents(subscript) if one.type in _GUARDING), None)
        condition = around.child_by_field_name("condition") if around else None
        asked = _within_a_row(subscript)
        if condition is None or not asked or asked in says(condition):
            continue
        if condition.type == "condition_clause":
            condition = condition.named_children[0]
        yield replaced(_WHOLE, condition, f"({says(condition)}) && {asked}", -0.2)


def _within_a_row(subscript: Node) -> str:
    """For an index such as `row * width + column`: `column < width`. Otherwise nothing."""
    index = next(all_of(subscript, "subscript_argument_list"), None)
    terms = _terms(index.named_children[0]) if index and index.named_children else []
    rows = [one for one in terms if says(one.child_by_field_name("operator")) == "*"]
    column = " + ".join(says(one) for one in terms if one not in rows)
    width = says(rows[0].child_by_field_name("right")) if len(rows) == 1 else ""
    return f"{column} < {width}" if column and width else ""


def _terms(total: Node) -> list[Node]:
    """What a sum adds, in order."""
    found = []
    while says(total.child_by_field_name("operator")) == "+":
        left, right = total.child_by_field_name("left"), total.child_by_field_name("right")
        if left is None or right is None:
            break
        found.append(right)
        total = left
    return [total, *reversed(found)]


def _guarded_value(statement: Node, condition: str) -> Iterator[Edit]:
    """What is stored is 0 where there is no element."""
    for assignment in all_of(statement, "assignment_expression"):
        value = assignment.child_by_field_name("right")
        if value is not None and any(all_of(value, "subscript_expression")):
            yield replaced(_GUARD, value, f"({condition} ? {says(value)} : 0)", 0.1)


def _selected(kernel: Node) -> Iterator[Edit]:
    """In a loop over distances, only the threads whose turn it is may add."""
    for loop in all_of(kernel, "for_statement"):
        step = says(loop.child_by_field_name("initializer")).split("=")[0].split()
        if not step:
            continue
        distance = step[-1]
        for branch in all_of(loop, "if_statement"):
            condition = branch.child_by_field_name("condition")
            if condition is None:
                continue
            for turn in (f"threadIdx.x % (2 * {distance}) == 0", f"threadIdx.x < {distance}"):
                yield replaced(_WHOLE, condition, f"({turn} && {says(condition)})", 0.4)


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


def _instead_of_return(kernel: Node) -> Iterator[Edit]:
    """`if (i >= n) return;` becomes a guard of all that follows, apart from barriers."""
    for branch in statements(kernel):
        if branch.type != "if_statement" or "return" not in says(branch):
            continue
        condition = says(branch.child_by_field_name("condition"))
        if len(says(branch)) > len(condition) + 20:
            continue
        without = Change(branch.start_byte, branch.end_byte, "")
        following = _following(branch)
        barriers = [i for i, one in enumerate(following) if "__syncthreads" in says(one)]
        parts = [following]
        if barriers:
            # What comes before the barrier may have guards of its own, or what comes after.
            parts += [following[: barriers[0]], following[barriers[-1] + 1 :]]
        for part in parts:
            changes = [change for one in part for change in _guarded(one, condition)]
            line = line_of(branch)
            yield Edit(_RETURN, line, says(branch), (without, *changes))


def _following(statement: Node) -> list[Node]:
    found = []
    following = statement.next_named_sibling
    while following is not None:
        found.append(following)
        following = following.next_named_sibling
    return found


def _guarded(statement: Node, condition: str) -> list[Change]:
    if statement.type == "expression_statement" and not is_barrier(statement):
        text = f"if (!{condition}) {says(statement)}"
        return [Change(statement.start_byte, statement.end_byte, text)]
    if statement.type in ("if_statement", "for_statement", "compound_statement"):
        if not any(map(is_barrier, all_of(statement, "expression_statement"))):
            text = f"if (!{condition}) {{ {says(statement)} }}"
            return [Change(statement.start_byte, statement.end_byte, text)]
        inner = [one for one in all_of(statement, "expression_statement") if not is_barrier(one)]
        return [change for one in inner for change in _guarded(one, condition)]
    return []
