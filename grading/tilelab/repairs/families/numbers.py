"""Numbers and arithmetic: one too many, the wrong operator, division that rounds down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    Code,
    all_of,
    beginnings,
    begun,
    is_zero,
    operator_of,
    parents,
    says,
    sides_of,
    terms_of,
)
from tilelab.repairs.edit import Edit, Kind, joined, replaced

_OFF_BY_ONE = Kind(
    "off by one",
    "Work this out for the first and for the last thread: is it one too many, or one too few?",
    "An index begins at 0 and ends one below the number of elements. A neighbor is one off, and so "
    "is a row of padding.",
)
_NUMBER = Kind(
    "wrong number",
    "Why this number, and what would another one mean?",
    "Say in words what the number counts.",
    1.2,
)
_OPERATOR = Kind(
    "wrong operator",
    "Work this expression out by hand for a small example: is it what you mean?",
    "Write down the values for the threads 0 and 1 of the blocks 0 and 1.",
    1.1,
)
_ROUNDED = Kind(
    "rounded down",
    "What does this division give if it leaves a remainder?",
    "Whole numbers are divided without the remainder, so the elements that do not fill a block get "
    "none. Round up: one block more if anything is left.",
    0.4,
)
_ROUNDED_UP = Kind(
    "rounded up",
    "How many whole groups are there, and what happens to the elements that are left?",
    "If something else takes care of what is left, the number of whole groups is rounded down.",
    0.6,
)
_REMAINDER = Kind(
    "quotient and remainder",
    "Which of these tells warps apart, and which the threads within a warp?",
    "t / 32 is the same for all threads of a warp, and t % 32 differs from thread to thread.",
    0.5,
)
_PLANES = Kind(
    "blocks along several axes",
    "What is this for the last block of all, and how large may it be?",
    "A quotient of blockIdx.x grows over the whole grid. If there is one more axis, the quotient "
    "starts anew along it: % with the number of blocks along its own axis.",
    0.6,
)
_LAST = Kind(
    "elements of the last tile",
    "How many elements does the last tile have if the tiles come out even?",
    "The remainder is 0 then, though the tile is full. What is left is the number of elements "
    "minus where the tile begins.",
    0.5,
)
_FULL = Kind(
    "elements of the last tile",
    "How many elements does the last tile have, and how many does this call take?",
    "The last tile is seldom full. What is left for it is the number of elements minus where the "
    "tile begins.",
    0.5,
)
TURN = Kind(
    "turn of a slot",
    "Which slot is this, who uses it at this point, and what has to be in it?",
    "Slots take turns. Write down for the first rounds which slot is filled, which is used, and "
    "which is free.",
    0.5,
)
_FRACTION = Kind(
    "fraction of whole numbers",
    "What is 4 / 5, and what is 4.0f / 5?",
    "A quotient of two whole numbers is a whole number, whatever it is stored in.",
    0.3,
)
_BLOCK = Kind(
    "index of the block",
    "Which element belongs to thread 0 of block 1?",
    "Block b begins after all threads of the b blocks before it: at b * blockDim.x.",
    0.4,
)
_SIMPLER = Kind(
    "expression",
    "What does this come to for the threads 0 and 1, and does it need all of its parts?",
    "Work it out for two neighboring threads, and say what each part is for.",
)
_MOST_NAMES = 4
_OF_MEMBERS = -0.4  # There are few of these.
_BY_THE_NEXT_AXIS = -0.4  # What is divided on is the number along this one.
_ASSIGNED = Kind(
    "assignment",
    "Should this add to what is there, or replace it?",
    "= replaces a value, and += adds to the one that is there, which has to exist before.",
    0.7,
)
_RESET = Kind(
    "value that is set back",
    "Which value does this overwrite, and is it still needed?",
    "What is set back to 0 in each round, or by each launch, loses what was there before.",
    0.7,
    removes=True,
)
_OPERATORS = {"+": ("-", "*"), "-": ("+",), "*": ("+", "/"), "/": ("*", "%"), "%": ("/",)}
_ROUNDING = re.compile(r"\((\w+) \+ (?:\d+|\w+ - 1)\)")
_THREAD = re.compile(r"threadIdx\.[xyz]")
_WHOLE = re.compile(r"\d+[uUlLzZ]*")
_SEVERAL = re.compile(r"[1-9]\d+")
_DIGITS = re.compile(r"-?\d+")
_INTEGERS = re.compile(r"\b(?:bool|char|short|int|long|unsigned|\w*int\d+_t|size_t|dim3)\b")

# What takes integers only, or drops what is behind the point.
_OF_INTEGERS = {
    "array_declarator",
    "new_declarator",
    "subscript_argument_list",
    "template_argument_list",
    "kernel_call_syntax",
    "enumerator",
}
_BETWEEN_INTEGERS = {"%", "<<", ">>", "&", "|", "^"}


_MOST_DIVIDED = 40  # of a kernel: there are pairs of them


def of(code: Code) -> Iterator[Edit]:
    for literal in all_of(code.root, "number_literal"):
        yield from _literal(literal)
    yield from _constants(code)
    yield from _fractions(code)
    for kernel in code.kernels:
        yield from _remainders(kernel)
        known = variables.of_function(code, kernel)
        yield from _of_blocks(kernel, known)
        yield from _left(kernel, known)
        yield from _full(kernel, known)
        yield from _all_or_none(kernel)
    for function in code.functions:
        yield from _expressions(function)
        known = variables.of_function(code, function)
        yield from _assignments(function, known)
        yield from _parts(function, known)
        yield from _returned(function, known)
        yield from _sizes(function, known)


def _literal(node: Node) -> Iterator[Edit]:
    text = says(node)
    if not _WHOLE.fullmatch(text):
        return
    value, suffix = int(re.sub(r"\D", "", text)), re.sub(r"\d", "", text)
    around = says(node.parent)
    word = around if len(around) < 40 else text
    kind = TURN if _is_in_a_ring(node) else _OFF_BY_ONE
    for other in (value - 1, value + 1):
        if other >= 0:
            yield replaced(kind, node, f"{other}{suffix}", word=word)
    if value > 32 and value & (value - 1):
        yield replaced(_NUMBER, node, f"{1 << (value.bit_length() - 1)}{suffix}", -0.4, word)
    if value >= 2:
        yield replaced(_NUMBER, node, f"{2 * value}{suffix}", word=word)
        yield replaced(_NUMBER, node, f"{value // 2}{suffix}", word=word)


def _is_in_a_ring(node: Node) -> bool:
    """Whether it is the number in `(slot + 1) % stages`."""
    sum_of = node.parent
    around = sum_of.parent if sum_of is not None and operator_of(sum_of) in ("+", "-") else None
    if around is None or around.type != "parenthesized_expression":
        return False
    return operator_of(around.parent) == "%"


def _constants(code: Code) -> Iterator[Edit]:
    """A constant of the file that is a sum, with one more or one less."""
    for declarator in all_of(code.root, "init_declarator"):
        value = declarator.child_by_field_name("value")
        if value is None or value.type != "binary_expression":
            continue
        if not any(one.type == "function_definition" for one in parents(declarator)):
            for step in ("- 1", "+ 1"):
                # There are few of these, and all that is counted with them is off.
                yield replaced(_OFF_BY_ONE, value, f"{says(value)} {step}", -0.4, says(declarator))


def _remainders(kernel: Node) -> Iterator[Edit]:
    """`threadIdx.x / 32` becomes `threadIdx.x % 32`, and the reverse.

    `t / down` becomes `t / across` where `t % across` is what is left over.
    """
    values = beginnings(kernel)
    for one in all_of(kernel, "binary_expression"):
        operator, left = one.child_by_field_name("operator"), one.child_by_field_name("left")
        other = {"/": "%", "%": "/"}.get(says(operator))
        thread = values.get(says(left), says(left))
        if operator is not None and other and _THREAD.fullmatch(thread):
            yield replaced(_REMAINDER, operator, other, word=says(one))
    divided = [one for one in all_of(kernel, "binary_expression") if operator_of(one) in ("/", "%")]
    for one, two in permutations(divided[:_MOST_DIVIDED], 2):
        (number, divisor), (same, another) = sides_of(one), sides_of(two)
        is_pair = operator_of(one) != operator_of(two) and says(number) == says(same)
        if is_pair and divisor is not None and says(divisor) != says(another):
            yield replaced(_REMAINDER, divisor, says(another), word=says(one))


def _of_blocks(kernel: Node, known: list[variables.Variable]) -> Iterator[Edit]:
    """`blockIdx.x / across` becomes `blockIdx.x / across % down`."""
    divided = {says(one) for one in all_of(kernel, "binary_expression") if operator_of(one) == "/"}
    for one in all_of(kernel, "binary_expression"):
        left, right = sides_of(one)
        is_of_blocks = operator_of(one) == "/" and says(left).startswith("blockIdx.")
        if not is_of_blocks or operator_of(one.parent) == "%":
            continue
        for other in variables.visible(known, one.start_byte):
            if other.holds == "integer" and other.name != says(right):
                is_divided = f"{says(one)} / {other.name}" in divided
                extra = _BY_THE_NEXT_AXIS if is_divided else 0
                yield replaced(_PLANES, one, f"({says(one)} % {other.name})", extra)


def _left(kernel: Node, known: list[variables.Variable]) -> Iterator[Edit]:
    """`n % tile` becomes `n - begin`, or is as much as a tile where that is 0."""
    sizes = variables.sizes_of_call(known)
    for one in all_of(kernel, "binary_expression"):
        size = says(sides_of(one)[0])
        if operator_of(one) == "%" and size in sizes:
            # Right for any size but 0, without a name for where the tile begins.
            whole = says(sides_of(one)[1])
            yield replaced(_LAST, one, f"(({size} - 1) % {whole} + 1)", -0.1)
            yield from (
                replaced(_LAST, one, f"({size} - {begin.name})")
                for begin in variables.visible(known, one.start_byte)
                if begin.holds == "integer" and not begin.is_parameter
            )


def _full(kernel: Node, known: list[variables.Variable]) -> Iterator[Edit]:
    """A number of elements that a function is called with becomes `n - begin` at most."""
    sizes = variables.sizes_of_call(known)
    constants = {
        one.name for one in known if one.holds == "integer" and one.begin < kernel.start_byte
    }
    for arguments in all_of(kernel, "argument_list"):
        begins = [
            one.name
            for one in variables.visible(known, arguments.start_byte)
            if one.holds == "integer" and not one.is_parameter and one.name not in constants
        ]
        for count in arguments.named_children:
            if says(count) in constants or _SEVERAL.fullmatch(says(count)):
                yield from (
                    replaced(_FULL, count, f"min(int({says(count)}), int({size} - {begin}))")
                    for size in sizes
                    for begin in begins
                )


def _all_or_none(kernel: Node) -> Iterator[Edit]:
    """`first + each <= n ? each : 0` becomes the number of elements that are left, if any are."""
    for choice in all_of(kernel, "conditional_expression"):
        names = ("condition", "consequence", "alternative")
        asked, full, none = (choice.child_by_field_name(name) for name in names)
        if asked is not None and asked.type == "parenthesized_expression":
            asked = next(iter(asked.named_children), None)
        if asked is None or not is_zero(none) or operator_of(asked) not in ("<", "<="):
            continue
        end, size = sides_of(asked)
        before = [says(one) for one in terms_of(end)] if end is not None else []
        if says(full) in before and len(before) > 1:
            before.remove(says(full))
            left = f"int({says(size)} - ({' + '.join(before)}))"
            yield replaced(_FULL, choice, f"max(0, min(int({says(full)}), {left}))")


def _fractions(code: Code) -> Iterator[Edit]:
    """All quotients of two whole numbers that lose a remainder, as those of reals."""
    quotients = [
        one
        for one in all_of(code.root, "binary_expression")
        if operator_of(one) == "/" and _leaves_remainder(one) and not _must_be_whole(one)
    ]
    numbers = [left for one in quotients if (left := sides_of(one)[0]) is not None]
    if numbers:
        # There is one of these, and it is nearly always right.
        yield joined([replaced(_FRACTION, one, f"{says(one)}.0f", -0.3) for one in numbers])


def _leaves_remainder(quotient: Node) -> bool:
    digits = [_DIGITS.fullmatch(says(side)) for side in sides_of(quotient)]
    numbers = [int(one[0]) for one in digits if one]
    return len(numbers) == 2 and numbers[1] != 0 and numbers[0] % numbers[1] != 0


def _must_be_whole(quotient: Node) -> bool:
    """Whether only a whole number can be meant: a size, an index, the value of an integer."""
    for one in parents(quotient):
        if one.type in _OF_INTEGERS or operator_of(one) in _BETWEEN_INTEGERS:
            return True
        if one.type == "declaration":
            return _INTEGERS.search(says(one.child_by_field_name("type"))) is not None
        if one.type.endswith("_statement"):
            return one.type == "case_statement"  # in what is executed, another one is nearer
    return False


def _expressions(function: Node) -> Iterator[Edit]:
    for one in all_of(function, "binary_expression"):
        operator = one.child_by_field_name("operator")
        left, right = sides_of(one)
        if operator is None or left is None or right is None:
            continue
        for other in _OPERATORS.get(says(operator), ()):
            yield replaced(_OPERATOR, operator, other, word=says(one))
        if says(operator) == "/" and _may_leave_elements(left, right):
            a, b = says(left), says(right)
            yield replaced(_ROUNDED, one, f"((({a}) + ({b}) - 1) / ({b}))")
        if says(operator) == "/" and (whole := _ROUNDING.fullmatch(says(left))):
            yield replaced(_ROUNDED_UP, one, f"({whole[1]} / {says(right)})")
        if says(operator) in ("<", "<=", ">", ">="):
            yield from _off_by_one(right)
        if says(operator) in ("<<", ">>"):
            other = "<<" if says(operator) == ">>" else ">>"
            yield replaced(_OPERATOR, operator, other, word=says(one))
    for index in all_of(function, "subscript_argument_list"):
        for inner in index.named_children:
            # What belongs to another block is often that of the one before.
            yield from _off_by_one(inner, -0.3 if says(inner).startswith("blockIdx.") else 0.2)
    for use in all_of(function, "field_expression"):
        if says(use).startswith("blockIdx.") and not _is_multiplied(use):
            axis = says(use)[-1]
            yield replaced(_BLOCK, use, f"({says(use)} * blockDim.{axis})")
        elif says(use).startswith("blockIdx."):
            yield from _off_by_one(use)


def _returned(function: Node, known: list[variables.Variable]) -> Iterator[Edit]:
    """A size that a helper adds or takes off, in one place or in all."""
    sizes = variables.sizes_of_call(known)
    found = [
        size
        for result in all_of(function, "return_statement")
        for total in all_of(result, "binary_expression")
        if operator_of(total) in ("+", "-")
        and (size := sides_of(total)[1]) is not None
        and says(size) in sizes
    ]
    # There are few of these.
    for way in zip(*(_off_by_one(size, -0.4) for size in found), strict=False):
        yield from way
        if len(way) > 1:
            yield joined(way, extra=-0.05)


def _sizes(function: Node, known: list[variables.Variable]) -> Iterator[Edit]:
    """A variable that begins with a size of the call, with one more or one less."""
    sizes = variables.sizes_of_call(known)
    for _, value in begun(function):
        if says(value) in sizes:
            yield from _off_by_one(value, -0.3)


def _may_leave_elements(left: Node, right: Node) -> bool:
    """Not in `(n + m - 1) / m`, which is rounded up, nor in `1 / n` or `blockIdx.x / n`."""
    text = says(left)
    is_index = any(name in text for name in ("blockIdx", "threadIdx"))
    return left.type != "number_literal" and not is_index and f"{says(right)} - 1" not in text


def _off_by_one(node: Node, extra: float = 0.2) -> Iterator[Edit]:
    if node.type != "number_literal":
        yield replaced(_OFF_BY_ONE, node, f"({says(node)} - 1)", extra)
        yield replaced(_OFF_BY_ONE, node, f"({says(node)} + 1)", extra)


def _is_multiplied(node: Node) -> bool:
    around = node.parent
    return (
        around is not None
        and around.type == "binary_expression"
        and says(around.child_by_field_name("operator")) == "*"
    )


def _assignments(function: Node, known: list[variables.Variable]) -> Iterator[Edit]:
    for one in all_of(function, "assignment_expression"):
        left = one.child_by_field_name("left")
        if left is None or variables.is_vector(left, known):
            continue
        operator = one.child_by_field_name("operator")
        others = {"=": ("+=",), "+=": ("=", "-=", "*="), "*=": ("/=", "+="), "/=": ("*=", "-=")}
        others |= {"-=": ("+=",), ">>=": ("<<=",), "<<=": (">>=",)}
        # What adds 0 is left out.
        is_reset = says(operator) == "=" and is_zero(one.child_by_field_name("right"))
        for other in others.get(says(operator), ()):
            if operator is not None:
                kind = _RESET if is_reset else _ASSIGNED
                yield replaced(kind, operator, other, word=says(one))


def _parts(function: Node, known: list[variables.Variable]) -> Iterator[Edit]:
    whole = {one.name for one in known if one.holds == "integer"}
    for expression in _whole_values(function):
        names = [name for use in all_of(expression, "identifier") if (name := says(use)) in whole]
        for name in list(dict.fromkeys(names))[:_MOST_NAMES]:
            # A remainder is often there for a reason that does not hold.
            extra = -0.3 if "%" in says(expression) else 0
            if says(expression.parent).startswith("{"):
                extra = _OF_MEMBERS
            yield replaced(_SIMPLER, expression, name, extra)


def _whole_values(function: Node) -> Iterator[Node]:
    """What variables and members begin with, and the indices of arrays."""
    for declarator in all_of(function, "init_declarator"):
        value = declarator.child_by_field_name("value")
        if value is not None and value.type == "binary_expression":
            yield value
    for values in all_of(function, "subscript_argument_list", "initializer_list"):
        yield from (one for one in values.named_children if one.type == "binary_expression")
