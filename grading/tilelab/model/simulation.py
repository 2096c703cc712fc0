"""What the estimator reads and writes, and what is measured for it.

common/schema/estimate.h has the same records.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from tilelab.base.fields import Number
from tilelab.model.profile import Triple
from tilelab.model.recording import Array, HostStored, Image, Ran, Salt, Stored
from tilelab.model.stream import Begin


class Constant(Struct, frozen=True, tag="constant"):
    """A number that says what a GPU can do, None if it could not be measured."""

    name: str
    value: Number | None


class Constants(Struct, frozen=True, tag="constants"):
    """The program's constants as they lie in constant memory, in hexadecimal digits."""

    bytes: str


class Addresses(Struct, frozen=True, tag="addresses"):
    """The table of the addresses of a program's variables, in hexadecimal digits."""

    bytes: str


class Chunks(Struct, frozen=True, tag="chunks"):
    """The file with the chunks of images."""

    file: str


class Kernel(Struct, frozen=True, tag="kernel"):
    """What the compiler gave a kernel, which `name` is the symbol of."""

    name: str
    registers: int
    static_shared_bytes: int


class Launch(Struct, frozen=True, tag="launch"):
    """A launch, with the bytes that lie in constant memory in hexadecimal digits."""

    kernel: str
    grid: Triple
    block: Triple
    dynamic_shared_bytes: int
    parameters: str


# What the estimator reads.
Job = (
    Begin
    | Constant
    | Constants
    | Addresses
    | Salt
    | Array
    | Chunks
    | Image
    | Kernel
    | HostStored
    | Launch
    | Ran
    | Stored
)


class Waited(Struct, frozen=True):
    """An instruction by its place in the kernel, and its share in what warps wait for.

    `atomics` is its share in the turns that atomics take.
    """

    instruction: int
    waits: float
    atomics: float


class Simulated(Struct, frozen=True, tag="estimate"):
    """A launch that ran on the model of a GPU.

    `cycles` are those of a multiprocessor. `busy` is the share of them in which "issue", "l1",
    "l2" and "dram" work, or "atomics" take turns, and `stalls` are a warp's cycles per instruction
    by what it waits for, in Nsight Compute's words. `bytes_in_flight` are loads of global memory,
    per multiprocessor. `unknown_branches` is the share of branches that depend on what another
    launch computed, and `unlike` tells how different the work is that was not simulated, 0 to 1.
    `spread` says how far off the cycles may be, as a share of them, where blocks do unequal work.
    `waited` has the instructions that warps wait for, or at which atomics take turns.
    `blocks` are the numbers of those that were simulated.
    """

    kernel: str
    cycles: float
    instructions: float
    resident_blocks: float
    blocks_per_multiprocessor: float
    share_simulated: float
    busy: Mapping[str, float]
    stalls: Mapping[str, float]
    dram_bytes: float
    l2_bytes: float
    bytes_in_flight: float
    unknown_branches: float
    unlike: float
    spread: float
    waited: tuple[Waited, ...]
    blocks: tuple[int, ...]


class Compared(Struct, frozen=True, tag="compared"):
    """How many words the blocks of a launch changed here or elsewhere, and how many alike."""

    kernel: str
    words: int
    equal: int


class Unknown(Struct, frozen=True, tag="unknown"):
    """Why there is no estimate of what follows."""

    text: str


# What it writes.
Estimates = Begin | Simulated | Compared | Unknown


class Capability(Struct, frozen=True, tag="capability"):
    """The compute capability of the GPU that was measured."""

    major: int
    minor: int


class Limit(Struct, frozen=True, tag="limit"):
    """A constant that the driver knows."""

    name: str
    value: int


# What the microbenchmarks print.
Calibration = Begin | Capability | Limit | Constant
