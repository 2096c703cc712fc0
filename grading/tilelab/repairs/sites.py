"""Sites: places in a text where an edit can be chosen while the program runs.

A condition at each place costs the compiler far less than a copy of the text for each edit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tree_sitter import Node

from tilelab.repairs.code import Code, all_of, parse, says
from tilelab.repairs.edit import Change, Edit

# What stands here is read, and nothing takes its address or needs it as a constant.
_READ = {
    "argument_list", "subscript_argument_list", "parenthesized_expression", "condition_clause",
    "binary_expression", "conditional_expression", "kernel_call_syntax", "return_statement",
}  # fmt: skip
_EXPRESSIONS = {
    "binary_expression", "call_expression", "cast_expression", "conditional_expression",
    "field_expression", "identifier", "number_literal", "parenthesized_expression",
    "subscript_expression", "unary_expression",
}  # fmt: skip
_STATEMENTS = {
    "expression_statement", "if_statement", "for_statement", "while_statement", "do_statement",
    "return_statement", "compound_statement", "break_statement", "continue_statement",
}  # fmt: skip
_LOOPS_AND_BRANCHES = ("if_statement", "for_statement", "while_statement", "else_clause")
_TERMS = (
    "binary_expression", "conditional_expression", "parenthesized_expression", "unary_expression",
)  # fmt: skip
_WHOLE = re.compile(r"-?\d+")
_REAL = re.compile(r"\d\.|(?<!sizeof)\(\s*(?:float|double)\s*\)|\b(?:float|double)\s*\(")


@dataclass(frozen=True)
class Site:
    """The bytes from `begin` to `end`, in whose place `text` stands if the edit is chosen.

    The body of the function around it begins at `function`.
    """

    begin: int
    end: int
    text: str
    is_expression: bool
    is_cast: bool = True  # to the type of what stood there
    function: int = 0

    def choosing(self, old: str, number: int) -> tuple[str, str, str]:
        """What stands before the edit, between it and what was there, and behind that.

        The edit has lines of its own, which errors then name.
        """
        chosen = f"tl_version == {number}u"
        if self.is_expression and not self.is_cast:
            return f"\n({chosen} ? (\n", "\n) : (\n", "))"
        if self.is_expression:
            before = f"\n({chosen} ? static_cast<decltype(tl_value({old}\n))>(\n"
            return before, "\n) : (\n", "))"
        # What is inserted may come after a comment.
        return f"\n{{ if ({chosen}) {{\n", "\n} else {\n" if old else "\n", "} }"

    def overlaps(self, other: Site) -> bool:
        return self.begin <= other.end and other.begin <= self.end


def of(edit: Edit, code: Code) -> tuple[Site, ...] | None:
    """The sites of an edit, or None if it cannot be chosen at run time."""
    sites: list[Site] = []
    for change in sorted(edit.changes, key=lambda one: one.begin):
        site = _site(change, code)
        begin = _begin_of_function(code, site) if site else None
        if site is None or begin is None or any(site.overlaps(other) for other in sites):
            return None
        sites.append(replace(site, function=begin))
    return tuple(sites)


def _begin_of_function(code: Code, site: Site) -> int | None:
    for one in code.functions:
        body = one.child_by_field_name("body")
        if body is not None and body.start_byte < site.begin and site.end < body.end_byte:
            return int(body.start_byte)
    return None


def _site(change: Change, code: Code) -> Site | None:
    if change.begin == change.end and (inserted := _inserted(change, code)):
        return inserted
    node = _around(change, code)
    is_cast = not _has_another_type(change, code)
    while node is not None and not (
        node.start_byte <= change.begin
        and change.end <= node.end_byte
        and _can_be_chosen(node)
        and (is_cast or not _is_a_term(node))
    ):
        if node.type in ("function_definition", "lambda_expression", "declaration_list"):
            return None
        node = node.parent
    if node is None or not node.text:
        return None
    text = (
        node.text[: change.begin - node.start_byte]
        + change.text.encode()
        + node.text[change.end - node.start_byte :]
    ).decode()
    is_expression = node.type in _EXPRESSIONS
    if not is_expression and _declares(text):
        return None
    return Site(node.start_byte, node.end_byte, text, is_expression, is_cast)


def _has_another_type(change: Change, code: Code) -> bool:
    """Whether a change makes a real number, or a variable, of a whole number."""
    old = code.text[change.begin : change.end].decode(errors="replace")
    if _WHOLE.fullmatch(old) and not _WHOLE.fullmatch(change.text):
        return True
    return _REAL.search(change.text) is not None and _REAL.search(old) is None


def _is_a_term(node: Node) -> bool:
    """Whether what is around a node computes with it, so that its type matters there."""
    return node.parent is not None and node.parent.type in _TERMS and node.type in _EXPRESSIONS


def _around(change: Change, code: Code) -> Node | None:
    """The least node that a change is in. An `else` is in the branch that it follows."""
    if not change.text.lstrip().startswith("else"):
        return code.root.descendant_for_byte_range(change.begin, max(change.end - 1, change.begin))
    node = code.root.descendant_for_byte_range(change.begin - 1, change.begin)
    while node is not None and node.type != "if_statement":
        node = node.parent
    return node


def _inserted(change: Change, code: Code) -> Site | None:
    """A statement between two others."""
    text = change.text.strip()
    if not text.endswith((";", "}")) or text.startswith("else") or _declares(text):
        return None
    block = code.root.descendant_for_byte_range(max(change.begin - 1, 0), change.begin)
    while block is not None and not (
        block.type == "compound_statement" and change.begin < block.end_byte
    ):
        block = block.parent
    if block is None or not _is_between(block, change.begin):
        return None
    return Site(change.begin, change.end, text, is_expression=False)


def _is_between(block: Node, at: int) -> bool:
    return block.start_byte < at < block.end_byte and not any(
        one.start_byte < at < one.end_byte for one in block.children
    )


def _can_be_chosen(node: Node) -> bool:
    around = node.parent
    if around is None:
        return False
    if node.type in _STATEMENTS:
        return around.type == "compound_statement" or around.type in _LOOPS_AND_BRANCHES
    if node.type not in _EXPRESSIONS or _is_in_a_type(node):
        return False
    return _is_read(node, around)


def _is_in_a_type(node: Node) -> bool:
    """Whether this is an argument of a template or the size of an array, or in one: constants."""
    around = node.parent
    while around is not None and around.type in _EXPRESSIONS:
        around = around.parent
    return around is not None and around.type in ("template_argument_list", "array_declarator")


def _is_read(node: Node, around: Node) -> bool:
    if around.type == "expression_statement" or says(node) == "dim3":
        return False
    if around.type == "for_statement":
        return around.child_by_field_name("condition") == node
    if around.type == "assignment_expression":
        return around.child_by_field_name("right") == node
    if around.type == "init_declarator":
        return around.child_by_field_name("value") == node and not _is_constant(around)
    if around.type == "unary_expression":
        return says(around.child_by_field_name("operator")) in ("-", "!", "~", "+")
    if around.type == "cast_expression":
        return around.child_by_field_name("value") == node
    return around.type in _READ


def _is_constant(declarator: Node) -> bool:
    """Whether a value may be needed while the program is compiled."""
    text = says(declarator.parent)
    return "constexpr" in text or "__shared__" in text or "&" in text.split("=")[0]


def _declares(text: str) -> bool:
    """Whether a statement would declare something for those after it, or for the whole block."""
    if "__shared__" in text:
        return True
    root = parse(f"void f() {{ {text} }}").root
    block = next(all_of(root, "compound_statement"), None)
    return block is None or any(one.type == "declaration" for one in block.children)
