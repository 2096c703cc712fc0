"""Conditions that let too many or too few through, are missing, or should not be there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    BUILT_IN,
    Code,
    all_of,
    beginnings,
    begun,
    condition_of,
    first_name,
    is_barrier,
    line_of,
    names_in,
    operator_of,
    parents,
    parts_of,
    says,
    sides_of,
    statements,
    terms_of,
)
from tilelab.repairs.edit import Change, Edit, Kind, replaced

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
_NOTHING = Kind(
    "nothing to do",
    "For which sizes is there nothing to do, and does this ask for all of them?",
    "There is nothing to do if any size is 0, not only if all are.",
    0.2,
)
_SOMETHING = Kind(
    "something to do",
    "For which sizes does this return, and has the result no elements for each of them?",
    "A size that says how many values are added up may be 0 where the result still has elements: "
    "each of them is 0 then.",
    0.3,
)
_BLOCKS = Kind(
    "number of blocks",
    "How many blocks does this give for a few elements, and how many for very many?",
    "Work the number of blocks out by hand for the smallest and for the largest input.",
    0.6,
)
_INDEX = Kind(
    "known by its index",
    "Which element is to be left out here, and can another one look the same?",
    "Two elements may hold the same. Only its index tells an element for sure.",
    0.6,
)
_SUPERFLUOUS = Kind(
    "condition too strict",
    "Which threads does this condition keep away, and is there nothing for them to do?",
    "A condition keeps threads from all that it guards, also from what they do for others.",
    1.2,
    removes=True,
)
_RETURN = Kind(
    "threads leave early",
    "What is still to be done, for the block, by the threads that return here?",
    "A thread that has returned fills no slot of a tile and reaches no barrier. Guard the accesses "
    "in place of leaving.",
    0.4,
)
_GUARDING = ("conditional_expression", "if_statement")
_REVERSED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
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

_LAST = Kind(
    "first or last thread",
    "Which thread has what is needed here: the first one, or the last one?",
    "A sum of all that came before is complete at the last thread. A tree leaves it with the "
    "first one.",
    0.5,
)
_THREAD = re.compile(r"threadIdx\.([xyz])")
_REMAINDER = re.compile(r"\(?\w[\w.]*\)? *([%&]) *(\w+)")
_LOOPS = ("for_statement", "while_statement")
# The counter of the loop, and the element of the thread.
_OF_THE_ROUND = -0.2


def of(code: Code) -> Iterator[Edit]:
    for function in code.functions:
        yield from _operators(function)
        yield from _removed(function)
    for function in code.host_functions:
        yield from _of_the_host(function)
    for kernel in code.kernels:
        yield from _within_rows(code, kernel)
        yield from _selected(kernel)
        yield from _instead_of_return(kernel)
        yield from _by_index(code, kernel)
        yield from _as_elsewhere(code, kernel)
        yield from _first_or_last(kernel)


def _operators(function: Node) -> Iterator[Edit]:
    for expression in all_of(function, "binary_expression"):
        operator = expression.child_by_field_name("operator")
        for other in _SIBLINGS.get(says(operator), ()):
            assert operator is not None
            kind = _WHOLE if says(operator) in ("&&", "||") else _COMPARISON
            extra = 0.0 if other.strip("=") == says(operator).strip("=") else 0.5
            if says(operator) == "||" and "<" in says(expression):
                extra = -0.3  # An element is inside if it is along all axes.
            yield replaced(kind, operator, other, extra, says(expression))


def _of_the_host(function: Node) -> Iterator[Edit]:
    """Which sizes need no launch, and which of two numbers of blocks is taken."""
    for expression in all_of(function, "binary_expression"):
        operator = expression.child_by_field_name("operator")
        around = expression.parent
        if operator is None or around is None:
            continue
        if says(operator) in ("&&", "||") and around.type == "condition_clause":
            yield replaced(_NOTHING, operator, _SIBLINGS[says(operator)][0], word=says(expression))
        if says(operator) in _REVERSED and around.type == "conditional_expression":
            yield replaced(_BLOCKS, operator, _REVERSED[says(operator)], word=says(expression))
    for branch in all_of(function, "if_statement"):
        body = branch.child_by_field_name("consequence")
        if "return" not in says(body):
            continue
        yield from _sum_of_nothing(function, branch, body)
        for expression in all_of(condition_of(branch) or branch, "binary_expression"):
            for kept in sides_of(expression) if operator_of(expression) == "||" else ():
                yield replaced(_SOMETHING, expression, says(kept))


def _sum_of_nothing(function: Node, branch: Node, body: Node | None) -> Iterator[Edit]:
    """Where there is nothing to add up, the first element of a result is 0."""
    if body is None or says(body).strip("{} \n") != "return;":
        return
    for one in all_of(function, "parameter_declaration"):
        declarator = one.child_by_field_name("declarator")
        if declarator is None or declarator.type != "pointer_declarator":
            continue
        if "const" not in says(one):
            name = first_name(declarator)
            text = f"{{ cudaMemset({name}, 0, sizeof(*{name})); return; }}"
            yield replaced(_SOMETHING, body, text, 0.4, says(branch))


def _by_index(code: Code, kernel: Node) -> Iterator[Edit]:
    """In a loop, an element that is left out is known by its index, not by what it holds."""
    known = [one for one in variables.of_function(code, kernel) if one.holds == "integer"]
    local = [one for one in known if kernel.start_byte < one.begin < kernel.end_byte]
    elements = {name for name, value in beginnings(kernel).items() if "blockIdx" in value}
    for loop in all_of(kernel, *_LOOPS):
        counters = {name for name, _ in begun(loop.child_by_field_name("initializer") or loop)}
        for branch in all_of(loop, "if_statement"):
            asked = condition_of(branch)
            if asked is None:
                continue
            here = list(variables.visible(local, branch.start_byte))
            inside = [one.name for one in here if one.begin > loop.start_byte]
            outside = [
                one.name for one in here if one.begin < loop.start_byte and not one.is_parameter
            ]
            is_innermost = next(one for one in parents(branch) if one.type in _LOOPS) == loop
            for one, own in product(inside, outside):
                is_likely = is_innermost and one in counters and own in elements
                extra, other = _OF_THE_ROUND if is_likely else 0.0, f"{one} != {own}"
                yield replaced(_INDEX, asked, f"{says(asked)} && {other}", extra + 0.1)
                for comparison in all_of(asked, "binary_expression"):
                    if operator_of(comparison) in _REVERSED:
                        yield replaced(_INDEX, comparison, other, extra)


def _removed(function: Node) -> Iterator[Edit]:
    for branch in all_of(function, "if_statement"):
        condition = branch.child_by_field_name("condition")
        body = branch.child_by_field_name("consequence")
        if condition is not None and body is not None and body.type != "return_statement":
            of_runtime = re.match("cuda[A-Z]", says(body))
            yield replaced(_SUPERFLUOUS, condition, "(true)", -0.7 if of_runtime else 0)
    for expression in all_of(function, "binary_expression"):
        if operator_of(expression) == "&&":
            for name in ("left", "right"):
                if (kept := expression.child_by_field_name(name)) is not None:
                    yield replaced(_SUPERFLUOUS, expression, says(kept), 0.3)


def _within_rows(code: Code, kernel: Node) -> Iterator[Edit]:
    """Where `a[row * width + column]` is used, the condition asks for row and column, too."""
    sizes = variables.sizes_of_call(variables.of_function(code, kernel))
    for subscript in all_of(kernel, "subscript_expression"):
        around = next((one for one in parents(subscript) if one.type in _GUARDING), None)
        condition = around.child_by_field_name("condition") if around else None
        if condition is not None and condition.type == "condition_clause":
            condition = condition.named_children[0]
        if condition is not None:
            yield from _of_another(subscript, condition, sizes)
        in_row = _within_a_row(subscript, sizes)
        for asked in (in_row, *_within_columns(subscript, sizes)):
            if condition is not None and asked and asked not in says(condition):
                about = {says(one) for one in all_of(condition, "identifier")}
                # Nothing that is known of the place has been asked.
                extra = -0.5 if about.isdisjoint(names_in(asked) - set(sizes)) else -0.2
                yield replaced(_WHOLE, condition, f"({says(condition)}) && {asked}", extra)
                used = {says(one) for one in all_of(subscript, "identifier")}
                parts = list(parts_of(condition, "&&"))
                for part in parts if len(parts) > 1 else ():
                    names = {says(one) for one in all_of(part, "identifier")} - set(sizes)
                    # What asks for nothing that is used here was meant for another element.
                    extra = -0.5 if names and names.isdisjoint(used) else -0.1
                    if says(sides_of(part)[0]) == asked.rpartition(" < ")[0]:
                        # For the same place, but another size: that of the row is certain.
                        extra = -0.6 if asked == in_row else -0.3
                    yield replaced(_WHOLE, part, asked, extra, says(condition))


def _of_another(subscript: Node, condition: Node, sizes: list[str]) -> Iterator[Edit]:
    """All of a condition asks for another element than the one that it guards."""
    used = {says(one) for one in all_of(subscript, "identifier")}
    asked = {says(one) for one in all_of(condition, "identifier")} - set(sizes)
    column = _within_a_row(subscript, sizes)
    if column and asked and asked.isdisjoint(used):
        for row in _within_columns(subscript, sizes):
            yield replaced(_WHOLE, condition, f"{row} && {column}", -0.5)


def _within_columns(subscript: Node, sizes: list[str]) -> Iterator[str]:
    """For an index such as `row * width + column`: `row < height`, for each size of the call."""
    index = next(all_of(subscript, "subscript_argument_list"), None)
    for term in terms_of(index.named_children[0]) if index and index.named_children else []:
        row, width = sides_of(term)
        if row is not None and row.type == "identifier" and says(width) in sizes:
            yield from (f"{says(row)} < {one}" for one in sizes if one != says(width))
        elif row is not None and row.type == "parenthesized_expression" and row.named_children:
            # Rows of planes: `(plane * height + row) * width + column`.
            yield from filter(None, [_below(terms_of(row.named_children[0]), sizes)])


def _as_elsewhere(code: Code, kernel: Node) -> Iterator[Edit]:
    """What one condition of the kernel asks, another one asks, too."""
    known = variables.of_function(code, kernel)
    asked: dict[str, set[str]] = {}
    for one in all_of(kernel, "binary_expression"):
        is_end = one.parent is not None and one.parent.type == "for_statement"
        if operator_of(one) in _REVERSED and not is_end:
            names = {says(use) for use in all_of(one, "identifier")}
            if names and not any(all_of(one, "subscript_expression", "call_expression")):
                asked[says(one)] = names
    for branch in all_of(kernel, "if_statement"):
        condition = condition_of(branch)
        if condition is None or "return" in says(branch.child_by_field_name("consequence")):
            continue
        here = {one.name for one in variables.visible(known, branch.start_byte)}
        for text, names in asked.items():
            if names.difference(BUILT_IN) <= here and text not in says(condition):
                yield replaced(_WHOLE, condition, f"({says(condition)}) && {text}", -0.3)


def _within_a_row(subscript: Node, sizes: list[str]) -> str:
    """For an index such as `row * width + column`: `column < width`. Otherwise nothing."""
    index = next(all_of(subscript, "subscript_argument_list"), None)
    terms = terms_of(index.named_children[0]) if index and index.named_children else []
    return _below(terms) or _below(terms, sizes)


def _below(terms: list[Node], sizes: list[str] | None = None) -> str:
    """For the terms `row * width` and `column`, with a width of these: `column < width`."""
    rows = [one for one in terms if operator_of(one) == "*"]
    if sizes is not None:
        rows = [one for one in rows if says(sides_of(one)[1]) in sizes]
    column = " + ".join(says(one) for one in terms if one not in rows)
    width = says(sides_of(rows[0])[1]) if len(rows) == 1 else ""
    return f"{column} < {width}" if column and width else ""


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


def _instead_of_return(kernel: Node) -> Iterator[Edit]:
    """`if (i >= n) return;` becomes a guard of all that follows, apart from barriers."""
    for branch in statements(kernel):
        if branch.type != "if_statement" or "return" not in says(branch):
            continue
        condition = says(branch.child_by_field_name("condition"))
        if len(" ".join(says(branch).split())) > len(condition) + 20:
            continue
        without = Change(branch.start_byte, branch.end_byte, "")
        following = _following(branch)
        barriers = [i for i, one in enumerate(following) if "__syncthreads" in says(one)]
        yield Edit(_RETURN, line_of(branch), says(branch), (without,), 0.05)
        parts = [following]
        if barriers:
            # What comes before the barrier may have guards of its own, or what comes after.
            parts += [following[: barriers[0]], following[barriers[-1] + 1 :]]
        names = {says(use) for use in all_of(branch, "identifier")}
        read = [change for one in following for change in _read_anyway(one, condition, names)]
        for part in parts:
            changes = [change for one in part for change in _guarded(one, condition)]
            line = line_of(branch)
            yield Edit(_RETURN, line, says(branch), (without, *changes, *read))


def _following(statement: Node) -> list[Node]:
    found = []
    following = statement.next_named_sibling
    while following is not None:
        found.append(following)
        following = following.next_named_sibling
    return found


def _read_anyway(statement: Node, condition: str, names: set[str]) -> Iterator[Change]:
    """What a declaration reads for a thread without an element: the first one."""
    if statement.type == "declaration":
        for index in all_of(statement, "subscript_argument_list"):
            inner = index.named_children[0] if index.named_children else None
            if inner is not None and names & {says(use) for use in all_of(inner, "identifier")}:
                text = f"({condition} ? 0 : {says(inner)})"
                yield Change(inner.start_byte, inner.end_byte, text)


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


def _first_or_last(kernel: Node) -> Iterator[Edit]:
    """`t == 0` becomes `t == blockDim.x - 1`, and the reverse."""
    begins = beginnings(kernel)
    for comparison in all_of(kernel, "binary_expression"):
        left, right = sides_of(comparison)
        if operator_of(comparison) != "==" or left is None:
            continue
        if says(right).endswith("- 1"):
            yield replaced(_LAST, comparison, f"{says(left)} == 0")
        elif says(right) == "0":
            for count in _counts(left, begins):
                yield replaced(_LAST, comparison, f"{says(left)} == {count} - 1")


def _counts(number: Node, begins: dict[str, str]) -> Iterator[str]:
    """How many threads have other numbers of this kind: those of a block, or of a warp."""
    text = begins.get(says(number), says(number))
    if thread := _THREAD.fullmatch(text):
        yield f"blockDim.{thread[1]}"
    elif width := _REMAINDER.fullmatch(text):
        yield f"({width[2]})" if width[1] == "%" else f"({width[2]} + 1)"
