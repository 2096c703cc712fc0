"""A call with every access of it, as `show` draws it.

The order of the members is that of the judge's event, which the page gets.
"""

from __future__ import annotations

from msgspec import Struct

from tilelab.model.profile import Launch, Triple


class Axis(Struct, frozen=True):
    """How a large array is laid out: along `count` elements that lie `stride` apart."""

    name: str
    count: int
    stride: int


class InputArray(Struct, frozen=True):
    """An array of a call, with its elements as texts, component by component."""

    name: str
    type: str
    number: str  # the type of its numbers, "" if they differ
    components: int
    element_bytes: int
    values: tuple[str, ...]


class OutputArray(InputArray, frozen=True):
    """What a call wrote. `returned` says that it is no array, but what the function returned.

    `before` is what it held, if the call reads it as well. `wrong` and `unwritten` are indices.
    """

    before: tuple[str, ...]
    returned: bool
    expected: tuple[str, ...]
    wrong: tuple[int, ...]
    unwritten: tuple[int, ...]


class Access(Struct, frozen=True):
    """One of the two accesses that a finding may be about."""

    line: int
    kind: str
    block: Triple
    thread: Triple


class Finding(Struct, frozen=True):
    """A mistake, or a `note`: something to know."""

    kind: str
    text: str
    note: bool
    space: str
    name: str
    index: int
    bytes: int
    accesses: tuple[Access, ...]


class TracedArray(Struct, frozen=True):
    """Memory that steps name by its number."""

    space: str
    name: str
    begin: int
    bytes: int


class TracedPlace(Struct, frozen=True):
    """A line that steps name by its number."""

    file: str
    line: int


class Step(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a warp does at once: a barrier, or what its `lanes` do.

    `kind` is load, store or atomic; copy or bulk for asynchronous copies that they start; commit or
    wait for `batches` of these that they close or have waited for, without a place in memory.
    `values` are bytes in hexadecimal digits, which a load does not have. A copy reads at
    `from_offsets`, -1 for nothing, and writes at `offsets`; a lane of bulk is a chunk of one copy.
    """

    block: int
    place: int
    barrier: bool = False
    warp: int | None = None
    kind: str = ""
    bytes: int | None = None
    sectors: int | None = None
    wavefronts: int | None = None
    ideal: int | None = None
    lanes: tuple[int, ...] | None = None
    arrays: tuple[int, ...] | None = None
    offsets: tuple[int, ...] | None = None
    values: tuple[str, ...] | None = None
    batches: tuple[int, ...] | None = None
    from_arrays: tuple[int, ...] | None = None
    from_offsets: tuple[int, ...] | None = None


class Trace(Struct, frozen=True):
    """The steps of a launch, in their order.

    If there were too many to be `complete`, they are those of every `blocks_every`-th block and,
    there, of every `warps_every`-th warp; `ends_early` says that even of these the
    last are missing.
    """

    complete: bool
    blocks_every: int
    warps_every: int
    ends_early: bool
    arrays: tuple[TracedArray, ...]
    places: tuple[TracedPlace, ...]
    steps: tuple[Step, ...]


class DrawnLaunch(Launch, frozen=True, kw_only=True):
    """A launch with what was found in it and with each access."""

    findings: tuple[Finding, ...]
    trace: Trace


class DrawnCall(Struct, frozen=True, tag="picture"):
    """A call of the submission or of another `worker`. `failure` says how it ended too early."""

    worker: str
    call: str
    failure: str
    inputs: tuple[InputArray, ...]
    outputs: tuple[OutputArray, ...]
    axes: tuple[Axis, ...]
    findings: tuple[Finding, ...]
    launches: tuple[DrawnLaunch, ...]
