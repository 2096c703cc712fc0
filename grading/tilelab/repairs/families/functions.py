"""Functions of mathematics, shuffles, and the numbers that a search begins with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from tilelab.repairs.code import Code, all_of, begun, calls, condition_of, operator_of, says
from tilelab.repairs.edit import Edit, Kind, replaced

_LOST = Kind(
    "result thrown away",
    "What does this function give back, and who gets it?",
    "A function has a copy of what it was called with. What it returns has to be assigned to a "
    "variable.",
    0.2,
)
_FUNCTION = Kind(
    "function of mathematics",
    "How exact is this, and which function does the formula ask for?",
    "Compare this with the formula, and with CUDA's function for it: rsqrtf(x) is 1 / sqrtf(x).",
    0.9,
)
_START = Kind(
    "start of a search",
    "Can anything that comes later lie beyond this number?",
    "A search for the least value begins with one that nothing exceeds, such as FLT_MAX, and a "
    "search for the largest with one below all others.",
    0.5,
)
_NONE = Kind(
    "start of a search",
    "What is the answer if the search finds nothing?",
    "0 is the index of an element. A search that may find none begins with a number that is none.",
    0.5,
)
_RELATED = {
    "sqrtf": ("rsqrtf",),
    "sqrt": ("rsqrt",),
    "rsqrtf": ("sqrtf",),
    "rsqrt": ("sqrt",),
    "fminf": ("fmaxf",),
    "fmaxf": ("fminf",),
    "min": ("max",),
    "max": ("min",),
}
_SHUFFLE = Kind(
    "direction of a shuffle",
    "From which lane does each lane get its value here, and from which one does it need it?",
    "__shfl_up_sync() brings the values of lanes with lower numbers, and __shfl_down_sync() those "
    "of lanes with higher numbers.",
    0.4,
)
_MASK = Kind(
    "mask of a warp operation",
    "Which lanes come to this call, and which ones does its mask name?",
    "A warp operation waits for all lanes that its mask names. Let all of them come, or name only "
    "those that do.",
    0.3,
)
_LANES = re.compile(r"0x0*f{4,7}u?", re.IGNORECASE)
_ALL_LANES = re.compile(r"0xffffffffu?|~0u?|-1", re.IGNORECASE)
_OPPOSITE = {
    "__shfl_up_sync": ("__shfl_down_sync",),
    "__shfl_down_sync": ("__shfl_up_sync",),
}
_OF_ONE_NUMBER = ("rsqrtf", "sqrtf")
_LARGE = 1000
_FIELD = "field_declaration"
_LARGEST = "3.402823466e38f"
_POSITIVE = re.compile(r"\d+\.?\d*(e\+?\d+)?")
_REAL = re.compile(r"-?[\d.]+(e\+?\d+)?f?")


def of(code: Code) -> Iterator[Edit]:
    for function in code.functions:
        yield from _of_another_name(function, _FUNCTION, _RELATED)
        yield from _of_another_name(function, _SHUFFLE, _OPPOSITE)
        yield from _masks(function)
    yield from _all_lanes(code)
    yield from _far_away(code)
    yield from _thrown_away(code)
    for kernel in code.kernels:
        yield from _of_its_own(kernel)
        yield from _starts(kernel)


def _thrown_away(code: Code) -> Iterator[Edit]:
    """`clamp(value, low, high);` becomes `value = clamp(value, low, high);`."""
    own = {
        says(one.child_by_field_name("declarator"))
        for function in code.functions
        if says(function.child_by_field_name("type")) != "void"
        for one in all_of(function, "function_declarator")
    }
    for statement in all_of(code.root, "expression_statement"):
        call = statement.named_children[0] if statement.named_children else None
        arguments = call.child_by_field_name("arguments") if call is not None else None
        if call is None or arguments is None:
            continue
        if says(call.child_by_field_name("function")) in own | set(_RELATED):
            for one in arguments.named_children:
                if one.type in ("identifier", "subscript_expression", "field_expression"):
                    yield replaced(_LOST, call, f"{says(one)} = {says(call)}")


def _all_lanes(code: Code) -> Iterator[Edit]:
    """A mask of fewer than 32 lanes, wherever it stands."""
    for literal in all_of(code.root, "number_literal"):
        if _LANES.fullmatch(says(literal)):
            yield replaced(_MASK, literal, "0xffffffffu", 0.2)


def _far_away(code: Code) -> Iterator[Edit]:
    """A large number of the file becomes one that nothing exceeds."""
    members = (one.child_by_field_name("default_value") for one in all_of(code.root, _FIELD))
    for value in (*(value for _, value in begun(code.root)), *filter(None, members)):
        text = says(value).rstrip("fF")
        if _POSITIVE.fullmatch(text) and float(text) >= _LARGE:
            yield replaced(_START, value, _LARGEST, word=says(value.parent))


def _of_another_name(
    function: Node, kind: Kind, related: Mapping[str, Sequence[str]]
) -> Iterator[Edit]:
    for name, others in related.items():
        for call in calls(function, name):
            called = call.child_by_field_name("function")
            if called is not None:
                yield from (replaced(kind, called, other, word=says(call)) for other in others)


def _masks(function: Node) -> Iterator[Edit]:
    """In a branch of the first this many threads, a mask names these."""
    for branch in all_of(function, "if_statement"):
        asked = condition_of(branch)
        count = asked.child_by_field_name("right") if operator_of(asked) == "<" and asked else None
        for call in all_of(branch, "call_expression") if count is not None else ():
            if not says(call.child_by_field_name("function")).endswith("_sync"):
                continue
            arguments = call.child_by_field_name("arguments")
            mask = arguments.named_children[0] if arguments and arguments.named_children else None
            if mask is not None and _ALL_LANES.fullmatch(says(mask)):
                yield replaced(
                    _MASK, mask, f"(0xffffffffu >> (32 - ({says(count)})))", 0, says(call)
                )


def _of_its_own(function: Node) -> Iterator[Edit]:
    """What a function of one float returns becomes what a function of CUDA's would."""
    parameters = list(all_of(function, "parameter_declaration"))
    of_type = says(function.child_by_field_name("type"))
    if len(parameters) != 1 or of_type != "float":
        return
    name = says(parameters[0].child_by_field_name("declarator"))
    for result in all_of(function, "return_statement"):
        for value in result.named_children:
            for other in _OF_ONE_NUMBER:
                yield replaced(_FUNCTION, value, f"{other}({name})")


def _starts(kernel: Node) -> Iterator[Edit]:
    """What a search begins with: a float that is compared, and the index of no element."""
    compared = {
        says(one)
        for comparison in all_of(kernel, "binary_expression")
        if operator_of(comparison) in ("<", ">", "<=", ">=")
        for one in comparison.named_children
    }
    chosen = {
        says(one.child_by_field_name("left"))
        for branch in all_of(kernel, "if_statement")
        for one in all_of(branch, "assignment_expression")
    }
    for declarator in all_of(kernel, "init_declarator"):
        value = declarator.child_by_field_name("value")
        name = says(declarator.child_by_field_name("declarator"))
        if name in compared and value is not None and _REAL.fullmatch(says(value)):
            of_type = says(
                declarator.parent.child_by_field_name("type") if declarator.parent else None
            )
            if "float" in of_type:
                for other in (_LARGEST, f"-{_LARGEST}"):
                    yield replaced(_START, value, other, word=says(declarator))
        if name in chosen and says(value) == "0" and value is not None:
            yield replaced(_NONE, value, "-1", word=says(declarator))
