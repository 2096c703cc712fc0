"""Reads from a cubin, which is an ELF file, where parameters and variables lie."""

from __future__ import annotations

import contextlib
import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass

_INFORMATION = ".nv.info."  # sections about one kernel each
_CONSTANTS = ".nv.constant3"  # what `__constant__` variables hold at first
_ADDRESSES = ".rela.nv.constant4"  # which variables' addresses are in a table of their own
_SYMBOLS = ".symtab"
_SIZED = 4  # the format of an entry that says its own size
_PARAMETER = 0x17  # the attribute of an entry about a parameter (EIATTR_KPARAM_INFO)
_MOST_THREADS = 0x05  # that of one about __launch_bounds__ (EIATTR_MAX_THREADS)
_SECTION = struct.Struct("<IIQQQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_OBJECT = 1  # the type of a variable's symbol


@contextlib.contextmanager
def _no_cubin() -> Iterator[None]:
    """Raises ValueError where reading fails, in whatever way."""
    try:
        yield
    except (struct.error, IndexError, OverflowError, ValueError) as error:
        raise ValueError(f"it is no cubin: {error}") from error


@dataclass(frozen=True)
class Parameter:
    """A parameter's place in constant memory and its size, in bytes."""

    offset: int
    size: int


def parameters(data: bytes) -> dict[str, list[Parameter]]:
    """The parameters of each kernel, in their order, by its name as the linker sees it.

    Raises ValueError if `data` is no cubin.
    """
    with _no_cubin():
        return {name: _in_order(entries) for name, entries in _informations(data)}


def most_threads(data: bytes) -> dict[str, int]:
    """How many threads a block of a kernel may have, where its `__launch_bounds__` say so.

    Raises ValueError if `data` is no cubin.
    """
    with _no_cubin():
        return {
            name: math.prod(struct.unpack_from("<III", value))
            for name, entries in _informations(data)
            for attribute, value in _entries(entries)
            if attribute == _MOST_THREADS
        }


def constants(data: bytes) -> bytes:
    """What the program's constants hold at first. Raises ValueError if `data` is no cubin."""
    with _no_cubin():
        found = [data[at : at + size] for name, at, size in _sections(data) if name == _CONSTANTS]
    return found[0] if found else b""


@dataclass(frozen=True)
class Variable:
    """A variable of the program, as the linker sees it, and its size in bytes.

    `at` is its place among the constants or, if it is none, in the table of addresses; None if no
    kernel of the file asks for its address.
    """

    name: str
    size: int
    is_constant: bool
    at: int | None


def variables(data: bytes) -> list[Variable]:
    """The `__device__` and `__constant__` variables. Raises ValueError if `data` is no cubin."""
    with _no_cubin():
        return list(_variables(data))


def _variables(data: bytes) -> Iterator[Variable]:
    sections = list(_sections(data))
    names = [name for name, _, _ in sections]
    places = {name: (begin, size) for name, begin, size in sections}
    symbols_at, symbols_size = places[_SYMBOLS]
    texts_at, _ = places[".strtab"]
    table_at, table_size = places.get(_ADDRESSES, (0, 0))
    entries = _RELOCATION.iter_unpack(data[table_at : table_at + table_size])
    asked = {information >> 32: offset for offset, information, _ in entries}
    symbols = _SYMBOL.iter_unpack(data[symbols_at : symbols_at + symbols_size])
    for number, (name_at, kind, _, section, value, size) in enumerate(symbols):
        if kind & 15 != _OBJECT or not 0 < section < len(names) or not size:
            continue
        begin = texts_at + name_at
        name = data[begin : data.index(b"\0", begin)].decode()
        is_constant = names[section] == _CONSTANTS
        yield Variable(name, size, is_constant, value if is_constant else asked.get(number))


def _sections(data: bytes) -> Iterator[tuple[str, int, int]]:
    """The name, place and size of each section."""
    if data[:4] != b"\x7fELF":
        raise ValueError("it does not begin like one")
    (table,) = struct.unpack_from("<Q", data, 0x28)
    step, count, names_at = struct.unpack_from("<HHH", data, 0x3A)
    headers = [_SECTION.unpack_from(data, table + i * step) for i in range(count)]
    names = headers[names_at][4]
    for name_at, _, _, _, begin, size in headers:
        end = data.index(b"\0", names + name_at)
        yield data[names + name_at : end].decode(), begin, size


def _informations(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The name of each kernel, and the entries about it."""
    for name, begin, size in _sections(data):
        if name.startswith(_INFORMATION):
            yield name.removeprefix(_INFORMATION), data[begin : begin + size]


def _entries(entries: bytes) -> Iterator[tuple[int, bytes]]:
    """The attribute and the value of each entry that says its own size."""
    at = 0
    while at < len(entries):
        form, attribute = entries[at], entries[at + 1]
        if form != _SIZED:
            at += 4
            continue
        (size,) = struct.unpack_from("<H", entries, at + 2)
        yield attribute, entries[at + 4 : at + 4 + size]
        at += 4 + size


def _in_order(entries: bytes) -> list[Parameter]:
    found: dict[int, Parameter] = {}
    for attribute, value in _entries(entries):
        if attribute == _PARAMETER:
            _, ordinal, offset, packed = struct.unpack_from("<IHHI", value)
            found[ordinal] = Parameter(offset, packed >> 18)
    return [found[ordinal] for ordinal in sorted(found)]
