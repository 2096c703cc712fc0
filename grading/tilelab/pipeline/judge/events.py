"""Makes a judgment of the events that a judge writes."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct, structs

from tilelab.base import process
from tilelab.base.errors import InfraError
from tilelab.base.text import printable, shorten
from tilelab.model import stream
from tilelab.model.case import Case, Message, Place
from tilelab.model.events import (
    Called,
    ErrorsOf,
    Event,
    Figure,
    GaveUp,
    Measured,
    MetricOf,
    Output,
    Said,
    TestEnded,
    Tests,
    Timed,
    Version,
)
from tilelab.model.evidence import Errors, Printed
from tilelab.model.measurement import Measurement, Run, Timing
from tilelab.model.picture import DrawnCall
from tilelab.model.profile import Call, Metric
from tilelab.model.stream import End

OneEvent = TypeVar("OneEvent")
OneRecord = TypeVar("OneRecord", bound=Struct)

_DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)

_MAX_BYTES = 64 * 1024 * 1024
_SECONDS = 0.05  # between two looks at an unfinished stream


@dataclass(frozen=True)
class Judgment:
    """The result of one run of a judge.

    `measurements` has the times of each problem. `calls` has the report of each checked call, if a
    profile was asked for, with what the lab's tests count of it, and `pictures` every access of a
    call, if the test draws a picture. `figures` are lines of a lab's figures.txt, if a judge was
    asked for them.
    """

    cases: list[Case]
    measurements: dict[str, Measurement]
    calls: list[Call]
    printed: list[Printed]
    errors: list[Errors]
    pictures: list[DrawnCall] = field(default_factory=list)
    figures: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Step:
    """The tests of a criterion that have ended, or failed already, and how many there are."""

    criterion: str
    cases: Sequence[Case]
    tests: int


# Called from any thread.
Tell = Callable[[Step], None]


def nobody(step: Step) -> None:
    """Nobody waits."""


def read(path: Path, finished: process.Finished) -> Judgment:
    """Reads a stream. Raises InfraError if it is incomplete, because half of it proves nothing."""
    return _judgment(_load(path), finished)


def versions(path: Path) -> dict[int, float]:
    """The share of elements that were wrong with each version, in a stream that may be incomplete.

    Versions that were no better than the submission itself are left out.
    """
    try:
        return {one.number: float(one.wrong) for one in _only(Version, _whole_lines(path))}
    except (OSError, msgspec.DecodeError):
        return {}


@contextlib.contextmanager
def told(criterion: str, stream: Path, tell: Tell) -> Iterator[None]:
    """Tells what a judge writes to `stream` while the body runs it."""
    if tell is nobody:
        yield
        return
    ended = threading.Event()
    thread = threading.Thread(target=_follow, args=(criterion, stream, tell, ended))
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _follow(criterion: str, stream: Path, tell: Tell, ended: threading.Event) -> None:
    seen: tuple[int, int] | None = None
    is_last = False
    while not is_last:
        is_last = ended.wait(_SECONDS)
        try:
            cases, tests = _so_far(stream)
        except InfraError:  # which the judgment will be about
            return
        # What happens to a test that has failed is no news.
        state = (len(cases), tests)
        if state != seen:
            tell(Step(criterion, cases, tests))
            seen = state


def _so_far(path: Path) -> tuple[list[Case], int]:
    """The tests in an unfinished stream that have ended or failed, and how many there will be."""
    try:
        found = _whole_lines(path)
    except FileNotFoundError:
        return [], 0
    except (OSError, msgspec.DecodeError) as error:
        raise InfraError(f"the judge's events cannot be read ({error}).") from error
    running = [one for one in found if isinstance(one, Said | TestEnded)]
    while running and isinstance(running[-1], Said) and running[-1].kind == "note":
        running.pop()
    if running and isinstance(running[-1], Said):
        running.append(TestEnded(running[-1].test, "failed"))
    tests = next((one.count for one in found if isinstance(one, Tests)), 0)
    return list(_cases(running)), tests


def _whole_lines(path: Path) -> list[Event]:
    """The events of a stream whose last line may be incomplete."""
    whole, _, _ = path.read_bytes().decode("utf-8", "replace").rpartition("\n")
    return stream.read(whole, _DECODER)


def _load(path: Path) -> list[Event]:
    """The events, or none if a line is no JSON: a judge that dies may leave half a line.

    Raises InfraError if an event is not as it should be.
    """
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise InfraError("the judge's events are too large to be read.")
        return stream.read(path.read_bytes().decode("utf-8", "replace"), _DECODER)
    except msgspec.ValidationError as error:
        raise InfraError(f"the judge's events cannot be used ({error}).") from error
    except (OSError, msgspec.DecodeError):
        return []


def _judgment(events: Sequence[Event], finished: process.Finished) -> Judgment:
    for gave_up in _only(GaveUp, events):
        raise InfraError(f"the judge gave up: {shorten(printable(gave_up.text), 500)}")
    if not events or not isinstance(events[-1], End):
        said = shorten(printable(finished.output.strip()), 300) or "nothing"
        raise InfraError(
            f"the judge left no complete report (exit status {finished.status}); it said: {said}"
        )
    return Judgment(
        list(_cases(events)),
        _measurements(events),
        [_call(one, events) for one in _only(Called, events)],
        list(_printed(events)),
        list(_errors(events)),
        list(_only(DrawnCall, events)),
        [f"{one.call} {one.metric} {one.value}" for one in _only(Figure, events)],
    )


def _only(kind: type[OneEvent], events: Iterable[Event]) -> Iterator[OneEvent]:
    return (one for one in events if isinstance(one, kind))


def _call(call: Called, events: Sequence[Event]) -> Call:
    """A call with what the lab's tests count of it."""
    metrics = {
        _text(one.metric): Metric(_text(one.unit), float(one.value))
        for one in _only(MetricOf, events)
        if one.call == call.call
    }
    sizes = call.input_bytes, call.output_bytes
    return Call(call.call, *sizes, call.launches, metrics, call.arguments)


def _errors(events: Sequence[Event]) -> Iterator[Errors]:
    """The errors of each output in its largest test."""
    largest: dict[str, Errors] = {}
    for one in _only(ErrorsOf, events):
        if one.rms is None or one.largest is None:
            continue
        known = largest.get(one.output)
        if known is None or known.elements <= one.elements:
            rms, most = float(one.rms), float(one.largest)
            largest[one.output] = Errors(_text(one.output), one.elements, rms, most)
    yield from largest.values()


def _printed(events: Sequence[Event]) -> Iterator[Printed]:
    """What was printed, with the name of the test, whose own event comes after it."""
    waiting: list[Output] = []
    for event in events:
        if isinstance(event, Output):
            waiting.append(event)
        elif isinstance(event, TestEnded | End):
            test = printable(event.name) if isinstance(event, TestEnded) else ""
            for one in waiting:
                yield Printed(test, _text(one.call), printable(one.text))
            waiting = []


def _cases(events: Iterable[Event]) -> Iterator[Case]:
    messages: list[Said] = []
    for event in events:
        if isinstance(event, Said):
            messages.append(event)
        elif isinstance(event, TestEnded):
            yield _case(event, messages)
            messages = []


def _case(test: TestEnded, messages: Sequence[Said]) -> Case:
    name = printable(test.name)
    if test.result == "skipped":
        raise InfraError(f"the judge skipped '{name}'.")
    if test.result == "passed":
        return Case(name, True, [Message(_text(message.text)) for message in messages])
    return Case(name, False, list(_failures(messages)))


def _failures(messages: Sequence[Said]) -> Iterator[Message]:
    """Each failure, with its context and the notes before it."""
    notes: list[str] = []
    for message in messages:
        text = _text(message.text)
        if message.kind == "note":
            notes.append(text)
            continue
        notes += map(_text, message.context)
        context = dict.fromkeys(note.removesuffix(".") for note in notes)
        where = f" ({', '.join(context)})" if context else ""
        yield Message(
            text + where,
            message.pattern,
            summary=_text(message.summary) or text,
            inputs=tuple(map(_text, message.inputs)),
            places=tuple(_place(place) for place in message.places),
            element=_text(message.element),
            expected=_text(message.expected),
            got=_text(message.got),
            store=_place(message.store) if message.store else None,
            race_free=message.race_free,
            variant=message.variant,
        )
        notes = []


def _place(place: Place) -> Place:
    return Place(place.line, _text(place.word), _text(place.says))


def _measurements(events: Sequence[Event]) -> dict[str, Measurement]:
    timings: dict[str, dict[str, Timing]] = {}
    for one in _only(Timed, events):
        timings.setdefault(one.problem, {})[one.worker] = _plain(Timing, one)
    return {
        one.problem: Measurement(
            **structs.asdict(_plain(Run, one)), timings=timings.get(one.problem, {})
        )
        for one in _only(Measured, events)
    }


def _plain(kind: type[OneRecord], event: OneRecord) -> OneRecord:
    """The record that an event extends."""
    return kind(**{name: getattr(event, name) for name in kind.__struct_fields__})


def _text(text: str) -> str:
    return printable(" ".join(text.split()))
