"""Turns tests and times into points. Pure functions: no files, no processes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from tilelab.base.errors import InfraError
from tilelab.base.text import points, shorten
from tilelab.model.case import Case, Message
from tilelab.model.estimate import EstimatedTime
from tilelab.model.lab import Criterion, Lab, SpeedCurve
from tilelab.model.measurement import Measurement, Timing
from tilelab.model.result import ESTIMATED, CriterionResult, Status
from tilelab.score import hints
from tilelab.score import scale as scale_of
from tilelab.score.scale import Scale

_MAX_MESSAGES = 5
_MAX_LENGTH = 600

INCONCLUSIVE = "INCONCLUSIVE"

# The pattern of a kernel that could be faster.
SLOW = "slow"

# If the interval spans a larger share of the points of speed, there is no verdict.
_MOST_UNCERTAINTY = 0.04

# A kernel may come out slightly above the peak, because memory refreshes hit the two differently.
_MOST_OF_PEAK = 1.05

# A launch alone, or in a short batch, takes longer than one in a long batch: the cache is empty,
# the clock is low, a request takes its time. It should not be much more than for the lab's kernels.
_MOST_DISAGREEMENT = 2.0
_OVERHEAD_MS = 0.1

_BEYOND = (
    "Moving the arrays, or computing the least that the results need, takes longer than that, so "
    "the launches that were estimated do not do all the work."
)

_RELEASE = (
    "This counts 0 points until a person has read the file and releases it "
    "(./tilelab grade --release STUDENT/LAB)."
)


def from_cases(criterion: Criterion, cases: Sequence[Case], lab: Lab) -> CriterionResult:
    """Points in proportion to the test cases that passed. One without a verdict leaves none.

    What a failed test says comes first: many show no more than that.
    """
    if why := next((case.untested for case in cases if case.untested), ""):
        return not_run(criterion, why)
    passed = sum(case.passed for case in cases)
    earned = criterion.points * passed / len(cases)
    failed_first = sorted(cases, key=lambda case: case.passed)
    messages = _first([_messages(case, lab) for case in failed_first])
    return _result(criterion, earned, messages, cases)


def patterns_of(cases: Sequence[Case]) -> tuple[str, ...]:
    """The patterns of the failures, each once, in order."""
    failures = (failure for case in cases if not case.passed for failure in case.messages)
    return tuple(dict.fromkeys(failure.pattern for failure in failures if failure.pattern))


def from_speed(
    criterion: Criterion,
    curve: SpeedCurve,
    speed: Measurement,
    notes: list[str],
    *,
    released: bool = False,
) -> CriterionResult:
    """Points for the measured speedup, with the judge's notes.

    If the interval of the speedup leaves the points open, there is no verdict. Times that cannot be
    true give no points unless a person `released` them. Raises InfraError if the measurement cannot
    be used.
    """
    own, reference = speed.timing("submission"), speed.timing("reference")
    scale = scale_of.measured(curve, speed)
    low, fraction, high = (
        scale.share(value) for value in (own.speedup.low, own.speedup.value, own.speedup.high)
    )
    if high - low > _MOST_UNCERTAINTY:
        earned = f"between {points(low * criterion.points)} and {points(high * criterion.points)}"
        why = (
            f"{_faster(own)}, which would be {earned} points. Run it again when nothing else uses "
            "the GPU."
        )
        return CriterionResult(
            criterion.name, "not_run", 0.0, criterion.points, [f"{INCONCLUSIVE}: {why}", *notes]
        )
    message = f"{_faster(own)}. {_marks(scale, reference.speedup.value, fraction)}"
    doubts = _doubts(speed)
    messages = [message, *(doubts or _share_of_peak(own, speed)), *notes]
    if doubts and not released:
        messages.insert(0, f"REVIEW: {_RELEASE}")
        return CriterionResult(criterion.name, "review", 0.0, criterion.points, messages)
    slow = Case(criterion.name, fraction >= 1, [Message(message, SLOW)])
    graded = _result(criterion, criterion.points * fraction, messages, [slow])
    return replace(graded, ladder=scale_of.ladder(curve, scale, speed))


def from_estimate(
    criterion: Criterion,
    curve: SpeedCurve,
    estimate: EstimatedTime,
    why: str,
    *,
    released: bool = False,
) -> CriterionResult:
    """Points for an estimated speedup, by the scale of measured ones.

    `why` says why nothing was measured. Where there is no estimate, there are no points and no
    verdict. Times that cannot be true give no points unless a person `released` them.
    """
    if estimate.milliseconds is None or estimate.missing:
        return not_run(criterion, f"{why} No time can be estimated: {estimate.missing}.")
    times = {**estimate.ladder_milliseconds, "reference": estimate.reference_milliseconds}
    baseline = estimate.baseline_milliseconds
    needed = [times.get(name) for name in scale_of.depends_on(curve)]
    if baseline is None or None in needed:
        lacking = "the lab's own kernels have no estimated time to compare with"
        return not_run(criterion, f"{why} No time can be estimated: {lacking}.")
    speedups = {name: baseline / time for name, time in times.items() if time}
    try:
        scale = scale_of.of(curve, speedups)
    except InfraError:
        slow = "the reference solution is hardly faster than the baseline by its own estimate"
        return not_run(criterion, f"{why} No points can be estimated: {slow}.")
    own = baseline / estimate.milliseconds
    fraction = scale.share(own)
    message = (
        f"{ESTIMATED} on an {estimate.gpu}, not measured: {own:.2f} times as fast as the "
        f"baseline. {_marks(scale, speedups['reference'], fraction)} A GPU's verdict replaces "
        "these points."
    )
    if estimate.beats_the_roof and not released:
        doubts = [f"REVIEW: {_RELEASE}", message, _BEYOND]
        return CriterionResult(criterion.name, "review", 0.0, criterion.points, doubts)
    slow_case = Case(criterion.name, fraction >= 1, [Message(message, SLOW)])
    graded = _result(criterion, criterion.points * fraction, [message], [slow_case])
    return replace(graded, status="estimated")


def _marks(scale: Scale, reference: float, fraction: float) -> str:
    """What the reference solution reaches, and where points lie if some are missing."""
    reaches = f"The reference solution reaches {reference:.2f}."
    if fraction >= 1:
        return reaches
    return (
        f"{reaches} Points start at {scale.start:g}, half of them are at {scale.half:.2f} and all "
        f"at {scale.full:.2f}."
    )


def _faster(own: Timing) -> str:
    interval = f"95% interval {own.speedup.low:.2f} to {own.speedup.high:.2f}"
    return f"{own.speedup.value:.2f} times as fast as the baseline ({interval})"


def _share_of_peak(own: Timing, speed: Measurement) -> list[str]:
    if own.share_of_peak is None or speed.peak is None:
        return []
    what = {"bytes": "its own copy", "reads": "a kernel that only reads"}.get(speed.peak.of)
    unit = "GB/s" if what else "G instructions/s"
    ms = speed.milliseconds("submission")
    rate = speed.peak.amount / (1e6 * ms)
    return [
        f"{ms:.3g} ms per launch, {rate:.4g} {unit}: {100 * own.share_of_peak.value:.0f}% of the "
        f"GPU's peak, measured with {what or 'multiply-adds'}."
    ]


def _doubts(speed: Measurement) -> list[str]:
    """What speaks against the submission's times, a sentence each."""
    own = speed.timing("submission")
    doubts = []
    if own.share_of_peak is not None and own.share_of_peak.low > _MOST_OF_PEAK:
        doubts += [
            f"{share} No kernel that does all the work can be that fast."
            for share in _share_of_peak(own, speed)
        ]
    alone = _overhead(speed, lambda timing: timing.cold_ms)
    if own.cold_ms > alone * own.ms + _OVERHEAD_MS:
        doubts.append(_disagreement("alone and with an empty cache", own.cold_ms, own.ms))
    in_few = _overhead(speed, lambda timing: timing.warm_ms or timing.ms)
    if own.warm_ms is not None and own.warm_ms > in_few * own.ms + _OVERHEAD_MS:
        doubts.append(_disagreement("in a short batch", own.warm_ms, own.ms))
    return doubts


def _overhead(speed: Measurement, other: Callable[[Timing], float]) -> float:
    """How many times as long as in a batch a launch may take otherwise."""
    own = (speed.timing(name) for name in ("baseline", "reference"))
    return _MOST_DISAGREEMENT * max(1.0, *(other(timing) / timing.ms for timing in own))


def _disagreement(where: str, other_ms: float, ms: float) -> str:
    return (
        f"A launch takes {other_ms:.3f} ms {where}, but {ms:.3f} ms in a long batch, which caches "
        "do not explain: do launches leave work out?"
    )


def not_run(criterion: Criterion, why: str) -> CriterionResult:
    """No points and no verdict, because what was not tested has not failed."""
    return CriterionResult(criterion.name, "not_run", 0.0, criterion.points, [f"NOT RUN: {why}"])


def failed(criterion: Criterion, message: str) -> CriterionResult:
    return CriterionResult(criterion.name, "fail", 0.0, criterion.points, [message])


def _result(
    criterion: Criterion, earned: float, messages: list[str], cases: Sequence[Case]
) -> CriterionResult:
    earned = round(earned, 2)
    is_full = earned >= round(criterion.points, 2)
    status: Status = "pass" if is_full else "partial" if earned > 0 else "fail"
    return CriterionResult(
        criterion.name,
        status,
        earned,
        criterion.points,
        messages,
        patterns_of(cases),
        tuple(cases),
    )


def _messages(case: Case, lab: Lab) -> list[str]:
    if case.passed:
        return [f"{case.name}: {note}" for note in case.texts]
    failures = case.messages or [Message("failed.")]
    return [shorten(f"{case.name}: {_with_hint(one, lab)}", _MAX_LENGTH) for one in failures]


def _with_hint(failure: Message, lab: Lab) -> str:
    hint = hints.of(failure, lab)
    return f"{failure.text} {hint}" if hint else failure.text


def _first(per_case: list[list[str]]) -> list[str]:
    """The first message of each test, then the second of each, as many as there is room for."""
    rounds = itertools.zip_longest(*per_case)
    messages = [message for one_each in rounds for message in one_each if message is not None]
    shown, more = messages[:_MAX_MESSAGES], len(messages) - _MAX_MESSAGES
    if more > 0:
        note = f" (... and {more} more)"
        shown[-1] = shorten(shown[-1], _MAX_LENGTH - len(note)) + note
    return shown


def describe(result: CriterionResult) -> str:
    """Formats the points of a row: '45 / 60'."""
    return f"{points(result.points)} / {points(result.max)}"
