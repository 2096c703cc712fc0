"""Indices: which element a thread has, in the array and in the tile."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    Code,
    all_of,
    beginnings,
    begun,
    calls,
    first_name,
    is_launched,
    line_of,
    operator_of,
    parents,
    renamed,
    says,
    sides_of,
    terms_of,
)
from tilelab.repairs.edit import Change, Edit, Kind, joined, replaced
from tilelab.repairs.variables import Variable

_WHOLE = Kind(
    "index of a thread",
    "Which elements do the threads 0 and 1 of a block have, and which one begins the next block?",
    "The threads of a warp should have neighboring elements. Thread t of block b has the element "
    "b * blockDim.x + t.",
    0.5,
)
TURN = Kind(
    "elements of a thread",
    "In one round of this loop, which elements do the threads 0, 1 and 2 have?",
    "If a thread takes several elements, its next one should lie a whole block further, so that "
    "neighboring threads have neighboring elements in each round.",
    0.4,
)
_SLOT = Kind(
    "slot of the tile",
    "In which slot is this element stored, and in which one does this line look for it?",
    "A tile is read where it was written: what is done to an index on one side has to be done to "
    "it on the other side, too.",
    0.4,
)
_TURNED = Kind(
    "axes exchanged",
    "Does the first index of this array count rows, here and where it is filled?",
    "The last index of an array counts along a row. Say for each of the two indices whether it "
    "moves along a row or down a column.",
    0.4,
)
_SCALED = Kind(
    "units of an index",
    "Does this count elements, or groups of elements?",
    "If one step stands for several elements, the element has that many times the index.",
    0.6,
)
_LOCAL = Kind(
    "known by its index",
    "Which of these indices count within a tile or a block, and which in the whole array?",
    "Compare indices that count from the same place.",
    0.4,
)
_LANE = Kind(
    "lane and thread",
    "Which threads can a shuffle connect, and where does the first of them get its value?",
    "A shuffle ends at the edges of a warp. The first lane of each warp needs its neighbor from "
    "elsewhere, not only the first thread of the block.",
    0.4,
)
_PARTNER = Kind(
    "lane without a partner",
    "From which lane does lane 0 get a value here, and what does the shuffle return to it?",
    "A lane without another one so far below it gets its own value back from __shfl_up_sync. It "
    "must not add that.",
    0.3,
)
_BUILT_IN = re.compile(r"\b(threadIdx|blockIdx|blockDim|gridDim)\.([xyz])\b")
_WARP = 32
_LISTS = ("argument_list", "subscript_argument_list")
_OF_THE_GRID = "int(blockIdx.x * blockDim.x + threadIdx.x)"


def of(code: Code) -> Iterator[Edit]:
    for kernel in code.kernels:
        known = variables.of_function(code, kernel)
        values = beginnings(kernel)
        yield from _of_a_thread(kernel)
        yield from _in_turn(kernel, values)
        yield from _as_elsewhere(kernel)
        yield from _two_exchanged(kernel)
        yield from _compared(kernel, known, values)
        yield from _counted_from_elsewhere(kernel, known)
        yield from _kept(kernel, known, values)
        if "__shfl" in says(kernel):
            yield from _lanes(kernel, values)
            yield from _without_a_partner(kernel)
    for function in code.functions:
        yield from _in_units(function)


def _of_a_thread(kernel: Node) -> Iterator[Edit]:
    """An index made of the thread and the block alone, along one axis."""
    for one in all_of(kernel, "binary_expression"):
        if operator_of(one.parent) in ("+", "-", "*", "/", "%"):
            continue
        used = _BUILT_IN.findall(says(one))
        axes = {axis for _, axis in used}
        names = {name for name, _ in used}
        others = [use for use in all_of(one, "identifier") if not _BUILT_IN.match(f"{says(use)}.x")]
        if len(axes) == 1 and {"threadIdx", "blockIdx"} <= names and not others:
            (axis,) = axes
            text = f"blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis}"
            yield replaced(_WHOLE, one, f"({text})")


def _is_thread(text: str, values: dict[str, str]) -> bool:
    return "threadIdx.x" in (text, values.get(text))


def _in_turn(kernel: Node, values: dict[str, str]) -> Iterator[Edit]:
    """`thread * each + round` becomes `round * blockDim.x + thread`."""
    for total in all_of(kernel, "binary_expression"):
        if operator_of(total) != "+" or operator_of(total.parent) == "+":
            continue
        counters = {
            first_name(update)
            for loop in parents(total)
            if loop.type == "for_statement"
            and (update := loop.child_by_field_name("update")) is not None
        }
        terms = terms_of(total)
        rounds = [one for one in terms if says(one) in counters]
        for product in terms:
            threads = [
                says(side)
                for side in sides_of(product)
                if operator_of(product) == "*" and _is_thread(says(side), values)
            ]
            for thread in threads:
                for counter in rounds:
                    changes = (
                        Change(product.start_byte, product.end_byte, thread),
                        Change(
                            counter.start_byte, counter.end_byte, f"{says(counter)} * blockDim.x"
                        ),
                    )
                    yield Edit(TURN, line_of(total), says(total), changes)


def _indices(access: Node) -> list[Node]:
    """The indices of an access of an array, the first one first."""
    found: list[Node] = []
    current: Node | None = access
    while current is not None and current.type == "subscript_expression":
        inner = next(
            (one for one in current.children if one.type == "subscript_argument_list"), None
        )
        found = [*(inner.named_children if inner else []), *found]
        current = current.child_by_field_name("argument")
    return found


def _array(access: Node) -> str:
    current: Node | None = access
    while current is not None and current.type == "subscript_expression":
        current = current.child_by_field_name("argument")
    return says(current)


def _of_two_axes(kernel: Node) -> Iterator[tuple[Node, Node, Node]]:
    """The accesses with at least two indices, and the last two of these."""
    for access in all_of(kernel, "subscript_expression"):
        if access.parent is not None and access.parent.type == "subscript_expression":
            continue
        found = _indices(access)
        if len(found) >= 2:
            yield access, found[-2], found[-1]


def _as_elsewhere(kernel: Node) -> Iterator[Edit]:
    """After `tile[r][c ^ r] = a`, a read of `tile[x][y]` becomes one of `tile[x][y ^ x]`."""
    accesses = list(_of_two_axes(kernel))
    for pattern, row, column in accesses:
        used = [says(use) for use in all_of(column, "identifier")]
        others = [name for name in dict.fromkeys(used) if name != says(row)]
        if column.type != "binary_expression" or says(row) not in used or not others:
            continue
        for access, own_row, own_column in accesses:
            if _array(access) == _array(pattern) and own_column.type == "identifier":
                names = {says(row): says(own_row), others[0]: says(own_column)}
                yield replaced(_SLOT, own_column, renamed(says(column), names), word=says(access))


def _two_exchanged(kernel: Node) -> Iterator[Edit]:
    for access, row, column in _of_two_axes(kernel):
        if says(row) != says(column):
            changes = (
                Change(row.start_byte, row.end_byte, says(column)),
                Change(column.start_byte, column.end_byte, says(row)),
            )
            yield Edit(_TURNED, line_of(access), says(access), changes)


def _compared(kernel: Node, known: list[Variable], values: dict[str, str]) -> Iterator[Edit]:
    """`k != t`, in place of the indices that count both from the beginning of the array."""
    whole = {one.name for one in known if one.holds == "integer"}
    # What a helper is called with may be the index of the thread in its block.
    inside = set() if is_launched(kernel) else {one.name for one in known if one.is_parameter}
    sums = [
        one
        for one in all_of(kernel, "binary_expression")
        if operator_of(one) == "+" and one.parent and operator_of(one.parent) != "+"
    ]
    for one in all_of(kernel, "binary_expression"):
        left, right = sides_of(one)
        if operator_of(one) not in ("==", "!=") or left is None or right is None:
            continue
        if {says(left), says(right)} <= whole:
            here = {v.name for v in variables.visible(known, one.start_byte)}
            first = list(_in_the_array(left, sums, values, here))
            second = list(_in_the_array(right, sums, values, here))
            if says(right) in inside or _is_thread(says(right), values):
                second.append(_OF_THE_GRID)
            for text in first:
                yield from (
                    joined([replaced(_LOCAL, left, text), replaced(_LOCAL, right, other)])
                    for other in second
                )
                yield replaced(_LOCAL, left, text, 0.2)
            yield from (replaced(_LOCAL, right, text, 0.2) for text in second)


def _counted_from_elsewhere(function: Node, known: list[Variable]) -> Iterator[Edit]:
    """A counter that is compared or kept, added to a parameter that nothing has used."""
    own = [one for one in known if one.holds == "integer" and one.begin >= function.start_byte]
    body = function.child_by_field_name("body")
    used = {says(use) for use in all_of(body, "identifier")} if body is not None else set()
    origins = [one.name for one in own if one.is_parameter and one.name not in used]
    counters = {one.name for one in own if not one.is_parameter}
    for use in all_of(function, "identifier"):
        if says(use) in counters and _is_compared_or_kept(use):
            yield from (
                replaced(_LOCAL, use, f"{origin} + {says(use)}", word=says(use.parent))
                for origin in origins
            )


def _kept(function: Node, known: list[Variable], values: dict[str, str]) -> Iterator[Edit]:
    """A counter that is kept, in place of the variable that holds its sum with an origin."""
    counters = {one.name for one in known if one.holds == "integer" and not one.is_parameter}
    for use in all_of(function, "identifier"):
        if says(use) in counters and _is_kept(use):
            here = {v.name for v in variables.visible(known, use.start_byte)}
            for text in _in_the_array(use, [], values, here):
                yield replaced(_LOCAL, use, text, word=says(use.parent))


def _is_compared_or_kept(use: Node) -> bool:
    return _is_kept(use) or operator_of(use.parent) in ("==", "!=")


def _is_kept(use: Node) -> bool:
    around = use.parent
    is_assigned = around is not None and around.type == "assignment_expression"
    return is_assigned and around is not None and sides_of(around)[1] == use


def _in_the_array(
    index: Node, sums: list[Node], values: dict[str, str], here: set[str]
) -> Iterator[str]:
    """Sums that contain an index, and variables that are such a sum."""
    name = says(index)
    texts = [f"({says(total)})" for total in sums if name in map(says, terms_of(total))]
    texts += [
        other
        for other, value in values.items()
        if other != name and "+" in value and re.search(rf"\b{re.escape(name)}\b", value)
    ]
    for text in dict.fromkeys(texts):
        if _is_simple(text, here):
            yield text


def _is_simple(text: str, here: set[str]) -> bool:
    """Whether all that a text names can be used at a place."""
    plain = _BUILT_IN.sub("0", text)
    return set(re.findall(r"[A-Za-z_]\w*", plain)) <= here


def _lanes(kernel: Node, values: dict[str, str]) -> Iterator[Edit]:
    """The first thread of the block, in place of the first one of each warp, or the reverse."""
    for one in all_of(kernel, "binary_expression"):
        left, right = sides_of(one)
        if left is None or operator_of(one) not in ("==", "!=", ">", "<") or not right:
            continue
        if says(right) in ("0", "1") and _is_thread(says(left), values):
            yield replaced(_LANE, left, f"{says(left)} % {_WARP}", word=says(one))
        first = left.child_by_field_name("left")
        if operator_of(left) == "%" and first is not None and _is_thread(says(first), values):
            yield replaced(_LANE, left, says(first), 0.2, says(one))


def _without_a_partner(kernel: Node) -> Iterator[Edit]:
    """What `__shfl_up_sync` brought is added by the lanes that have a lane so far before them."""
    distances = {}
    for name, value in begun(kernel):
        for call in calls(value, "__shfl_up_sync"):
            arguments = call.child_by_field_name("arguments")
            if arguments is not None and len(arguments.named_children) > 2:
                distances[name] = says(arguments.named_children[2])
    for statement in all_of(kernel, "expression_statement"):
        for assignment in all_of(statement, "assignment_expression"):
            added = says(sides_of(assignment)[1])
            if added in distances:
                condition = f"threadIdx.x % {_WARP} >= {distances[added]}"
                yield replaced(_PARTNER, statement, f"if ({condition}) {says(statement)}")


def _in_units(function: Node) -> Iterator[Edit]:
    """Where `4 * groups` or `groups = n / 4` stands elsewhere: `groups` becomes `4 * groups`.

    So it does in an index if 4 is a factor of several others.
    """
    factors: dict[str, set[str]] = {}
    for one in all_of(function, "binary_expression"):
        for name, factor in _multiplied(one):
            if name.type == "identifier" and factor.type in ("number_literal", "identifier"):
                factors.setdefault(says(name), set()).add(says(factor))
    numbers = Counter(one for some in factors.values() for one in some if one.isdigit())
    of_several = {one for one, count in numbers.items() if count > 1}
    for use in all_of(function, "identifier"):
        around = use.parent
        is_added = operator_of(around) == "+" and "threadIdx" not in says(around)
        if around is None or not (is_added or around.type in _LISTS):
            continue
        of_indices = of_several if _is_in_an_index(use) else set()
        for factor_text in sorted(factors.get(says(use), set()) | of_indices):
            yield replaced(_SCALED, use, f"{factor_text} * {says(use)}", word=says(around))


def _is_in_an_index(use: Node) -> bool:
    """Whether nothing but sums stands between a name and the brackets that it is in."""
    around = next(one for one in parents(use) if operator_of(one) != "+")
    return around.type == "subscript_argument_list"


def _multiplied(one: Node) -> Iterator[tuple[Node, Node]]:
    """The factors of a product, either way, or what holds a quotient, and its divisor."""
    left, right = sides_of(one)
    if left is None or right is None:
        return
    if operator_of(one) == "*":
        yield left, right
        yield right, left
    around = one.parent
    if operator_of(one) == "/" and around is not None and around.type == "init_declarator":
        name = around.child_by_field_name("declarator")
        if name is not None:
            yield name, right
