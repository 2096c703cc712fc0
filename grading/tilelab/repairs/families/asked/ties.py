"""Searches for the best element: what is kept of it, and which of two that are equally good."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    Code,
    all_of,
    begun,
    condition_of,
    operator_of,
    parents,
    parts_of,
    says,
    sides_of,
)
from tilelab.repairs.edit import Edit, Kind, inserted, replaced
from tilelab.repairs.families.names.members import structs
from tilelab.repairs.variables import Variable

_TIE = Kind(
    "equally good",
    "Of two that are equally good, which one does this keep, and which one is asked for?",
    "The first one that a search meets need not be the one with the lowest index: another thread "
    "may have found that one. Where values are equal, indices decide.",
    0.4,
)
_KEPT = Kind(
    "best so far",
    "With what does the next element compare, after this one was the best?",
    "A search keeps how good its best element is, and not only which one it is.",
    0.4,
)
_PARTS = ("condition", "consequence", "alternative")
_INDICES = ("int", "unsigned", "unsigned int", "size_t", "long long")
_LEAVES = ("return;", "continue;")
_LOOPS = ("for_statement", "while_statement", "do_statement")


def of(code: Code) -> Iterator[Edit]:
    members = {
        says(one.child_by_field_name("declarator"))
        for one in all_of(code.root, "field_declaration")
    }
    of_structs = structs(code)
    for kernel in code.kernels:
        set_here = {says(sides_of(one)[0]) for one in all_of(kernel, "assignment_expression")}
        for branch in all_of(kernel, "if_statement"):
            yield from _lowest_index(branch)
            yield from _kept(branch, members | _from_before(kernel, branch), set_here)
        yield from _chosen(kernel)
        yield from _of_two_results(kernel, variables.of_function(code, kernel), of_structs)


def _from_before(kernel: Node, branch: Node) -> set[str]:
    """The variables that the rounds of the loop around a branch share."""
    loop = next((one for one in parents(branch) if one.type in _LOOPS), branch)
    return {name for name, value in begun(kernel) if value.end_byte <= loop.start_byte}


def _kept(branch: Node, before: set[str], set_here: set[str]) -> Iterator[Edit]:
    """In `if (d < best) found = i;`, `best` becomes `d`, too.

    So it does after `if (!(d < best)) return;`.
    """
    condition, body = condition_of(branch), branch.child_by_field_name("consequence")
    if condition is None or body is None:
        return
    is_left = says(body).strip("{} \n") in _LEAVES
    if is_left:
        denied = [one for one in parts_of(condition, "||") if _is_denied(one)]
        compared = [
            part for one in denied for inner in one.named_children for part in parts_of(inner)
        ]
    else:
        compared = list(parts_of(condition, "&&"))
    kept = {says(sides_of(one)[0]) for one in all_of(body, "assignment_expression")}
    for one in compared if kept or is_left else ():
        left, right = map(says, sides_of(one))
        for best, value in ((left, right), (right, left)):
            is_compared = operator_of(one) in ("<", ">", "<=", ">=")
            if not is_compared or best not in before or best in kept:
                continue
            if not is_left:
                text = f"{{ {best} = {value}; {says(body)} }}"
                yield replaced(_KEPT, body, text, word=says(one))
            elif best not in set_here:
                yield inserted(_KEPT, branch, f"{best} = {value};")


def _of_two_results(
    kernel: Node, known: list[Variable], members: Mapping[str, Mapping[str, str]]
) -> Iterator[Edit]:
    """`a.distance < b.distance` asks for the index of the two, too, if it is a member."""
    types = {one.name: one.type for one in known}
    for one in all_of(kernel, "binary_expression"):
        if operator_of(one) not in ("<", ">"):
            continue
        left, right = sides_of(one)
        if left is None or right is None or left.type != "field_expression":
            continue
        first, second = (says(side.child_by_field_name("argument")) for side in (left, right))
        compared = [says(side.child_by_field_name("field")) for side in (left, right)]
        if types.get(first) != types.get(second) or len(set(compared)) > 1:
            continue
        for name, of_type in members.get(types.get(first, ""), {}).items():
            if name not in compared and of_type in _INDICES:
                equal = f"({says(left)} == {says(right)} && {first}.{name} < {second}.{name})"
                yield replaced(_TIE, one, f"({says(one)} || {equal})")


def _chosen(kernel: Node) -> Iterator[Edit]:
    """`d < best` asks for the indices, too, where `d < best ? i : index` chooses one of them.

    So it does where a variable holds the answer.
    """
    answers = dict(begun(kernel))
    for choice in all_of(kernel, "conditional_expression"):
        asked, one, other = (choice.child_by_field_name(name) for name in _PARTS)
        asked = answers.get(says(asked), asked)
        if asked is not None and asked.type == "parenthesized_expression":
            asked = next(iter(asked.named_children), None)
        if asked is None or operator_of(asked) not in ("<", ">"):
            continue
        left, right = map(says, sides_of(asked))
        if not {says(one), says(other)} & {left, right}:
            equal = f"({left} == {right} && {says(one)} < {says(other)})"
            yield replaced(_TIE, asked, f"({says(asked)} || {equal})")


def _is_denied(part: Node) -> bool:
    return part.type == "unary_expression" and says(part).startswith("!")


def _lowest_index(branch: Node) -> Iterator[Edit]:
    """`d < best` becomes `d < best || (d == best && i < index)` where both are then kept."""
    condition, body = condition_of(branch), branch.child_by_field_name("consequence")
    if condition is None or body is None:
        return
    kept = {
        says(place): says(value)
        for one in all_of(body, "assignment_expression")
        for place, value in [sides_of(one)]
    }
    for one in parts_of(condition, "&&"):
        left, right = map(says, sides_of(one))
        is_kept = kept.get(right) == left or kept.get(left) == right
        if operator_of(one) not in ("<", ">") or not is_kept:
            continue
        for index, value in kept.items():
            if index not in (left, right):
                equal = f"({left} == {right} && {value} < {index})"
                yield replaced(_TIE, one, f"({says(one)} || {equal})")
