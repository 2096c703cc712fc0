"""What a judge writes. common/schema/judgment.h has the same records."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tilelab.base.fields import Number
from tilelab.model.case import Place
from tilelab.model.measurement import Run, Timing
from tilelab.model.picture import DrawnCall
from tilelab.model.profile import Launch
from tilelab.model.stream import Begin, End


class Tests(Struct, frozen=True, tag="tests"):
    """How many tests follow."""

    count: int


class Said(Struct, frozen=True, tag="message"):
    """A note or a failure of a test that has not ended. Only a failure has what is after `text`."""

    test: str
    kind: Literal["note", "failure"]
    text: str
    context: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    pattern: str = ""
    summary: str = ""
    element: str = ""
    expected: str = ""
    got: str = ""
    store: Place | None = None
    race_free: bool = False
    variant: str = ""
    places: tuple[Place, ...] = ()


class TestEnded(Struct, frozen=True, tag="test"):
    name: str
    result: Literal["passed", "failed", "skipped"]


class Measured(Run, frozen=True, kw_only=True, tag="measurement"):
    """How a problem was measured. The times of each worker follow."""

    problem: str


class Timed(Timing, frozen=True, kw_only=True, tag="timing"):
    problem: str
    worker: str


class Called(Struct, frozen=True, tag="call"):
    """What the kernels of a checked call did, and for each of `launches` the arguments."""

    call: str
    input_bytes: int
    output_bytes: int
    launches: tuple[Launch, ...]
    arguments: tuple[tuple[str, ...], ...]


class MetricOf(Struct, frozen=True, tag="metric"):
    """What the lab's tests count of a call."""

    call: str
    metric: str
    unit: str
    value: Number


class Figure(Struct, frozen=True, tag="figure"):
    """What the reference solution moves, as figures.txt has it."""

    call: str
    metric: str
    value: str


class Output(Struct, frozen=True, tag="output"):
    """What the submission printed in a call."""

    call: str
    text: str


class ErrorsOf(Struct, frozen=True, tag="errors"):
    """How far off floats were. A NaN has no error, which is then None."""

    output: str
    elements: int
    rms: Number | None
    largest: Number | None


class Version(Struct, frozen=True, tag="version"):
    """A version of the submission that passes where the submission fails, or is less wrong there.

    `wrong` is the share of an output's elements, or 0 if the version passes.
    """

    number: int
    wrong: Number


class GaveUp(Struct, frozen=True, tag="infrastructure_error"):
    """Why the judge has no verdict."""

    text: str


Event = (
    Begin
    | Tests
    | Said
    | TestEnded
    | Measured
    | Timed
    | Called
    | MetricOf
    | Figure
    | DrawnCall
    | Output
    | ErrorsOf
    | Version
    | GaveUp
    | End
)
