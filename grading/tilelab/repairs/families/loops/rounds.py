"""What a round of a loop leaves for the next, and what it must not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    Code,
    all_of,
    begun,
    condition_of,
    line_of,
    operator_of,
    says,
    sides_of,
    spliced,
)
from tilelab.repairs.edit import Change, Edit, Kind, inserted, replaced
from tilelab.repairs.variables import Variable

_TURNED = Kind(
    "order of a loop",
    "In which order does this loop go, and what has the round before left behind?",
    "Where a round reads what another one writes, the order counts: what is moved by one place "
    "must not be overwritten before.",
    0.5,
)
_HIDDEN = Kind(
    "variable declared again",
    "Which variable does this set: that from before, or a new one of the same name?",
    "A declaration in a block makes a new variable. The one outside is hidden, and keeps its "
    "value.",
    0.2,
)
_ANEW = Kind(
    "what begins anew",
    "What do the variables hold at the beginning of the second round?",
    "A search or a sum for each of several elements begins anew for each of them.",
    0.5,
)
_KEPT = Kind(
    "initial value",
    "What does this hold before the first round adds to it?",
    "Memory holds anything at the beginning. What is added to has to be set before.",
    0.5,
)
_UNSIGNED = re.compile(r"\b(?:unsigned|size_t|uint\w*)\b")
_COMPARED = {"<": "- 1", "<=": "", ">": "+ 1", ">=": ""}


def of(code: Code) -> Iterator[Edit]:
    for kernel in code.kernels:
        known = variables.of_function(code, kernel)
        yield from _hidden(kernel, known)
        for loop in all_of(kernel, "for_statement"):
            yield from _turned(loop)
            yield from _anew(loop, kernel, known)
            yield from _added_to(loop, known)


def _turned(loop: Node) -> Iterator[Edit]:
    """`for (int i = 7; i >= 0; --i)` becomes `for (int i = 0; i <= 7; ++i)`, and the reverse."""
    start, condition, update = (
        loop.child_by_field_name(name) for name in ("initializer", "condition", "update")
    )
    if start is None or condition is None or update is None or _UNSIGNED.search(says(start)):
        return
    counter, end = sides_of(condition)
    first = next((value for _, value in begun(start)), None)
    shift = _COMPARED.get(operator_of(condition))
    if first is None or end is None or shift is None or update.type != "update_expression":
        return
    is_down = "--" in says(update)
    start_at = spliced(start, first, f"{says(end)} {shift}".strip())
    until = f"{says(counter)} {'<=' if is_down else '>='} {says(first)}"
    step = f"{'++' if is_down else '--'}{says(counter)}"
    body = says(loop.child_by_field_name("body"))
    text = f"for ({start_at} {until}; {step}) {body}"
    yield replaced(_TURNED, loop, text, word=says(condition))


def _hidden(kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """A declaration of a name that the function has already becomes an assignment, or goes."""
    for declaration in all_of(kernel, "declaration"):
        found = [one for one in declaration.named_children if one.type == "init_declarator"]
        if len(found) != 1 or declaration.parent is None or "for" in declaration.parent.type:
            continue
        name = says(found[0].child_by_field_name("declarator"))
        outer = [one for one in known if one.name == name and one.begin < declaration.start_byte]
        if any(one.end > declaration.parent.end_byte for one in outer):
            yield replaced(_HIDDEN, declaration, f"{says(found[0])};", word=says(found[0]))
            yield replaced(_HIDDEN, declaration, ";", 0.1, says(found[0]))


def _anew(loop: Node, kernel: Node, known: list[Variable]) -> Iterator[Edit]:
    """Variables that the rounds of a loop around another one change are set back in each."""
    body = loop.child_by_field_name("body")
    is_around = body is not None and any(all_of(body, "for_statement", "while_statement"))
    if body is None or body.type != "compound_statement" or not is_around:
        return
    changed = {says(sides_of(one)[0]) for one in all_of(body, "assignment_expression")}
    before = [
        one
        for one in variables.visible(known, loop.start_byte)
        if one.name in changed and not one.is_parameter and one.holds in ("integer", "real")
    ]
    begins = {name: value for name, value in begun(kernel) if value.end_byte <= loop.start_byte}
    texts = [f"{one.name} = {says(begins[one.name])};" for one in before if one.name in begins]
    for text in [" ".join(texts), *(texts if len(texts) > 1 else [])]:
        if text:
            place = body.start_byte + 1
            change = Change(place, place, f" {text}")
            yield Edit(_ANEW, line_of(loop), says(condition_of(loop)), (change,))


def _added_to(loop: Node, known: list[Variable]) -> Iterator[Edit]:
    """An element of an array that a loop adds to is 0 before."""
    inside = {name for name, _ in begun(loop)}
    arrays = {one.name for one in known if one.is_parameter and one.holds == "pointer"}
    for one in all_of(loop, "assignment_expression"):
        place = sides_of(one)[0]
        if place is None or place.type != "subscript_expression" or "+=" not in says(one):
            continue
        used = {says(use) for use in all_of(place, "identifier")}
        if not used & arrays or used & inside or loop.prev_named_sibling is None:
            continue
        around = one.parent.parent if one.parent is not None else None
        guard = condition_of(around) if around is not None and "if" in around.type else None
        condition = f"if ({says(guard)}) " if guard is not None else ""
        yield inserted(_KEPT, loop.prev_named_sibling, f"{condition}{says(place)} = 0;")
