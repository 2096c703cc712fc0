"""Terms of an expression: one that is missing, and one that belongs inside of parentheses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import Code, all_of, begun, operator_of, says, sides_of
from tilelab.repairs.edit import Edit, Kind, joined, replaced

_OFFSET = Kind(
    "term missing",
    "Which places should this reach, from the first to the last, and which does it reach?",
    "The elements on either side of a tile need places of their own. Indices and bounds have to "
    "allow for them.",
    0.6,
)
_INSIDE = Kind(
    "inside or outside",
    "In which order are these operations done, and in which order should they be?",
    "What stands in parentheses, or in the argument of a call, is worked out first.",
    0.8,
)
_DIFFERENCE = Kind(
    "order of arithmetic",
    "How large are the numbers that this subtracts, and how large is the result?",
    "Large numbers that nearly cancel leave only their rounding errors. Take the difference of the "
    "coordinates first, and square it then.",
    0.4,
)
_GROUPS = Kind(
    "groups and elements",
    "Does this count groups or elements, and which of them is needed here?",
    "A quotient counts groups. What is in front of a group are as many times the elements that a "
    "group has.",
    0.5,
)
_TOO_MANY = Kind(
    "term too many",
    "What does each term of this sum stand for, and which of them is counted already?",
    "Work out this place for the first thread and for the last one, and compare with where their "
    "elements are.",
    0.8,
)
# Of the terms that a file adds elsewhere.
_MOST_OFFSETS = 6
_MOST_TERMS = 12
_IN_A_MACRO = re.compile(r"\+ ((\w+) - 1)\b")
_NAME = re.compile(r"[A-Za-z_]\w*")
_VECTOR = re.compile(r"(?:float|double)([234])")
_PARTS = "xyzw"
_IN_A_SUM = -0.15  # There are few sums, and an element on the left is at the first of them.
_LISTS = ("argument_list", "subscript_argument_list")
_WHOLE = ("int", "unsigned", "size_t", "auto")


def of(code: Code) -> Iterator[Edit]:
    offsets = offsets_of(code)
    for function in code.functions:
        for place in _places(function):
            for term in offsets:
                if says(place) != term:
                    yield replaced(_OFFSET, place, f"({says(place)} + {term})")
                    less = f"({says(place)} - {_in_parentheses(term)})"
                    yield replaced(_OFFSET, place, less, 0.2)
        yield from _in_sums(function, offsets)
        yield from _in_all_places(function, offsets)
        yield from _into_calls(function)
        yield from _of_groups(function)
        yield from _too_many(function, variables.of_function(code, function))
    for kernel in code.kernels:
        yield from _distance(code, kernel)


def _in_sums(function: Node, offsets: list[str]) -> Iterator[Edit]:
    """The same in a sum that a whole number begins with: the place of a thread's element."""
    for one in all_of(function, "init_declarator"):
        total = one.child_by_field_name("value")
        of_type = one.parent.child_by_field_name("type") if one.parent is not None else None
        if total is None or says(of_type) not in _WHOLE:
            continue
        if total.type == "call_expression":
            yield from (replaced(_OFFSET, total, f"({says(total)} + {term})") for term in offsets)
        if operator_of(total) not in ("+", "-"):
            continue
        for term in offsets:
            if term not in _NAME.findall(says(total)):
                less = f"{says(total)} - {_in_parentheses(term)}"
                yield replaced(_OFFSET, total, less, _IN_A_SUM)
                yield replaced(_OFFSET, total, f"{says(total)} + {term}", 0.2)


def _in_all_places(function: Node, offsets: list[str]) -> Iterator[Edit]:
    """The same in all places of an array that a statement uses."""
    for statement in all_of(function, "expression_statement", "declaration"):
        places: dict[str, list[Node]] = {}
        for access in all_of(statement, "subscript_expression"):
            array = access.child_by_field_name("argument")
            index = next(all_of(access, "subscript_argument_list"), None)
            if array is not None and array.type == "identifier" and index is not None:
                places.setdefault(says(array), []).extend(index.named_children[:1])
        for found in places.values():
            for term in offsets if len(found) > 1 else ():
                edits = [replaced(_OFFSET, one, f"({says(one)} + {term})") for one in found]
                yield joined(edits, extra=_IN_A_SUM)


def _too_many(function: Node, known: list[variables.Variable]) -> Iterator[Edit]:
    """A place, an argument, or what a variable begins with, without one term of its sum."""
    pointers = {one.name for one in known if one.holds in ("pointer", "array")}
    places = [*_places(function), *(value for _, value in begun(function))]
    for arguments in all_of(function, "argument_list"):
        places += arguments.named_children
    for total in places:
        terms = _signed(total)
        # Where memory begins is no sum.
        if len(terms) > _MOST_TERMS or pointers & {says(one) for _, one in terms}:
            continue
        for left_out in (one for one in terms[1:] if one[1].type != "number_literal"):
            rest = [f" {sign} {says(one)}" for sign, one in terms if one != left_out[1]]
            yield replaced(_TOO_MANY, total, "".join(rest).removeprefix(" + "))


def _signed(total: Node) -> list[tuple[str, Node]]:
    """What a sum adds or subtracts, in order, each with its sign."""
    found = []
    while (sign := operator_of(total)) in ("+", "-"):
        left, right = sides_of(total)
        if left is None or right is None:
            break
        found.append((sign, right))
        total = left
    return [("+", total), *reversed(found)]


def _in_parentheses(term: str) -> str:
    return f"({term})" if " " in term else term


def offsets_of(code: Code) -> list[str]:
    """What is added elsewhere and means the same in all functions: `halo`, or `taps - 1`."""
    local = {
        one.name
        for function in code.functions
        for one in variables.of_function(code, function)
        if one.begin > function.start_byte
    }
    local |= _sizes(code)
    found: list[str] = []
    for total in all_of(code.root, "binary_expression"):
        if operator_of(total) not in ("+", "-") or operator_of(total.parent) == "+":
            continue
        if any(all_of(total, "field_expression")):
            continue
        last = total.child_by_field_name("right")
        before = total.child_by_field_name("left")
        if last is None or before is None:
            continue
        if last.type == "identifier" and says(last) not in local:
            found.append(says(last))
        if operator_of(before) == "+" and says(last) == "1":
            inner = before.child_by_field_name("right")
            is_constant = inner is not None and inner.type == "identifier"
            # A division that is rounded up has such a term, too.
            is_rounding = operator_of(total.parent.parent if total.parent else None) == "/"
            if is_constant and says(inner) not in local and not is_rounding:
                found.append(f"{says(inner)} {operator_of(total)} 1")
    for macro in all_of(code.root, "preproc_def"):
        found += [one for one, name in _IN_A_MACRO.findall(says(macro)) if name not in local]
    return list(dict.fromkeys(found))[:_MOST_OFFSETS]


def _sizes(code: Code) -> set[str]:
    """The names of what is counted with, such as the size of a tile."""
    found = set()
    for one in all_of(code.root, "binary_expression"):
        left, right = sides_of(one)
        if operator_of(one) in ("*", "/", "%") and left is not None and right is not None:
            if left.type != "number_literal":
                found.add(says(right))
            if operator_of(one) == "*" and right.type != "number_literal":
                found.add(says(left))
    return found


def _places(function: Node) -> Iterator[Node]:
    """The ends of conditions, the indices of arrays, and the arguments of min() and max()."""
    for one in all_of(function, "binary_expression"):
        if operator_of(one) in ("<", "<=", ">", ">="):
            right = one.child_by_field_name("right")
            if right is not None and right.type != "number_literal":
                yield right
    for index in all_of(function, "subscript_argument_list"):
        yield from index.named_children
    for call in all_of(function, "call_expression"):
        arguments = call.child_by_field_name("arguments")
        if says(call.child_by_field_name("function")) in ("min", "max", "std::min", "std::max"):
            yield from arguments.named_children if arguments is not None else []


def _into_calls(function: Node) -> Iterator[Edit]:
    """`f(a, c) + b` becomes `f(a + b, c)`, and `(a + b) * c` becomes `a + b * c`, and back."""
    for one in all_of(function, "binary_expression"):
        sign = operator_of(one)
        left, right = sides_of(one)
        if left is None or right is None or sign not in ("+", "-", "*", "/"):
            continue
        if left.type == "call_expression":
            arguments = left.child_by_field_name("arguments")
            called = says(left.child_by_field_name("function"))
            named = arguments.named_children if arguments is not None else []
            for i in range(min(len(named), 3)):
                texts = [says(argument) for argument in named]
                texts[i] = f"{texts[i]} {sign} {says(right)}"
                yield replaced(_INSIDE, one, f"{called}({', '.join(texts)})", -0.2)
        is_grouped = left.type == "parenthesized_expression"
        inner = next(iter(left.named_children), None) if is_grouped else None
        if sign in ("*", "/") and inner is not None and operator_of(inner) in ("+", "-"):
            yield replaced(_INSIDE, one, f"({says(inner)} {sign} {says(right)})", 0.1)
        if sign in ("+", "-") and operator_of(left) in ("*", "/"):
            first, last = sides_of(left)
            text = f"{says(first)} {operator_of(left)} ({says(last)} {sign} {says(right)})"
            yield replaced(_INSIDE, one, f"({text})", 0.1)


def _of_groups(function: Node) -> Iterator[Edit]:
    """After `whole = n / 16`, a `whole` that stands for elements becomes `whole * 16`."""
    sizes = {
        name: says(sides_of(one)[1]) for name, one in begun(function) if operator_of(one) == "/"
    }
    for use in all_of(function, "identifier"):
        around = use.parent
        if around is None or says(use) not in sizes:
            continue
        is_value = around.child_by_field_name("value") == use
        if is_value or operator_of(around) in ("+", "-") or around.type in _LISTS:
            yield replaced(_GROUPS, use, f"({says(use)} * {sizes[says(use)]})", word=says(around))


def _distance(code: Code, function: Node) -> Iterator[Edit]:
    """What a function of two points returns becomes the sum of the squares of differences."""
    points = [
        one
        for one in variables.of_function(code, function)
        if one.is_parameter and _VECTOR.fullmatch(one.type)
    ]
    if len(points) != 2 or says(function.child_by_field_name("type")) not in ("float", "double"):
        return
    one, other = (point.name for point in points)
    count = min(int(found[1]) for point in points if (found := _VECTOR.fullmatch(point.type)))
    for result in all_of(function, "return_statement"):
        for value in result.named_children:
            if not {one, other} <= set(_NAME.findall(says(value))) or "-" not in says(value):
                continue
            squares = (
                f"({one}.{part} - {other}.{part}) * ({one}.{part} - {other}.{part})"
                for part in _PARTS[:count]
            )
            yield replaced(_DIFFERENCE, value, " + ".join(squares))
