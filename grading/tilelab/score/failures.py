"""What a submission fails for: one entry per cause, however many tests notice it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from tilelab.model.case import Message
from tilelab.model.failure import Failure
from tilelab.model.result import Result
from tilelab.score.scoring import SLOW

# A test that gave up after an earlier failure says nothing new.
SKIPPED = "skipped"

_ILLEGAL = ("shared_out_of_bounds", "out_of_bounds", "host_pointer", "use_after_free", "misaligned")

# What a fast build shows of a mistake, and what a checked build calls it.
SYMPTOMS = {
    "order": ("data_race",),
    "uninitialized_read": ("uninitialized_array",),
    "crash": _ILLEGAL,
    "stray_write": _ILLEGAL,
    "out_of_bounds": _ILLEGAL,
    "fault": (*_ILLEGAL, "divergent_barrier"),
    "invalid_argument": ("launch_failed",),
}

_ENDLESS = "out_of_time"
_REPEATED = "repeated_work"

# The first to fix comes first. A wrong result comes after these, because they may be why.
FAULTS = (
    "launch_failed",
    "invalid_argument",
    *_ILLEGAL,
    "stray_write",
    "fault",
    "crash",
    "input_changed",
    "divergent_barrier",
    "too_much_memory",
    _REPEATED,
    _ENDLESS,
    "data_race",
    "order",
    "unset_variable",
    "uninitialized_array",
    "uninitialized_read",
)

_RESULT = "result"

# What is allocated has to be freed before it matters that a call may fail.
_LEAK = "leak"

_UNSET = "unset_variable"
_UNSET_SAYS = (
    "The result changes from run to run, and the tests saw no two threads race. Does a thread use "
    "a variable or an array of its own that it has not set (is a __shared__ missing?), or "
    "something that differs from run to run, such as a clock or an address?"
)

# The hint for what depends on the order is about barriers.
_SAFETY = "safety"
_ORDER_SAYS = " The result changes "
_UNEXPLAINED = "unexplained"
_UNEXPLAINED_SAYS = (
    "The result changes from run to run, although the tests of safety found no data race. Does it "
    "depend on what an earlier call left behind, or on a clock or an address? Or do two threads "
    "write the same element, at this size only?"
)

# Small inputs often fail in these ways whatever is wrong.
NEVER_WRITTEN = "never_written"
_VAGUE = ("", "all_wrong", NEVER_WRITTEN)


@dataclass(frozen=True)
class _Found:
    criterion: str
    test: str
    message: Message


def failures(result: Result) -> list[Failure]:
    """The causes of all failures, the one to fix first at the top."""
    groups: dict[str, list[_Found]] = {}
    for found in _all(result):
        groups.setdefault(_cause(found.message), []).append(found)
    for symptom, causes in SYMPTOMS.items():
        cause = next((one for one in causes if one in groups and one != symptom), None)
        if cause and symptom in groups and _lines(groups[symptom]) <= _lines(groups[cause]):
            groups[cause] += groups.pop(symptom)
    _merge_reads_before_the_write(groups)
    _merge_calls_without_time(groups)
    _rename_order_without_race(groups)
    if any(row.name == _SAFETY and row.status == "pass" for row in result.criteria):
        _doubt_barriers(groups)
    return [_failure(groups[cause]) for cause in sorted(groups, key=_rank)]


def _all(result: Result) -> Iterator[_Found]:
    for criterion in result.criteria:
        for case in criterion.cases:
            if case.passed:
                continue
            for message in case.messages or [Message("failed.")]:
                if message.pattern != SKIPPED:
                    yield _Found(criterion.name, case.name, message)


def _merge_reads_before_the_write(groups: dict[str, list[_Found]]) -> None:
    """In some orders of its threads, a race reads what was not written yet."""
    race, read = groups.get("data_race"), groups.get("uninitialized_read")
    if race and read and {_line(found) for found in read} <= {*_lines(race), None}:
        race += groups.pop("uninitialized_read")


def _merge_calls_without_time(groups: dict[str, list[_Found]]) -> None:
    """Where a call ran out of time is a coincidence, and what it had to do is not."""
    if _REPEATED in groups:
        groups[_REPEATED] += groups.pop(_ENDLESS, [])


def _rename_order_without_race(groups: dict[str, list[_Found]]) -> None:
    """What depends on the order, although no threads race, depends on what memory held before."""
    everything = [found.message for group in groups.values() for found in group]
    if "order" in groups and any(message.race_free for message in everything):
        groups[_UNSET] = [
            _Found(
                found.criterion,
                found.test,
                replace(found.message, pattern=_UNSET, summary=_UNSET_SAYS),
            )
            for found in groups.pop("order")
        ] + groups.pop(_RESULT, [])


def _doubt_barriers(groups: dict[str, list[_Found]]) -> None:
    """What depends on the order, although the tests of safety pass, has no hint about barriers."""
    for i, found in enumerate(order := groups.get("order", [])):
        wrong = found.message.summary.split(_ORDER_SAYS)[0]
        doubted = replace(
            found.message, summary=f"{wrong} {_UNEXPLAINED_SAYS}", variant=_UNEXPLAINED
        )
        order[i] = _Found(found.criterion, found.test, doubted)


def _line(found: _Found) -> int | None:
    return found.message.places[0].line if found.message.places else None


def _lines(group: Sequence[_Found]) -> set[int]:
    return {place.line for found in group for place in found.message.places}


def _cause(message: Message) -> str:
    """Wrong results of several inputs count as one cause, until the first of them is mended."""
    if message.pattern in FAULTS:
        return message.pattern
    is_result = bool(message.element) or message.pattern == NEVER_WRITTEN
    return _RESULT if is_result else message.pattern or message.summary or message.text


def _rank(cause: str) -> tuple[int, int]:
    if cause in FAULTS:
        return 0, FAULTS.index(cause)
    return (1 if cause == _RESULT else 3 if cause == SLOW else 2), cause != _LEAK


def _failure(group: Sequence[_Found]) -> Failure:
    shown = _most_telling(group)
    message = shown.message
    tests = {(found.criterion, found.test) for found in group}
    return Failure(
        shown.criterion,
        shown.test,
        message.text,
        message.pattern,
        _line(shown),
        len(tests),
        message,
    )


def _function(found: _Found) -> str:
    """The function that was called, which is among the inputs where a lab has several."""
    return next(filter(str.isidentifier, found.message.inputs), "")


def _most_telling(group: Sequence[_Found]) -> _Found:
    """The first failure with a line, or the first with the most frequent pattern that is clear.

    Without a line, it is one of the first function that fails.
    """
    placed = [found for found in group if found.message.places]
    if placed:
        telling = (one for one in placed if not one.message.places[0].is_of_stop)
        return next(telling, placed[0])
    # Other functions may call the first one, or be unfinished.
    function = _function(group[0])
    group = [found for found in group if _function(found) == function]
    clear = [found for found in group if found.message.pattern not in _VAGUE] or group
    counted = Counter(found.message.pattern for found in clear)
    pattern = counted.most_common(1)[0][0]
    return next(found for found in clear if found.message.pattern == pattern)
