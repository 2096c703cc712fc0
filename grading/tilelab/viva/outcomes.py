"""What the judge finds in a mutant, in the words of a choice."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tilelab.model.case import MAIN_SOURCE, Case, Message

NOTHING = "Nothing: all tests still pass"
_WRONG = "Elements of the result are wrong or missing"
_OUTSIDE = "Something outside of an array is read or written"
_TRAFFIC = "The results are right, but the memory is used worse"
_RACE = "Two threads race for the same place in memory"
_UNWRITTEN = "A thread reads what nobody has written"
_BARRIER = "Threads of a block miss a barrier at which others wait"
_LAUNCH = "A launch fails"
_ENDLESS = "A kernel does not end in time"

ALL = (
    NOTHING, _WRONG, _OUTSIDE, _TRAFFIC, _RACE, _UNWRITTEN, _BARRIER, _LAUNCH, _ENDLESS,
)  # fmt: skip

_OF_PATTERN = {
    "out_of_bounds": _OUTSIDE,
    "shared_out_of_bounds": _OUTSIDE,
    "stray_write": _OUTSIDE,
    "data_race": _RACE,
    "uninitialized_read": _UNWRITTEN,
    "uninitialized_array": _UNWRITTEN,
    "divergent_barrier": _BARRIER,
    "launch_failed": _LAUNCH,
    "out_of_time": _ENDLESS,
    "repeated_work": _ENDLESS,
}

# A result that is not the same in each run: only the tests of safety know why.
_ORDER = "order"

# What would be half right, too, as a choice next to the right one. What is wrong with an access
# shows in the results as well, and threads that store the same value pass all tests.
_CLOSE = {
    NOTHING: {_RACE, _TRAFFIC},
    _OUTSIDE: {_WRONG, _UNWRITTEN},
    _RACE: {_WRONG, _UNWRITTEN},
    _UNWRITTEN: {_WRONG, _OUTSIDE, _RACE},
    _BARRIER: {_WRONG, _RACE, _UNWRITTEN},
    _LAUNCH: {_WRONG},
    _ENDLESS: {_WRONG},
}

MEMORY, SAFETY = "memory", "safety"

# Addresses are others in each run, and lines are those of the program that all mutants share.
_ADDRESS = re.compile(r"address 0x[0-9a-f]+")
_LINE = re.compile(rf"{MAIN_SOURCE}.*|(?<=\w)\.cu:\d+")


@dataclass(frozen=True)
class Outcome:
    """What goes wrong, one of ALL, with the judge's words for it.

    `false` are those of ALL that are certainly not what goes wrong. `inputs` are those of the first
    call that fails, such as "n = 257". `element` is the first wrong element there: the index in
    `array`, or the row and column, whose names are in `axes`. It is empty if no element is.
    """

    what: str
    says: str
    false: tuple[str, ...]
    inputs: tuple[str, ...] = ()
    array: str = ""
    element: tuple[int, ...] = ()
    axes: tuple[str, ...] = ()


def of(failures: Mapping[str, Case], *, is_watched: bool) -> Outcome | None:
    """The outcome of a mutant with these failures: the first test that failed of each criterion.

    `is_watched` says whether the tests of safety were asked, which alone watch each access. None
    if what goes wrong has no name here, or is not certain.
    """
    if not failures:
        return Outcome(NOTHING, "", _false(NOTHING, set()))
    found = {name: _of_case(name, case) for name, case in failures.items()}
    name, case = next(iter(failures.items()))
    if case.messages and case.messages[0].pattern == _ORDER:
        name, case = SAFETY, failures.get(SAFETY, case)
    what = found[name][0] if found.get(name) else None
    if what is None:
        return None
    message = case.messages[0]
    summary = _LINE.sub("", _ADDRESS.sub("an address", message.summary or message.text))
    where = f" ({', '.join(message.inputs)})" if message.inputs else ""
    # Where an access is at fault, another element may be wrong in the next run.
    array, element, axes = _element(message.element if what == _WRONG else "")
    seen = {one for several in found.values() for one in several if one}
    unknown = set() if is_watched else {_OUTSIDE, _RACE, _UNWRITTEN, _BARRIER}
    return Outcome(
        what,
        f"The test '{case.name}' fails: {summary}{where}",
        _false(what, seen | unknown),
        message.inputs,
        array,
        element,
        axes,
    )


def _false(what: str, maybe: set[str]) -> tuple[str, ...]:
    out = {what} | maybe | _CLOSE.get(what, set())
    return tuple(one for one in ALL if one not in out)


def _of_case(criterion: str, case: Case) -> list[str | None]:
    return [] if case.untested else [_what(criterion, one) for one in case.messages]


def _what(criterion: str, message: Message) -> str | None:
    if message.pattern in _OF_PATTERN:
        return _OF_PATTERN[message.pattern]
    if message.element and message.pattern != _ORDER:
        return _WRONG
    return _TRAFFIC if criterion == MEMORY else None


def _element(text: str) -> tuple[str, tuple[int, ...], tuple[str, ...]]:
    """The array, the indices and their names: of out[7], and of out(row=0, column=32)."""
    found = re.fullmatch(r"(\w+)[\[(](.*)[\])]", text)
    parts = [one.strip().rpartition("=") for one in found[2].split(",")] if found else []
    if found is None or not all(number.isdigit() for _, _, number in parts):
        return "", (), ()
    numbers = tuple(int(number) for _, _, number in parts)
    return found[1], numbers, tuple(name for name, _, _ in parts if name)
