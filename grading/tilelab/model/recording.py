"""What a program would have launched, as common/schema/recording.h describes it.

A submission runs in the process that writes it, so it may say anything.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tilelab.model.profile import Triple
from tilelab.model.stream import Begin, End

# More than any machine has. Sums of them are still addresses.
_Address = Annotated[int, Meta(ge=0, lt=1 << 62)]
_Size = Annotated[int, Meta(ge=0, lt=1 << 40)]
_Digits = Annotated[str, Meta(pattern="^([0-9a-f]{2})*$")]


class Variables(Struct, frozen=True, tag="variables"):
    """The memory that has the program's `__device__` variables somewhere."""

    address: _Address
    bytes: _Size


class Array(Struct, frozen=True, tag="array"):
    """An array in global memory, and what it holds."""

    address: _Address
    bytes: _Size
    contents: Literal["zeros", "fractions", "bits", "scratch"]


class Launch(Struct, frozen=True, tag="launch"):
    """A launch, with the bytes of each argument in hexadecimal digits.

    `function` is the kernel's address in the program that recorded, 0 if unknown.
    """

    function: int
    kernel: str
    grid: Triple
    block: Triple
    dynamic_shared_bytes: int
    arguments: tuple[_Digits, ...]


class Ran(Struct, frozen=True, tag="ran"):
    """The numbers of the blocks of the launch before that ran, in this order."""

    blocks: tuple[int, ...]


class Stored(Struct, frozen=True, tag="stored"):
    """What these blocks changed: words of an array, in hexadecimal digits."""

    address: _Address
    bytes: _Digits


class HostStored(Struct, frozen=True, tag="host_stored"):
    """What copies and fills of the runtime changed since the launch before."""

    address: _Address
    bytes: _Digits


class HostReads(Struct, frozen=True, tag="read"):
    """From here on, host code may know what kernels would have computed."""


Recorded = Begin | Variables | Array | HostStored | Launch | Ran | Stored | HostReads | End
