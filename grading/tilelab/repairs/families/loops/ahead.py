"""What belongs to the next round of a loop, and where a loop has found all that it looks for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from tree_sitter import Node

from tilelab.repairs.code import Code, all_of, line_of, names_in, parents, says, sides_of
from tilelab.repairs.edit import Change, Edit, Kind, replaced

_AHEAD = Kind(
    "this round or the next",
    "Which round does this belong to: the one that runs, or one that is prepared?",
    "What is fetched ahead goes where the next round will look for it, not where this round looks.",
    0.4,
)
_FOUND = Kind(
    "end of a search",
    "What does this loop still look for after this line?",
    "A loop that has found all it needs goes on to the end of its range unless it is left.",
    0.5,
)
_LOOPS = ("for_statement", "while_statement", "do_statement")
_LEAVES = ("break_statement", "continue_statement", "return_statement", "goto_statement")
_MOST_TEXT = 40  # characters of what a variable becomes


def of(code: Code) -> Iterator[Edit]:
    for kernel in code.kernels:
        yield from _ahead(kernel)
        for branch in all_of(kernel, "if_statement"):
            if any(one.type in _LOOPS for one in parents(branch)):
                for part in (branch.child_by_field_name("consequence"), _otherwise(branch)):
                    yield from _left(part)


def _ahead(kernel: Node) -> Iterator[Edit]:
    """`tile[slot]` becomes `tile[1 - slot]` if the rounds end with `slot = 1 - slot`."""
    becomes: dict[str, dict[str, None]] = defaultdict(dict)
    for change in all_of(kernel, "assignment_expression"):
        left, right = sides_of(change)
        operator, name = says(change.child_by_field_name("operator")), says(left)
        if operator == "=" and name in names_in(says(right)) and len(says(right)) <= _MOST_TEXT:
            becomes[name][f"({says(right)})"] = None
        elif operator in ("+=", "-=") and len(says(right)) <= _MOST_TEXT:
            becomes[name][f"({name} {operator[0]} ({says(right)}))"] = None
    for use in all_of(kernel, "identifier"):
        if says(use) in becomes and _is_place(use):
            for text in becomes[says(use)]:
                yield replaced(_AHEAD, use, text, word=says(use.parent))


def _is_place(use: Node) -> bool:
    """Whether a name is used for an element or an argument, and not where it changes."""
    for one in parents(use):
        if one.type in ("subscript_argument_list", "argument_list"):
            return True
        if "statement" in one.type or one.type in ("assignment_expression", "declaration"):
            return False
    return False


def _otherwise(branch: Node) -> Node | None:
    clause = branch.child_by_field_name("alternative")
    return clause.named_children[-1] if clause is not None and clause.named_children else None


def _left(part: Node | None) -> Iterator[Edit]:
    """The loop ends after what is done on a condition."""
    if part is None or part.type not in ("compound_statement", "expression_statement"):
        return
    inner = part.named_children if part.type == "compound_statement" else [part]
    last = next((one for one in reversed(inner) if one.type != "comment"), None)
    if last is None or last.type in _LEAVES:
        return
    begin, end = last.start_byte, last.end_byte
    if part.type == "compound_statement":
        changes: tuple[Change, ...] = (Change(end, end, " break;"),)
    else:
        changes = (Change(begin, begin, "{ "), Change(end, end, " break; }"))
    yield Edit(_FOUND, line_of(last), says(last), changes)
