"""Reads the stream of events that a judge writes: a JSON object per line.

common/judge/events.h lists them.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from tilelab.base import process
from tilelab.base.errors import InfraError
from tilelab.base.text import printable, shorten
from tilelab.model.case import Case, Message, Place
from tilelab.model.evidence import Errors, Printed
from tilelab.model.measurement import Measurement

Json = dict[str, Any]

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
    calls: list[Json]
    printed: list[Printed]
    errors: list[Errors]
    pictures: list[Json] = field(default_factory=list)
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
    events = _load(path)
    try:
        return _judgment(events, finished)
    except (KeyError, TypeError, ValueError, msgspec.ValidationError) as error:
        raise InfraError(f"the judge's events cannot be used ({error!r}).") from error


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
        whole, _, _ = path.read_bytes().decode("utf-8", "replace").rpartition("\n")
        found = [json.loads(line) for line in whole.split("\n") if line]
        running = [one for one in found if one["type"] in ("message", "test")]
        while running and running[-1]["type"] == "message" and running[-1]["kind"] == "note":
            running.pop()
        if running and running[-1]["type"] == "message":
            running.append({"type": "test", "name": running[-1]["test"], "result": "failed"})
        tests = next((one["count"] for one in found if one["type"] == "tests"), 0)
        return list(_cases(running)), tests
    except FileNotFoundError:
        return [], 0
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InfraError(f"the judge's events cannot be read ({error!r}).") from error


def _load(path: Path) -> list[Json]:
    """The events, or none if a line cannot be read: a judge that dies may leave half a line."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise InfraError("the judge's events are too large to be read.")
        lines = path.read_bytes().decode("utf-8", "replace").split("\n")
        return [json.loads(line) for line in lines if line]
    except (OSError, ValueError):
        return []


def _judgment(events: Sequence[Json], finished: process.Finished) -> Judgment:
    for sentence in (one["text"] for one in events if one["type"] == "infrastructure_error"):
        raise InfraError(f"the judge gave up: {shorten(printable(str(sentence)), 500)}")
    if not events or events[-1]["type"] != "end":
        said = shorten(printable(finished.output.strip()), 300) or "nothing"
        raise InfraError(
            f"the judge left no complete report (exit status {finished.status}); it said: {said}"
        )
    calls = [one | _metrics(one["call"], events) for one in events if one["type"] == "call"]
    pictures = [one for one in events if one["type"] == "picture"]
    return Judgment(
        list(_cases(events)),
        _measurements(events),
        calls,
        list(_printed(events)),
        list(_errors(events)),
        pictures,
        [f"{one['call']} {one['metric']} {one['value']}" for one in events if _is_figure(one)],
    )


def _metrics(call: str, events: Sequence[Json]) -> Json:
    """What the lab's tests count of a call: {"metrics": {name: {"unit", "value"}}}."""
    of_call = [one for one in events if one["type"] == "metric" and one["call"] == call]
    return {
        "metrics": {
            _text(one["metric"]): {"unit": _text(one["unit"]), "value": float(one["value"])}
            for one in of_call
        }
    }


def _is_figure(event: Json) -> bool:
    return bool(event["type"] == "figure")


def _errors(events: Sequence[Json]) -> Iterator[Errors]:
    """The errors of each output in its largest test."""
    largest: dict[str, Json] = {}
    for event in events:
        # A NaN has no error.
        if event["type"] != "errors" or event["rms"] is None or event["largest"] is None:
            continue
        known = largest.get(event["output"])
        if known is None or known["elements"] <= event["elements"]:
            largest[event["output"]] = event
    for name, one in largest.items():
        yield Errors(_text(name), int(one["elements"]), float(one["rms"]), float(one["largest"]))


def _printed(events: Sequence[Json]) -> Iterator[Printed]:
    """What was printed, with the name of the test, whose own event comes after it."""
    waiting: list[Json] = []
    for event in events:
        if event["type"] == "output":
            waiting.append(event)
        elif event["type"] in ("test", "end"):
            test = printable(event.get("name", ""))
            for one in waiting:
                yield Printed(test, _text(one["call"]), printable(one["text"]))
            waiting = []


def _cases(events: Sequence[Json]) -> Iterator[Case]:
    messages: list[Json] = []
    for event in events:
        if event["type"] == "message":
            messages.append(event)
        elif event["type"] == "test":
            yield _case(event, messages)
            messages = []


def _case(test: Json, messages: Sequence[Json]) -> Case:
    name, result = printable(test["name"]), test["result"]
    if result == "skipped":
        raise InfraError(f"the judge skipped '{name}'.")
    if result == "passed":
        return Case(name, True, [Message(_text(message["text"])) for message in messages])
    return Case(name, False, list(_failures(messages)))


def _failures(messages: Sequence[Json]) -> Iterator[Message]:
    """Each failure, with its context and the notes before it."""
    notes: list[str] = []
    for message in messages:
        text = _text(message["text"])
        if message["kind"] == "note":
            notes.append(text)
            continue
        notes += map(_text, message["context"])
        where = f" ({', '.join(dict.fromkeys(notes))})" if notes else ""
        yield Message(
            text + where,
            message.get("pattern", ""),
            summary=_text(message.get("summary", "")) or text,
            inputs=tuple(map(_text, message.get("inputs", ()))),
            places=tuple(_place(place) for place in message.get("places", ())),
            element=_text(message.get("element", "")),
            expected=_text(message.get("expected", "")),
            got=_text(message.get("got", "")),
            race_free=bool(message.get("race_free", False)),
        )
        notes = []


def _place(place: Json) -> Place:
    return Place(int(place["line"]), _text(place["word"]), _text(place["says"]))


def _measurements(events: Sequence[Json]) -> dict[str, Measurement]:
    found: dict[str, Json] = {}
    for event in events:
        if event["type"] == "measurement":
            found[event["problem"]] = {**event, "timings": {}}
        elif event["type"] == "timing":
            found[event["problem"]]["timings"][event["worker"]] = event
    return msgspec.convert(found, dict[str, Measurement])


def _text(text: str) -> str:
    return printable(" ".join(text.split()))
