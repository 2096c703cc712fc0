"""Profiles of kernels that nobody ran."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from tilelab.model.profile import Call, Counts, Launch, Metric

_NOTHING = Counts(
    instructions=0,
    requests=0,
    thread_accesses=0,
    bytes_requested=0,
    sectors=0,
    wavefronts=0,
    bank_conflicts=0,
)
_LAUNCH = Launch(
    kernel="kernel",
    function=0,
    grid=(1, 1, 1),
    block=(32, 1, 1),
    launches=1,
    shared_bytes=0,
    dynamic_shared_bytes=0,
    blocks=1,
    observed_blocks=1,
    distinct_bytes_loaded=0,
    distinct_bytes_stored=0,
    totals={},
    lines=(),
    remarks=(),
)


def counts(**some: int) -> Counts:
    return replace(_NOTHING, **some)


def launch(**some: Any) -> Launch:
    return replace(_LAUNCH, **some)


def call(text: str, *launches: Launch, metrics: dict[str, Metric] | None = None) -> Call:
    return Call(text, 0, 0, launches, metrics or {})
