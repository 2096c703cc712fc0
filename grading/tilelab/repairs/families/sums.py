"""Sums: what is subtracted first, what is added up by whom, and what is squared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    Code,
    all_of,
    beginnings,
    begun,
    calls,
    first_name,
    line_of,
    operator_of,
    parents,
    says,
    sides_of,
)
from tilelab.repairs.edit import Change, Edit, Kind, exchanged, replaced
from tilelab.repairs.families.names.arguments import name_of, names_in_order

_ORDER = Kind(
    "order of arithmetic",
    "What does rounding leave if the two numbers that this takes from each other are equal?",
    "Each float operation rounds. The difference of two equal numbers is exactly 0 if it is taken "
    "first, but not if each has been multiplied or added to others before.",
    0.6,
)
_ATOMIC = Kind(
    "atomic in a loop",
    "How many atomic operations does a thread make here, and how many results does it have?",
    "What one thread adds to one place it can add up by itself, in a register, and then add at "
    "once.",
    0.5,
)
_IN_ORDER = Kind(
    "order of additions",
    "In which order do the threads come to this addition, and is it the same in each run?",
    "Each float addition rounds, so another order gives another sum. If one thread adds, or if "
    "each pair of slots has its place in a tree, the order is always the same.",
    0.5,
)
_OWN = Kind(
    "term left out",
    "Which elements are in the sum that is stored here, and which one is not?",
    "Follow one small sum by hand, and list what has been added up where it is stored.",
    0.7,
)
_SQUARE = Kind(
    "square missing",
    "What are the units of the numbers that are added here?",
    "The square of a length can only be added to squares of lengths.",
    0.6,
)
_POWER = Kind(
    "power",
    "Which power of this has the formula?",
    "A force that falls with the square of the distance, times a vector as long as the distance, "
    "has the third power below.",
    0.6,
)
_TURNED = Kind(
    "order of a difference",
    "Which of these two is taken from the other, and what is the sign of the result?",
    "a - b points from b to a. Try the line with two small numbers.",
    0.7,
)
_RECIPROCAL = Kind(
    "reciprocal",
    "What are the units of this number, and which ones are expected here?",
    "A difference that is divided by a spacing is multiplied by 1 over the spacing.",
    0.6,
)
_ONE = re.compile(r"1(\.0*)?f?")
_NAMES = {"identifier", "field_expression", "subscript_expression"}
_SQUARED = re.compile(r"(?:2|[Ss]q|[Ss]quared?)$")
_BY_NAME = -0.5
_AS_CALLED = -0.05  # What has a name of its own may be a square already.
_KEPT = -0.1  # What all that follows gets.


def of(code: Code) -> Iterator[Edit]:
    names = names_in_order(code)
    of_calls = {
        first_name(one)
        for function in code.host_functions
        for one in all_of(function, "parameter_declaration")
    }
    for function in code.functions:
        yield from _differences(function)
        yield from _turned(function)
        yield from _squares(code, function, of_calls)
        yield from _named_a_square(function, names)
        yield from _powers(function)
    for function in code.host_functions:
        yield from _reciprocals(function, variables.of_function(code, function))
    for kernel in code.kernels:
        yield from _sums_of_differences(kernel)
        yield from _atomics(kernel)
        yield from _by_one_thread(kernel)
        yield from _own_left_out(code, kernel)


def _turned(function: Node) -> Iterator[Edit]:
    """`a - b` becomes `b - a`."""
    for one in all_of(function, "binary_expression"):
        left, right = sides_of(one)
        if operator_of(one) != "-" or left is None or right is None:
            continue
        if {left.type, right.type} <= _NAMES:
            yield exchanged(_TURNED, left, right)


def _reciprocals(function: Node, known: list[variables.Variable]) -> Iterator[Edit]:
    """A real number that is handed on or kept becomes 1 over it, and the reverse."""
    reals = {one.name for one in known if one.holds == "real"}
    for value in _handed_on(function):
        left, right = sides_of(value)
        if says(value) in reals:
            yield replaced(_RECIPROCAL, value, f"(1 / {says(value)})")
        elif operator_of(value) == "/" and _ONE.fullmatch(says(left)) and says(right) in reals:
            yield replaced(_RECIPROCAL, value, says(right))


def _handed_on(function: Node) -> Iterator[Node]:
    """What is handed to a function, or kept in a variable from its beginning on."""
    for some in all_of(function, "argument_list"):
        yield from some.named_children
    for _, value in begun(function):
        yield value


def _differences(function: Node) -> Iterator[Edit]:
    """`k * a - k * b` becomes `k * (a - b)`."""
    for one in all_of(function, "binary_expression"):
        if operator_of(one) == "-" and (together := _factored(*sides_of(one))):
            yield replaced(_ORDER, one, together)


def _sums_of_differences(kernel: Node) -> Iterator[Edit]:
    """After `s += k * a`, `s -= k * b`, maybe each in a loop: `s += k * (a - b)`."""
    for first in all_of(kernel, "expression_statement", "for_statement"):
        second = first.next_named_sibling
        if second is None or second.type != first.type or _head(first) != _head(second):
            continue
        added, subtracted = _adding(first), _adding(second)
        if added is None or subtracted is None:
            continue
        sides = [added.child_by_field_name("left"), subtracted.child_by_field_name("left")]
        operators = [says(one.child_by_field_name("operator")) for one in (added, subtracted)]
        value = added.child_by_field_name("right")
        together = _factored(value, subtracted.child_by_field_name("right"))
        if says(sides[0]) == says(sides[1]) and operators == ["+=", "-="] and value and together:
            changes = (
                Change(value.start_byte, value.end_byte, together),
                Change(second.start_byte, second.end_byte, ";"),
            )
            yield Edit(_ORDER, line_of(first), says(added), changes)


def _head(statement: Node) -> str:
    """What a loop says before its body."""
    body = statement.child_by_field_name("body")
    return says(statement)[: body.start_byte - statement.start_byte] if body is not None else ""


def _adding(statement: Node) -> Node | None:
    """The only assignment of a statement or a loop."""
    found = list(
        all_of(statement.child_by_field_name("body") or statement, "assignment_expression")
    )
    return found[0] if len(found) == 1 else None


def _factored(one: Node | None, other: Node | None) -> str:
    """For `k * a` and `k * b`: `k * (a - b)`. Otherwise nothing."""
    if one is None or other is None:
        return ""
    if any(says(product.child_by_field_name("operator")) != "*" for product in (one, other)):
        return ""
    for same, rest in (("left", "right"), ("right", "left")):
        factor = says(one.child_by_field_name(same))
        if factor == says(other.child_by_field_name(same)):
            first, second = (says(two.child_by_field_name(rest)) for two in (one, other))
            return f"{factor} * (({first}) - ({second}))"
    return ""


def _added_to_one_place(kernel: Node) -> Iterator[tuple[Node, Node, Node, Node]]:
    """Atomic additions of a loop to one place: the loop, the call, the place, and the value."""
    for call in calls(kernel, "atomicAdd"):
        loop = next((one for one in parents(call) if one.type == "for_statement"), None)
        arguments = call.child_by_field_name("arguments")
        if loop is None or arguments is None or len(arguments.named_children) != 2:
            continue
        place, value = arguments.named_children
        counter = says(next(all_of(loop, "init_declarator"), None)).split("=")[0].strip()
        if counter not in {says(one) for one in all_of(place, "identifier")}:
            yield loop, call, place, value


def _by_one_thread(kernel: Node) -> Iterator[Edit]:
    """Rounds whose additions the threads of a block share are made by one of them, in order."""
    values = beginnings(kernel)
    for loop, call, _, _ in _added_to_one_place(kernel):
        begin = next(all_of(loop, "init_declarator"), None)
        start = begin.child_by_field_name("value") if begin is not None else None
        update, body = loop.child_by_field_name("update"), loop.child_by_field_name("body")
        if begin is None or update is None or body is None or start is None:
            continue
        if values.get(says(start), says(start)) == "threadIdx.x":
            counter = says(begin.child_by_field_name("declarator"))
            asked = says(loop.child_by_field_name("condition"))
            head = f"for (int {counter} = 0; {asked}; ++{counter})"
            text = f"if (threadIdx.x == 0) {{ {head} {says(body)} }}"
            yield replaced(_IN_ORDER, loop, text, word=says(call))


def _atomics(kernel: Node) -> Iterator[Edit]:
    """A loop of atomic additions to one place becomes a sum, and one addition behind it."""
    for loop, call, place, value in _added_to_one_place(kernel):
        head, tail = (
            says(loop)[: call.start_byte - loop.start_byte],
            says(loop)[call.end_byte - loop.start_byte :],
        )
        text = f"{head}s_ += {says(value)}{tail}"
        target = says(place).removeprefix("&")
        before = f"decltype({target} + 0) s_ = 0;"
        text = f"{{ {before} {text} atomicAdd({says(place)}, s_); }}"
        yield replaced(_ATOMIC, loop, text, word=says(call))


def _squares(code: Code, function: Node, of_calls: AbstractSet[str]) -> Iterator[Edit]:
    """A variable that is added, handed on or kept becomes its square.

    `of_calls` has the names of what the functions of the host are called with.
    """
    reals = {one.name for one in variables.of_function(code, function) if one.holds == "real"}
    sums = [one for one in all_of(function, "binary_expression") if operator_of(one) in ("+", "-")]
    terms = [one for total in sums for one in sides_of(total) if one is not None]
    for term in (*terms, *_handed_on(function)):
        if says(term) in reals and not _is_given_twice(term):
            extra = _AS_CALLED if says(term) in of_calls else 0
            yield replaced(_SQUARE, term, f"({says(term)} * {says(term)})", extra)


def _is_given_twice(argument: Node) -> bool:
    """Whether a call has it twice, as `fmaf(x, x, y)` has, which multiplies the two."""
    around = argument.parent
    given = around.named_children if around is not None and around.type == "argument_list" else []
    return list(map(says, given)).count(says(argument)) > 1


def _named_a_square(function: Node, names: Mapping[str, list[str]]) -> Iterator[Edit]:
    """An argument whose parameter is called a square, and a number that is kept."""
    for given in all_of(function, "argument_list"):
        for name, one in zip(names.get(name_of(given), []), given.named_children, strict=False):
            if _SQUARED.search(name) and one.type in _NAMES:
                yield replaced(_SQUARE, one, f"({says(one)} * {says(one)})", _BY_NAME)
    for one in all_of(function, "declaration"):
        if re.search(r"\b(?:float|double)\b", says(one.child_by_field_name("type"))):
            for _, value in begun(one):
                if value.type == "field_expression":
                    yield replaced(_SQUARE, value, f"({says(value)} * {says(value)})", _KEPT)


def _powers(function: Node) -> Iterator[Edit]:
    """`mass * inverse * inverse` becomes that times `inverse`."""
    for product in all_of(function, "binary_expression"):
        left, right = sides_of(product)
        if operator_of(product) != "*" or operator_of(product.parent) == "*" or right is None:
            continue
        before = sides_of(left)[1] if operator_of(left) == "*" and left is not None else left
        if right.type == "identifier" and says(before) == says(right):
            yield replaced(_POWER, product, f"({says(product)} * {says(right)})")


def _own_left_out(code: Code, kernel: Node) -> Iterator[Edit]:
    """What a thread has loaded is added to what it stores."""
    known = variables.of_function(code, kernel)
    arrays = {one.name: one.type for one in known if one.holds == "pointer" and one.is_parameter}
    own = [one for one in known if not one.is_parameter and not one.sizes]
    for store in all_of(kernel, "assignment_expression"):
        place, value = store.child_by_field_name("left"), store.child_by_field_name("right")
        if place is None or value is None or place.type != "subscript_expression":
            continue
        of_type = arrays.get(says(place.child_by_field_name("argument")))
        used = {says(one) for one in all_of(store, "identifier")}
        for one in variables.visible(own, store.start_byte):
            if one.type == of_type and one.holds != "pointer" and one.name not in used:
                yield replaced(_OWN, value, f"{says(value)} + {one.name}", word=says(store))
