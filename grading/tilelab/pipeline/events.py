"""Reads the stream of events that a judge writes: a JSON object per line.

common/judge/events.h lists them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tilelab.base import process
from tilelab.base.errors import InfraError
from tilelab.base.text import printable, shorten
from tilelab.score.cases import Case, Message, Place
from tilelab.score.records import Errors, Printed

Json = dict[str, Any]

_MAX_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Judgment:
    """The result of one run of a judge.

    `measurements` has the times of each problem, in the form that score.measurement reads. `calls`
    has the report of each checked call, if a profile was asked for, and `pictures` every access of
    a call, if the test draws a picture.
    """

    cases: list[Case]
    measurements: dict[str, Json]
    calls: list[Json]
    printed: list[Printed]
    errors: list[Errors]
    pictures: list[Json] = field(default_factory=list)


def read(path: Path, finished: process.Finished) -> Judgment:
    """Reads a stream. Raises InfraError if it is incomplete, because half of it proves nothing."""
    events = _load(path)
    try:
        return _judgment(events, finished)
    except (KeyError, TypeError, ValueError) as error:
        raise InfraError(f"the judge's events cannot be used ({error!r}).") from error


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
    calls = [one for one in events if one["type"] == "call"]
    pictures = [one for one in events if one["type"] == "picture"]
    return Judgment(
        list(_cases(events)),
        _measurements(events),
        calls,
        list(_printed(events)),
        list(_errors(events)),
        pictures,
    )


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


def _measurements(events: Sequence[Json]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for event in events:
        members = {key: value for key, value in event.items() if key not in ("type", "problem")}
        if event["type"] == "measurement":
            found[event["problem"]] = {**members, "timings": {}}
        elif event["type"] == "timing":
            worker = members.pop("worker")
            found[event["problem"]]["timings"][worker] = members
    return found


def _text(text: str) -> str:
    return printable(" ".join(text.split()))
