"""What kernels do: the accesses that a checked build counts, and what nvcc makes of the code.

The order of the members is that of `profile --json`.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET, Struct, UnsetType

from tilelab.model.estimate import EstimatedTime

Triple = tuple[int, int, int]


class Counts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Accesses of one kind. Those that are `merged` count neighbors as one, as nvcc may.

    They are None for a kind of access that is never merged.
    """

    instructions: int
    requests: int
    thread_accesses: int
    bytes_requested: int
    sectors: int
    wavefronts: int
    bank_conflicts: int
    merged_requests: int | None = None
    merged_wavefronts: int | None = None
    merged_bank_conflicts: int | None = None


class LineCounts(Struct, frozen=True):
    """What a line of the source accesses, by kind."""

    file: str
    line: int
    text: str
    counts: Mapping[str, Counts]


class Remark(Struct, frozen=True):
    """A remark on a line of the source, which is no mistake. Line 0 is no line."""

    file: str
    line: int
    text: str


class Room(Struct, frozen=True):
    """How many blocks and warps fit on a multiprocessor, and what does not let more of them."""

    blocks: int
    warps: int
    share: float
    limited_by: tuple[str, ...]


class Taken(Struct, frozen=True):
    """What a kernel takes. Registers, the stack and spills are per thread."""

    kernel: str
    registers: int
    static_shared_bytes: int
    stack_bytes: int
    spill_store_bytes: int
    spill_load_bytes: int
    occupancy: Room


class Launch(Struct, frozen=True, kw_only=True):
    """Launches of a kernel in one shape, as common/schema/launch.h describes them.

    `totals` has the accesses of the `observed_blocks`, by kind. `resources` are those of all
    instances of a template if the launch does not say which one it means; they are unset where
    nothing was compiled. `hardware` has a profiler's counts, None if no profiler counted.
    """

    kernel: str
    function: int
    grid: Triple
    block: Triple
    launches: int
    shared_bytes: int
    dynamic_shared_bytes: int
    blocks: int
    observed_blocks: int
    distinct_bytes_loaded: int
    distinct_bytes_stored: int
    totals: Mapping[str, Counts]
    lines: tuple[LineCounts, ...]
    remarks: tuple[Remark, ...]
    resources: tuple[Taken, ...] | UnsetType = UNSET
    hardware: Mapping[str, int] | UnsetType | None = UNSET


class Metric(Struct, frozen=True):
    """What a lab's tests count of a call."""

    unit: str
    value: float


class Call(Struct, frozen=True):
    """A call of a lab's function, which `call` shows as "diff(int[9], int[9], 9)".

    `arguments` are those of each of `launches`, as common/report/report.h explains them. They are
    no part of a profile.
    """

    call: str
    input_bytes: int
    output_bytes: int
    launches: tuple[Launch, ...]
    metrics: Mapping[str, Metric] = {}
    arguments: tuple[tuple[str, ...], ...] | UnsetType = UNSET


class Instruction(Struct, frozen=True):
    """An instruction, and the line of the source that it comes from, if that is known."""

    line: int | None
    source: str | None
    text: str


class Loop(Struct, frozen=True):
    """An innermost loop of the machine code."""

    function: str
    by_pipe: Mapping[str, int]
    instructions: tuple[Instruction, ...]


class Target(Struct, frozen=True):
    """A GPU that code is compiled for."""

    name: str
    compute_capability: str


class MachineCode(Struct, frozen=True):
    """What nvcc says. `compute_capability` is what it compiled for, `missing` why it did not."""

    gpu: Target
    compute_capability: str | None = None
    missing: str | None = None
    loops: tuple[Loop, ...] = ()


class Watching(Struct, frozen=True):
    """What counted. `ncu` is the version of the profiler that counted on a GPU, if one did."""

    compiler: str
    gpu: str | None
    ncu: str | None


class Profile(Struct, frozen=True):
    """What a submission's kernels do in the lab's tests of memory."""

    lab: str
    file: str
    machine: Watching
    calls: tuple[Call, ...]
    nvcc: MachineCode
    estimate: EstimatedTime | None
