"""Arguments of calls that change places, or should be another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise

from tree_sitter import Node

from tilelab.repairs import variables
from tilelab.repairs.code import (
    Code,
    all_of,
    beginnings,
    calls,
    first_name,
    says,
    spliced,
    terms_of,
)
from tilelab.repairs.edit import Edit, Kind, exchanged, replaced
from tilelab.repairs.families.names.kinds import ARRAY, VARIABLE
from tilelab.repairs.variables import Variable

_ARGUMENTS = Kind(
    "arguments exchanged",
    "In which order does the function that is called here want its arguments?",
    "Compare the order of the arguments with that of the parameters.",
    0.9,
)
_SUM = Kind(
    "part of a sum",
    "What has been handed over before, and does this contain it?",
    "What stands for all that came so far contains the part that was handed over alone.",
    0.5,
)
_IN_USE = Kind(
    "memory in use",
    "What does this call still read, and where does it write?",
    "What a function reads and what it writes must not overlap, unless it says so. Give each its "
    "own part of the memory.",
    0.5,
)
_MOST_ARGUMENTS = 8
_OF_ONE_TYPE = -0.2  # No compiler notices.
_CONVERTED = -0.7  # Each becomes the other's type without a word.
_GIVEN_TWICE = -0.7
_OF_MEMBERS = -0.5  # Nor does a name say which is which.
_BY_NAME = -0.9  # Here, names do.


def of(
    function: Node,
    types: Mapping[str, list[str]],
    names: Mapping[str, list[str]],
    known: list[Variable],
) -> Iterator[Edit]:
    """`types` is of types_in_order(), and `names` of names_in_order()."""
    yield from _arguments(function)
    yield from _by_name(function, names)
    yield from _of_one_type(function, types)
    yield from _of_other_types(function, types, known)
    yield from _behind(function, types, known)
    yield from _allocated_twice(function, known)
    yield from _given_twice(function, known)
    yield from _sums(function, known)


def _arguments(function: Node) -> Iterator[Edit]:
    """Two neighboring arguments of a call."""
    for arguments in all_of(function, "argument_list"):
        named = arguments.named_children
        for number, (one, other) in enumerate(pairwise(named)):
            if says(one) != says(other):
                # Where a copy goes to comes first, which surprises many.
                is_copy = number == 0 and says(arguments.parent).startswith("cudaMemcpy")
                yield exchanged(_ARGUMENTS, one, other, -0.4 if is_copy else 0)


def _by_name(function: Node, names: Mapping[str, list[str]]) -> Iterator[Edit]:
    """Two arguments that each have the name of the other one's parameter."""
    for values in all_of(function, "argument_list"):
        named = values.named_children[:_MOST_ARGUMENTS]
        wanted = names.get(name_of(values), [])
        for i, j in combinations(range(min(len(named), len(wanted))), 2):
            given = says(named[i]), says(named[j])
            if given == (wanted[j], wanted[i]) and wanted[i] != wanted[j]:
                yield from _turned(values, i, j, _BY_NAME)


def names_in_order(code: Code) -> dict[str, list[str]]:
    """The names of the parameters of each function of the file."""
    return {
        name: [first_name(one.child_by_field_name("declarator") or one) for one in parameters]
        for name, parameters in _parameters(code)
    }


def _parameters(code: Code) -> Iterator[tuple[str, list[Node]]]:
    """The functions of the file, each with the declarations of its parameters."""
    for function in code.functions:
        declarator = next(all_of(function, "function_declarator"), None)
        if declarator is not None:
            parameters = list(all_of(declarator, "parameter_declaration"))
            yield says(declarator.child_by_field_name("declarator")), parameters


def types_in_order(code: Code) -> dict[str, list[str]]:
    """The types of what each function of the file is called with, and each struct is made of."""
    found: dict[str, list[str]] = {}
    for name, parameters in _parameters(code):
        found[name] = [kind for one in parameters for kind in _types_of(one)]
    for struct in all_of(code.root, "struct_specifier"):
        fields = all_of(struct, "field_declaration")
        name = says(struct.child_by_field_name("name"))
        found[name] = [kind for one in fields for kind in _types_of(one)]
    return found


def _types_of(declaration: Node) -> Iterator[str]:
    """The types of what is declared, such as `float*`."""
    of_type = says(declaration.child_by_field_name("type"))
    for declarator in declaration.children_by_field_name("declarator"):
        name = next(all_of(declarator, "identifier", "field_identifier"), None)
        yield of_type + (spliced(declarator, name, "") if name is not None else "")


def _of_one_type(function: Node, types: Mapping[str, list[str]]) -> Iterator[Edit]:
    """Two arguments of an own function that are not neighbors, or two members of a struct."""
    for values in all_of(function, "argument_list", "initializer_list"):
        wanted = types.get(name_of(values), [])
        named = values.named_children
        if len(named) != len(wanted) or len(named) > _MOST_ARGUMENTS:
            continue
        is_call = values.type == "argument_list"
        for i, j in combinations(range(len(named)), 2):
            if wanted[i] == wanted[j] and says(named[i]) != says(named[j]):
                if not is_call:
                    yield exchanged(_ARGUMENTS, named[i], named[j], _OF_MEMBERS)
                elif j > i + 1:
                    yield exchanged(_ARGUMENTS, named[i], named[j], _OF_ONE_TYPE)


def _of_other_types(
    function: Node, types: Mapping[str, list[str]], known: list[Variable]
) -> Iterator[Edit]:
    """Two numbers that each have the type of the other one's parameter."""
    held = {one.name: one.type for one in known if one.holds in ("integer", "real")}
    for values in all_of(function, "argument_list"):
        wanted = types.get(name_of(values), [])
        named = values.named_children
        given = [held.get(says(one)) for one in named]
        if len(named) != len(wanted):
            continue
        for i, j in combinations(range(min(len(named), _MOST_ARGUMENTS)), 2):
            if (given[i], given[j]) == (wanted[j], wanted[i]) and wanted[i] != wanted[j]:
                yield from _turned(values, i, j, _CONVERTED)


def _turned(values: Node, i: int, j: int, extra: float) -> Iterator[Edit]:
    """Two arguments of a call change places, so that each has the type of its parameter."""
    named, call = values.named_children, values.parent
    turned = [*map(says, named)]
    turned[i], turned[j] = turned[j], turned[i]
    # As a whole, so that each is converted to what the function takes, and no further.
    if call is not None:
        text = spliced(call, values, f"({', '.join(turned)})")
        yield replaced(_ARGUMENTS, call, text, extra, says(named[i]))


def _behind(
    function: Node, types: Mapping[str, list[str]], known: list[Variable]
) -> Iterator[Edit]:
    """`f(in, work, work, n)` of the file becomes `f(in, work, work + n, n)`.

    So it does where a variable that begins as `work` is handed over before.
    """
    pointers = {one.name for one in known if one.holds == "pointer"}
    begins = {name.lstrip("* "): value for name, value in beginnings(function).items()}
    for values in all_of(function, "argument_list"):
        named = values.named_children if name_of(values) in types else []
        # A pointer that begins as another one leads to the same memory.
        places = [begins.get(says(one), says(one)) for one in named]
        repeated = [
            one
            for number, one in enumerate(named)
            if says(terms_of(one)[0]) in pointers and places[number] in places[:number]
        ]
        counts = [one.name for one in variables.visible(known, values.start_byte)]
        whole = {one.name for one in known if one.holds == "integer"}
        for pointer in repeated:
            yield from (
                replaced(_IN_USE, pointer, f"{says(pointer)} + {count}", word=says(values))
                for count in counts
                if count in whole
            )


def _given_twice(function: Node, known: list[Variable]) -> Iterator[Edit]:
    """One of two arguments that are the same number, as a variable that the call does not have."""
    whole = {one.name for one in known if one.holds == "integer"}
    for values in all_of(function, "argument_list"):
        given = [says(one) for one in values.named_children]
        for argument in values.named_children:
            name = says(argument)
            if name not in whole or given.count(name) < 2:
                continue
            for other in variables.visible(known, values.start_byte):
                if other.name in whole and other.name not in given and other.is_parameter:
                    yield replaced(VARIABLE, argument, other.name, _GIVEN_TWICE, says(values))


def _sums(function: Node, known: list[Variable]) -> Iterator[Edit]:
    """`post(slot, before)` becomes `post(slot, before + own)` if `post(slot, own)` is elsewhere."""
    numbers = {one.name for one in known if one.holds in ("integer", "real")}
    by_place: dict[tuple[str, int], dict[str, Node]] = defaultdict(dict)
    for call in all_of(function, "call_expression"):
        values = call.child_by_field_name("arguments")
        for place, value in enumerate(values.named_children if values is not None else ()):
            if says(value) in numbers:
                by_place[says(call.child_by_field_name("function")), place][says(value)] = value
    for values_of in by_place.values():
        for one, value in values_of.items():
            for other in values_of:
                if other != one and len(values_of) <= _MOST_ARGUMENTS:
                    yield replaced(_SUM, value, f"{one} + {other}", word=says(value.parent))


def _allocated_twice(function: Node, known: list[Variable]) -> Iterator[Edit]:
    """A pointer that nothing allocates, in place of one that is allocated twice."""
    places: dict[str, list[Node]] = defaultdict(list)
    for call in calls(function, "cudaMalloc"):
        use = next(all_of(call.child_by_field_name("arguments") or call, "identifier"), None)
        if use is not None:
            places[says(use)].append(use)
    empty = [
        one.name
        for one in known
        if one.holds == "pointer" and not one.is_parameter and one.name not in places
    ]
    for found in places.values():
        for use in found if len(found) > 1 else ():
            yield from (replaced(ARRAY, use, other, -0.5) for other in empty)


def name_of(values: Node) -> str:
    """The function that is called, or the struct that is begun, with these values."""
    around = values.parent
    if around is None or values.type == "argument_list":
        called = says(around.child_by_field_name("function") if around is not None else None)
        return called.partition("<")[0]
    declaration = around.parent if around.type == "init_declarator" else None
    return says(declaration.child_by_field_name("type") if declaration is not None else None)
