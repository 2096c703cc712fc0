"""What a program would have launched or did launch, as common/schema/recording.h describes it.

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


class Salt(Struct, frozen=True, tag="salt"):
    """What the arrays that follow hold depends on it."""

    value: int


class Array(Struct, frozen=True, tag="array"):
    """An array in global memory, and what it holds."""

    address: _Address
    bytes: _Size
    contents: Literal["zeros", "fractions", "units", "bits", "scratch"]


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


class RanLonger(Struct, frozen=True, tag="ran_longer"):
    """The numbers of a few blocks of a launch that ran for far longer than others, if all ran."""

    blocks: tuple[int, ...]


class Stored(Struct, frozen=True, tag="stored"):
    """What these blocks changed: words of an array, in hexadecimal digits."""

    address: _Address
    bytes: _Digits


class HostStored(Struct, frozen=True, tag="host_stored"):
    """What copies and fills of the runtime changed since the launch before."""

    address: _Address
    bytes: _Digits


class Moved(Struct, frozen=True, tag="moved"):
    """A copy or fill of the runtime, and how many bytes it reads and writes in all."""

    bytes: _Size


class Left(Struct, frozen=True, tag="left"):
    """A part of what an array holds at the end, if all blocks ran.

    The address is that of estimates.
    """

    address: _Address
    bytes: _Digits


class HostReads(Struct, frozen=True, tag="read"):
    """From here on, host code may know what kernels would have computed."""


class Image(Struct, frozen=True, tag="image"):
    """Memory as it was before the launch that follows, in chunks of a file by their numbers.

    0 is a chunk of zeros. If there are no chunks, nobody knows what it held. `kind` is "device",
    "managed", "host" if it is page-locked, "variables" for all of a program, or "variable" for one.
    """

    address: int
    bytes: int
    kind: str
    chunks: tuple[int, ...]


class Repeats(Struct, frozen=True, tag="repeats"):
    """How often a launch was made that was written down once, perhaps with other arguments.

    `launch` is its number among those that were written down.
    """

    launch: int
    launches: int
    differ: bool


class LeftOut(Struct, frozen=True, tag="left_out"):
    """How many launches were not written down."""

    launches: int


Recorded = (
    Begin
    | Variables
    | Array
    | HostStored
    | Moved
    | Image
    | Launch
    | Ran
    | RanLonger
    | Stored
    | HostReads
    | Repeats
    | LeftOut
    | Left
    | End
)
