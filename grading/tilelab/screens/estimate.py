"""Words for an estimated time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]


def lines(estimate: Json | None) -> Iterator[str]:
    """How long a submission would take on a GPU, and what limits it there."""
    if estimate is None:
        return
    where = f"on an {estimate['gpu']}, for {estimate['problem']}"
    if estimate["missing"]:
        yield f"No time can be estimated {where}: {estimate['missing']}."
        return
    least, most = time(estimate["least"]), time(estimate["most"])
    yield (
        f"ESTIMATED {where}: {time(estimate['milliseconds'])}, nine times in ten between {least} "
        f"and {most}{_beside(estimate)}."
    )
    yield from _limits(estimate, "limited")
    if not estimate["compared"]:
        yield "Estimates were compared with an H100 and an H200 only, not with this GPU."


def limits(estimate: Json | None) -> Iterator[str]:
    """What would limit a submission on a GPU, nothing if that is not known."""
    if estimate is not None and not estimate["missing"]:
        yield ""
        yield from _limits(estimate, f"on an {estimate['gpu']}, it would be limited")


def _limits(estimate: Json, begin: str) -> Iterator[str]:
    calls = estimate["limiters"]
    for number, limiter in enumerate(calls, 1):
        words = f"call {number}: {begin}" if len(calls) > 1 else begin
        yield f"{words[0].upper()}{words[1:]} by {limiter}."


def _beside(estimate: Json) -> str:
    baseline, reference = estimate["baseline_milliseconds"], estimate["reference_milliseconds"]
    if baseline is None:
        return ""
    said = f"; {baseline / estimate['milliseconds']:.2g} times as fast as the baseline"
    if reference is None:
        return said
    return f"{said}, and the reference solution is {baseline / reference:.2g} times as fast"


def time(milliseconds: float) -> str:
    """A time in the unit that suits it, with three digits."""
    if milliseconds < 1:
        return f"{1000 * milliseconds:.3g} µs"
    return f"{milliseconds:.3g} ms"
