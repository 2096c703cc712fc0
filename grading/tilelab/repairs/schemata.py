"""One text of many: the repairs of a submission as one program, which a number in it chooses from.

A hundred repairs then cost one compilation. Each repaired text is in a namespace of its own, and
the functions of the contract call those of the chosen one.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from tree_sitter import Node

from tilelab.model.lab import Lab
from tilelab.repairs.code import all_of, parse, says

_MARK = (0x7AB1E001, 0x5EEDBEE5, 0x0DDBA11F)
_LIST = re.compile(r"#define\s+TILELAB_LAB_FUNCTIONS\((\w+)\)((?:.*\\\n)*.*)")
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b.*$", re.MULTILINE)


@dataclass(frozen=True)
class Schemata:
    """The text, and the first line of each of its parts: before the repairs, each, and after."""

    text: str
    _starts: tuple[int, ...]

    def number_at(self, line: int) -> int | None:
        """The repair that a line belongs to, None if it is none's."""
        found = bisect_right(self._starts, line) - 2
        return found if 0 <= found < len(self._starts) - 2 else None


def join(texts: Sequence[str], lab: Lab) -> Schemata:
    """Joins complete texts of one lab, which all have the includes of the first."""
    includes = "\n".join(_INCLUDE.findall(texts[0]))
    chosen = ", ".join(f"{word}u" for word in (*_MARK, 0))
    parts = [f"{includes}\nnamespace {{ volatile const unsigned tl_chosen[] = {{{chosen}}}; }}\n"]
    for number, text in enumerate(texts):
        body = _INCLUDE.sub("", text)
        parts.append(f"namespace {{ namespace tl_{number} {{\n{body}\n}} }}\n")
    header = lab.header.read_text(encoding="utf-8")
    parts.append("".join(_caller(one, len(texts)) for one in _functions(header)))
    lines = accumulate((part.count("\n") for part in parts[:-1]), initial=1)
    return Schemata("".join(parts), tuple(lines))


def choose(program: Path, number: int, copy: Path) -> None:
    """Writes a copy of a program made of schemata that runs the repair of this number.

    Raises ValueError if the program is none.
    """
    data = bytearray(program.read_bytes())
    mark = struct.pack("=3I", *_MARK)
    at = data.find(mark)
    if at < 0:
        raise ValueError(f"{program} has no repairs to choose from")
    data[at + len(mark) : at + len(mark) + 4] = struct.pack("=I", number)
    copy.write_bytes(data)
    copy.chmod(0o755)


def _functions(header: str) -> list[Node]:
    """The declarations of the functions that a submission defines."""
    listed = _LIST.search(header)
    names = re.findall(rf"\b{listed[1]}\((\w+)", listed[2]) if listed else []
    found = []
    for one in all_of(parse(header).root, "declaration"):
        declarator = next(all_of(one, "function_declarator"), None)
        if declarator and says(declarator.child_by_field_name("declarator")) in names:
            found.append(one)
    return found


def _caller(declaration: Node, count: int) -> str:
    declarator = next(all_of(declaration, "function_declarator"))
    name = says(declarator.child_by_field_name("declarator"))
    parameters = declarator.child_by_field_name("parameters")
    assert parameters is not None
    names = ", ".join(
        says(list(all_of(one, "identifier"))[-1])
        for one in parameters.named_children
        if one.type == "parameter_declaration"
    )
    cases = "".join(
        f"case {number}: return tl_{number}::{name}({names});\n" for number in range(count)
    )
    signature = says(declaration).rstrip(";")
    return f"{signature} {{ switch (tl_chosen[3]) {{\n{cases}default: __builtin_trap(); }} }}\n"
