"""A submission as a syntax tree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import tree_sitter_cuda
from tree_sitter import Language, Node, Parser

_CUDA = Language(tree_sitter_cuda.language())

_NAME = re.compile(r"\b[A-Za-z_]\w*\b")
_ZERO = re.compile(r"0+(\.0*)?[fuU]?")

_MOST_NODES = 20_000
_DEEPEST = 60

# What a kernel knows of its thread and its launch.
BUILT_IN = ("threadIdx", "blockIdx", "blockDim", "gridDim")

# Around what an if or a loop asks.
_PARENTHESES = ("condition_clause", "parenthesized_expression")


@dataclass(frozen=True)
class Code:
    """The text of a file and its tree. Offsets are in bytes."""

    text: bytes
    root: Node

    @cached_property
    def is_too_large(self) -> bool:
        """Whether edits of it would take long to find.

        The largest file of the labs has 6300 nodes, and the deepest 23 of them in each other.
        """
        if self.root.descendant_count > _MOST_NODES:
            return True
        waiting = [(self.root, 0)]
        while waiting:
            node, depth = waiting.pop()
            if depth > _DEEPEST:
                return True
            waiting += [(child, depth + 1) for child in node.children]
        return False

    @cached_property
    def functions(self) -> list[Node]:
        return list(all_of(self.root, "function_definition"))

    @cached_property
    def launched(self) -> list[Node]:
        """The numbers of blocks and of threads of all launches."""
        launches = all_of(self.root, "kernel_call_syntax")
        return [number for launch in launches for number in launch.named_children[:2]]

    @property
    def kernels(self) -> list[Node]:
        """The functions that run on the device."""
        return [one for one in self.functions if _runs_on_device(one)]

    @property
    def host_functions(self) -> list[Node]:
        return [one for one in self.functions if not _runs_on_device(one)]


def parse(text: str) -> Code:
    encoded = text.encode()
    return Code(encoded, Parser(_CUDA).parse(encoded).root_node)


def all_of(root: Node, *types: str) -> Iterator[Node]:
    """The nodes of these types below a node, in order."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type in types:
            yield node
        waiting += reversed(node.children)


def says(node: Node | None) -> str:
    return node.text.decode(errors="replace") if node is not None and node.text else ""


def line_of(node: Node) -> int:
    return int(node.start_point[0]) + 1


def parents(node: Node) -> Iterator[Node]:
    """The nodes around a node, from the inside out."""
    current = node.parent
    while current is not None:
        yield current
        current = current.parent


def statements(function: Node) -> Iterator[Node]:
    """The statements and declarations that stand in the blocks of a function."""
    for block in all_of(function, "compound_statement"):
        yield from (one for one in block.named_children if one.type != "comment")


def calls(root: Node, *names: str) -> Iterator[Node]:
    """The calls of these functions."""
    for call in all_of(root, "call_expression"):
        if says(call.child_by_field_name("function")) in names:
            yield call


def is_barrier(statement: Node) -> bool:
    """Whether all that a statement does is to wait for the block."""
    text = "".join(says(statement).split())
    return text == "__syncthreads();" or text.endswith(".sync();")


def condition_of(branch: Node) -> Node | None:
    """What an if or a loop asks, without the parentheses."""
    condition = branch.child_by_field_name("condition")
    if condition is not None and condition.type in _PARENTHESES:
        return next(iter(condition.named_children), None)
    return condition


def operator_of(node: Node | None) -> str:
    """The operator of an expression with two sides. Otherwise nothing."""
    if node is None or node.type != "binary_expression":
        return ""
    return says(node.child_by_field_name("operator"))


def first_name(node: Node) -> str:
    """The first name in a node. Nothing if there is none."""
    return says(next(all_of(node, "identifier"), None))


def function_name(function: Node) -> str:
    """The name that a function is declared or defined with. Nothing if there is none."""
    declarator = next(all_of(function, "function_declarator"), None)
    return says(declarator.child_by_field_name("declarator") if declarator is not None else None)


def is_zero(node: Node | None) -> bool:
    """Whether a node is a 0 of any type."""
    return _ZERO.fullmatch(says(node)) is not None


def sides_of(node: Node) -> tuple[Node | None, Node | None]:
    """What stands to the left and to the right of an operator."""
    return node.child_by_field_name("left"), node.child_by_field_name("right")


def spliced(whole: Node, part: Node, text: str) -> str:
    """What a node says with another text in place of a part of it."""
    before = said_between(whole, whole.start_byte, part.start_byte)
    return f"{before}{text}{said_between(whole, part.end_byte, whole.end_byte)}"


def said_between(whole: Node, begin: int, end: int) -> str:
    """What a node says between two offsets of the file."""
    said = says(whole).encode()
    return said[begin - whole.start_byte : end - whole.start_byte].decode()


def terms_of(total: Node) -> list[Node]:
    """What a sum adds, in order."""
    found = []
    while operator_of(total) == "+":
        left, right = sides_of(total)
        if left is None or right is None:
            break
        found.append(right)
        total = left
    return [total, *reversed(found)]


def parts_of(condition: Node, *operators: str) -> Iterator[Node]:
    """What a condition joins by some operators, in order: itself, if that is only one thing."""
    waiting = [condition]
    while waiting:
        one = waiting.pop()
        if one.type == "parenthesized_expression":
            waiting += one.named_children[:1]
        elif operator_of(one) in operators:
            waiting += [side for side in reversed(sides_of(one)) if side is not None]
        else:
            yield one


def renamed(text: str, names: Mapping[str, str]) -> str:
    """A text with other names in place of some."""
    return _NAME.sub(lambda found: names.get(found[0], found[0]), text)


def names_in(text: str) -> set[str]:
    return set(_NAME.findall(text))


def begun(function: Node) -> Iterator[tuple[str, Node]]:
    """The variables of a function that begin with something, each with that."""
    for one in all_of(function, "init_declarator"):
        value = one.child_by_field_name("value")
        if value is not None and value.type != "lambda_expression":
            yield says(one.child_by_field_name("declarator")), value


def beginnings(function: Node) -> dict[str, str]:
    """What the variables of a function begin with."""
    return {name: says(value) for name, value in begun(function)}


def constants_of(code: Code) -> set[str]:
    """The names of the file's own numbers: macros, enumerators and constexpr variables."""
    found = {says(one.child_by_field_name("name")) for one in all_of(code.root, "preproc_def")}
    found |= {says(one.child_by_field_name("name")) for one in all_of(code.root, "enumerator")}
    for one in all_of(code.root, "declaration"):
        if "constexpr" in says(one):
            found |= {name for name, _ in begun(one)}
    return found


def is_launched(function: Node) -> bool:
    """Whether the host launches a function, so that it is no helper of a kernel."""
    return any(one.type == "__global__" for one in function.children)


def _runs_on_device(function: Node) -> bool:
    return any(one.type in ("__global__", "__device__") for one in function.children)
