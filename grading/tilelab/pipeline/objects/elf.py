"""Reads what the object check needs from a 64-bit little-endian ELF object file."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")

_BINDINGS = {0: "local", 1: "global", 2: "weak", 10: "unique"}
_TYPES = {0: "none", 1: "object", 2: "func", 3: "section", 4: "file", 6: "tls", 10: "ifunc"}
_SYMTAB, _RELA = 2, 4
_OBJECTS, _PROGRAMS = (1,), (2, 3)  # relocatable; executable and shared
_WRITE, _EXECUTE = 1, 4

# The largest files of the labs have a few thousand.
_MOST_SECTIONS = 100_000
_MOST_SYMBOLS = 200_000
_MOST_RELOCATIONS = 1_000_000


class TooLarge(ValueError):
    """An object file has more of something than is read. The text says how many of what."""


@dataclass(frozen=True)
class Section:
    name: str
    size: int
    flags: int = 0

    @property
    def is_writable(self) -> bool:
        return bool(self.flags & _WRITE)

    @property
    def is_executable(self) -> bool:
        return bool(self.flags & _EXECUTE)


@dataclass(frozen=True)
class Symbol:
    """A symbol. `section` is an index into Object.sections, or 0 if the symbol is undefined."""

    name: str
    binding: str
    type: str
    section: int
    value: int

    @property
    def undefined(self) -> bool:
        return self.section == 0


@dataclass(frozen=True)
class Relocation:
    """A place in `section` (by name) that will hold the address of `symbol` + `addend`."""

    section: str
    symbol: Symbol
    addend: int


@dataclass(frozen=True)
class Object:
    sections: list[Section]
    symbols: list[Symbol]
    relocations: list[Relocation]


def read(path: Path) -> Object:
    """Reads an object file. Raises ValueError if it is not one of this kind."""
    try:
        return _parse(path.read_bytes())
    except (struct.error, IndexError, OverflowError) as error:
        raise ValueError(f"{path.name} is a damaged object file") from error


def functions(path: Path) -> dict[int, str]:
    """The functions of a program by the addresses that it was linked for.

    Raises ValueError if it is no such program.
    """
    return {one.value: one.name for one in _defined(path) if one.type == "func"}


def variables(path: Path) -> list[tuple[str, int]]:
    """The variables of a program, each with the address that it was linked for.

    Raises ValueError if it is no such program.
    """
    return [(one.name, one.value) for one in _defined(path) if one.type == "object"]


def _defined(path: Path) -> list[Symbol]:
    """The symbols of a program that are in it."""
    data = path.read_bytes()
    try:
        headers, _ = _headers(data, _PROGRAMS)
        symbols = _all_symbols(data, headers)
    except (struct.error, IndexError, OverflowError) as error:
        raise ValueError(f"{path.name} is a damaged program") from error
    return [one for one in symbols if not one.undefined]


def _parse(data: bytes) -> Object:
    headers, names = _headers(data, _OBJECTS)
    sections = [Section(_text(data, names + header[0]), header[5], header[2]) for header in headers]
    size = sum(header[5] for header in headers if header[1] == _RELA)
    _assert_at_most(_MOST_RELOCATIONS, size // _RELOCATION.size, "relocations")
    symbols = _all_symbols(data, headers)
    relocations = [
        Relocation(sections[header[7]].name, symbols[info >> 32], addend)
        for header in headers
        if header[1] == _RELA
        for _, info, addend in _RELOCATION.iter_unpack(_content(data, header))
    ]
    return Object(sections, symbols, relocations)


def _headers(data: bytes, kinds: tuple[int, ...]) -> tuple[list[tuple[int, ...]], int]:
    """The headers of the sections, and where their names are."""
    if data[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<H", data, 16)[0] not in kinds:
        raise ValueError("not a 64-bit little-endian ELF object file")
    (table,) = struct.unpack_from("<Q", data, 40)
    entry_size, count, names_index = struct.unpack_from("<HHH", data, 58)
    first = _SECTION.unpack_from(data, table)
    # Above 65279 sections the real numbers are in section 0.
    count = count or first[5]
    names_index = first[6] if names_index == 0xFFFF else names_index
    _assert_at_most(_MOST_SECTIONS, count, "sections")
    headers = [_SECTION.unpack_from(data, table + i * entry_size) for i in range(count)]
    return headers, headers[names_index][4]


def _all_symbols(data: bytes, headers: list[tuple[int, ...]]) -> list[Symbol]:
    symbols: list[Symbol] = []
    for header in headers:
        if header[1] == _SYMTAB:
            _assert_at_most(_MOST_SYMBOLS, header[5] // _SYMBOL.size, "symbols")
            symbols = _symbols(data, header, headers[header[6]][4])
    return symbols


def _assert_at_most(most: int, count: int, what: str) -> None:
    if count > most:
        raise TooLarge(f"{count:,} {what}; {most:,} are enough")


def _symbols(data: bytes, header: tuple[int, ...], strings: int) -> list[Symbol]:
    return [
        Symbol(
            name=_text(data, strings + name),
            binding=_BINDINGS.get(info >> 4, "other"),
            type=_TYPES.get(info & 15, "other"),
            section=section,
            value=value,
        )
        for name, info, _, section, value, _ in _SYMBOL.iter_unpack(_content(data, header))
    ]


def _content(data: bytes, header: tuple[int, ...]) -> bytes:
    return data[header[4] : header[4] + header[5]]


def _text(data: bytes, offset: int) -> str:
    return data[offset : data.index(b"\0", offset)].decode("utf-8", "backslashreplace")
