"""A member of a struct in place of another one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from tree_sitter import Node

from tilelab.repairs.code import Code, all_of, says
from tilelab.repairs.edit import Edit, replaced
from tilelab.repairs.families.names.kinds import VARIABLE
from tilelab.repairs.variables import Variable


def structs(code: Code) -> dict[str, dict[str, str]]:
    """The members of the file's structs, each with its type."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for struct in all_of(code.root, "struct_specifier", "class_specifier"):
        for field in all_of(struct, "field_declaration"):
            for name in all_of(field, "field_identifier"):
                found[says(struct.child_by_field_name("name"))][says(name)] = says(
                    field.child_by_field_name("type")
                )
    return found


def of(
    function: Node, known: list[Variable], members: Mapping[str, Mapping[str, str]]
) -> Iterator[Edit]:
    """`shape.rows` becomes `shape.columns`, of the same type."""
    types = {one.name: one.type for one in known}
    for use in all_of(function, "field_expression"):
        field = use.child_by_field_name("field")
        own = members.get(types.get(says(use.child_by_field_name("argument")), ""), {})
        if field is None or says(field) not in own:
            continue
        for name, of_type in own.items():
            if name != says(field) and of_type == own[says(field)]:
                yield replaced(VARIABLE, field, name, -0.3, says(use))
