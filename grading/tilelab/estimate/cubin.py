"""Reads from a cubin, which is an ELF file, where parameters lie and what constants hold."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_INFORMATION = ".nv.info."  # sections about one kernel each
_CONSTANTS = ".nv.constant3"  # what `__constant__` variables hold at first
_SIZED = 4  # the format of an entry that says its own size
_PARAMETER = 0x17  # the attribute of an entry about a parameter (EIATTR_KPARAM_INFO)
_SECTION = struct.Struct("<IIQQQQ")


@dataclass(frozen=True)
class Parameter:
    """A parameter's place in constant memory and its size, in bytes."""

    offset: int
    size: int


def parameters(data: bytes) -> dict[str, list[Parameter]]:
    """The parameters of each kernel, in their order, by its name as the linker sees it.

    Raises ValueError if `data` is no cubin.
    """
    try:
        return {
            name.removeprefix(_INFORMATION): _in_order(data[begin : begin + size])
            for name, begin, size in _sections(data)
            if name.startswith(_INFORMATION)
        }
    except (struct.error, IndexError, OverflowError, ValueError) as error:
        raise ValueError(f"it is no cubin: {error}") from error


def constants(data: bytes) -> bytes:
    """What the program's constants hold at first. Raises ValueError if `data` is no cubin."""
    try:
        found = [data[at : at + size] for name, at, size in _sections(data) if name == _CONSTANTS]
    except (struct.error, IndexError, OverflowError, ValueError) as error:
        raise ValueError(f"it is no cubin: {error}") from error
    return found[0] if found else b""


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


def _in_order(entries: bytes) -> list[Parameter]:
    found: dict[int, Parameter] = {}
    at = 0
    while at < len(entries):
        form, attribute = entries[at], entries[at + 1]
        if form != _SIZED:
            at += 4
            continue
        (size,) = struct.unpack_from("<H", entries, at + 2)
        if attribute == _PARAMETER:
            _, ordinal, offset, packed = struct.unpack_from("<IHHI", entries, at + 4)
            found[ordinal] = Parameter(offset, packed >> 18)
        at += 4 + size
    return [found[ordinal] for ordinal in sorted(found)]
