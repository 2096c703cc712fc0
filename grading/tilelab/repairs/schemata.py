"""One text of many: the repairs of a submission as one program, which runs one of them at a time.

A hundred repairs then cost one compilation. Each copy of the text is in a namespace of its own. It
has one repair, or several between which it chooses at the place of each. The functions of the
contract call those of the right copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import accumulate

from tree_sitter import Node

from tilelab.model.lab import Lab
from tilelab.repairs import sites
from tilelab.repairs.code import Code, all_of, function_name, parse, says
from tilelab.repairs.edit import Edit
from tilelab.repairs.sites import Site

_LIST = re.compile(r"#define\s+TILELAB_LAB_FUNCTIONS\((\w+)\)((?:.*\\\n)*.*)")
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b.*$", re.MULTILINE)

# Each costs every thread that comes by a comparison.
_MOST_IN_A_COPY = 30

# The worker says which version runs: 0 is the text as it is, and repairs count from 1.
_HEAD = """
extern "C" __host__ __device__ unsigned tilelab_version();
namespace { template <class T> __host__ __device__ T tl_value(T); }
"""
_FIRST = " const unsigned tl_version = tilelab_version();"


@dataclass(frozen=True)
class _Piece:
    """A text, and the repairs that an error in it may be due to."""

    text: str
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Placed:
    """A site of the repair of this number. With 0, the version is asked for."""

    site: Site
    number: int = 0


@dataclass(frozen=True)
class Schemata:
    """The text, and the repairs that an error in each of its lines may be due to."""

    text: str
    numbers: Mapping[int, tuple[int, ...]]


@dataclass(frozen=True)
class _Copy:
    """A copy of the text with the repairs of these numbers."""

    numbers: tuple[int, ...]
    pieces: tuple[_Piece, ...]


def join(code: Code, edits: Mapping[int, Edit], alone: AbstractSet[int], lab: Lab) -> Schemata:
    """Joins the texts with these edits, by number. Those in `alone` get a copy for themselves."""
    chosen = {
        number: found
        for number, edit in edits.items()
        if number not in alone and (found := sites.of(edit, code)) is not None
    }
    together = list(chosen)
    copies = [
        _choosing(code, {number: chosen[number] for number in together[i : i + _MOST_IN_A_COPY]})
        for i in range(0, max(len(together), 1), _MOST_IN_A_COPY)
    ]
    for number, edit in edits.items():
        if number not in chosen:
            text = _INCLUDE.sub("", edit.applied(code.text).decode())
            copies.append(_Copy((number,), (_Piece(text, (number,)),)))
    pieces = [_Piece("\n".join(_INCLUDE.findall(code.text.decode())) + _HEAD)]
    for place, copy in enumerate(copies):
        start = _Piece(f"namespace {{ namespace tl_{place} {{\n")
        pieces += [start, *copy.pieces, _Piece("\n} }\n")]
    header = lab.header.read_text(encoding="utf-8")
    pieces += [_Piece(_caller(one, copies)) for one in _functions(header)]
    return Schemata("".join(one.text for one in pieces), dict(_lines(pieces)))


def _choosing(code: Code, found: Mapping[int, tuple[Site, ...]]) -> _Copy:
    """A copy that chooses between repairs at their sites."""
    everywhere = tuple(found)
    text = _INCLUDE.sub(lambda line: " " * len(line[0].encode()), code.text.decode()).encode()
    placed = [_Placed(one, number) for number, own in found.items() for one in own]
    begins = {one.function + 1 for own in found.values() for one in own}
    placed += [_Placed(Site(one, one, "", is_expression=False)) for one in begins]
    # What may change the type stands around the rest, so an error about it is in its own lines.
    placed.sort(key=lambda one: (one.site.begin, -one.site.end, one.site.is_cast, one.number))
    return _Copy(everywhere, tuple(_rendered(text, 0, len(text), placed, everywhere)))


def _rendered(
    text: bytes, at: int, end: int, placed: Sequence[_Placed], everywhere: tuple[int, ...]
) -> Iterator[_Piece]:
    """The bytes from `at` to `end` with their sites, of which one may lie in another."""
    rest = list(placed)
    while rest:
        first = rest.pop(0)
        site = first.site
        yield _Piece(text[at : site.begin].decode(), everywhere)
        if not first.number:
            yield _Piece(_FIRST)
            at = site.begin
            continue
        old = text[site.begin : site.end]
        own = (first.number,)
        before, between, behind = site.choosing(old.decode(), first.number)
        yield _Piece(before, own)
        yield _Piece(site.text, own)
        yield _Piece(between, own)
        inside = [one for one in rest if old and one.site.begin < site.end]
        rest = rest[len(inside) :]
        yield from _rendered(text, site.begin, site.end, inside, everywhere)
        yield _Piece(behind, everywhere)
        at = site.end
    yield _Piece(text[at:end].decode(), everywhere)


def _lines(pieces: Sequence[_Piece]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The numbers of each line. Of several pieces in a line, the last that has any counts."""
    starts = accumulate((one.text.count("\n") for one in pieces), initial=1)
    for start, piece in zip(starts, pieces, strict=False):
        for offset, line in enumerate(piece.text.split("\n")):
            if line and piece.numbers:
                yield start + offset, piece.numbers


def _functions(header: str) -> list[Node]:
    """The declarations of the functions that a submission defines."""
    listed = _LIST.search(header)
    names = re.findall(rf"\b{listed[1]}\((\w+)", listed[2]) if listed else []
    found = []
    for one in all_of(parse(header).root, "declaration"):
        if function_name(one) in names:
            found.append(one)
    return found


def _caller(declaration: Node, copies: Sequence[_Copy]) -> str:
    declarator = next(all_of(declaration, "function_declarator"))
    name = function_name(declaration)
    parameters = declarator.child_by_field_name("parameters")
    assert parameters is not None
    names = ", ".join(
        says(list(all_of(one, "identifier"))[-1])
        for one in parameters.named_children
        if one.type == "parameter_declaration"
    )
    # The first copy runs the text as it is, too.
    cases = "".join(
        "".join(f"case {number}: " for number in copy.numbers)
        + f"return tl_{place}::{name}({names});\n"
        for place, copy in enumerate(copies)
        if place > 0 and copy.numbers
    )
    signature = says(declaration).rstrip(";")
    first = f"default: return tl_0::{name}({names});"
    return f"{signature} {{ switch (tilelab_version()) {{\n{cases}{first} }} }}\n"
