"""Words for an estimated time."""

from __future__ import annotations

from collections.abc import Iterator

from tilelab.model.estimate import EstimatedTime

NOT_COMPARED = "Estimates were compared with an H100 and an H200 only, not with this GPU."


def lines(estimate: EstimatedTime | None) -> Iterator[str]:
    """How long a submission would take on a GPU, and what limits it there."""
    if estimate is None:
        return
    where = f"on an {estimate.gpu}, for {estimate.problem}"
    if estimate.is_refused:
        yield f"On an {estimate.gpu} this file would fail. {estimate.missing}."
        return
    own, least, most = estimate.milliseconds, estimate.least, estimate.most
    if estimate.missing or own is None or least is None or most is None:
        yield f"No time can be estimated {where}: {estimate.missing}."
        return
    yield (
        f"ESTIMATED {where}: {time(own)}, nine times in ten between {time(least)} and "
        f"{time(most)}{_beside(estimate, own)}."
    )
    yield from _limits(estimate, "limited")
    if estimate.beats_the_roof:
        yield (
            f"That is too fast to be true: moving the arrays and computing takes "
            f"{time(estimate.roof_milliseconds or 0)} at least."
        )
    if not estimate.compared:
        yield NOT_COMPARED


def limits(estimate: EstimatedTime | None) -> Iterator[str]:
    """What would limit a submission on a GPU, nothing if that is not known."""
    if estimate is not None and not estimate.missing:
        yield ""
        yield from _limits(estimate, f"on an {estimate.gpu}, it would be limited")


def _limits(estimate: EstimatedTime, begin: str) -> Iterator[str]:
    calls = estimate.limiters
    for number, limiter in enumerate(calls, 1):
        words = f"call {number}: {begin}" if len(calls) > 1 else begin
        yield f"{words[0].upper()}{words[1:]} by {limiter}."


def _beside(estimate: EstimatedTime, own: float) -> str:
    baseline, reference = estimate.baseline_milliseconds, estimate.reference_milliseconds
    if baseline is None:
        return ""
    gain = _digits(baseline / own, 2)
    said = f"; {gain} times as fast as the baseline"
    if reference is None:
        return said
    return f"{said}, and the reference solution is {_digits(baseline / reference, 2)} times as fast"


def time(milliseconds: float) -> str:
    """A time in the unit that suits it, with three digits."""
    if milliseconds < 1:
        return f"{_digits(1000 * milliseconds, 3)} µs"
    return f"{_digits(milliseconds, 3)} ms"


def _digits(value: float, count: int) -> str:
    """A number with so many digits that mean something. A large one ends with zeros."""
    rounded = f"{value:.{count}g}"
    return f"{float(rounded):,.0f}" if float(rounded) >= 10**count else rounded
