"""What all streams between this package and its programs have: an event per line, as JSON.

common/schema has the same records, and says who writes which. A test compares them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import msgspec
from msgspec import Struct

Event = TypeVar("Event")

# Of all records together. Change it with them, here and in common/schema/stream.h.
VERSION = 1


class Begin(Struct, frozen=True, tag="begin"):
    """The first event of a stream."""

    version: int


class End(Struct, frozen=True, tag="end"):
    """The last event, where the end could be missing."""


_FIRST: msgspec.json.Decoder[Begin] = msgspec.json.Decoder(Begin)


def read(text: str, decoder: msgspec.json.Decoder[Event]) -> list[Event]:
    """The events of a stream, or of its first lines.

    Raises msgspec.ValidationError for another version or an event that is not as it should be, and
    another msgspec.DecodeError for a line that is no JSON.
    """
    lines = [line for line in text.split("\n") if line]
    try:
        if lines and (found := _FIRST.decode(lines[0]).version) != VERSION:
            raise msgspec.ValidationError(
                f"they have version {found}, and this TileLab reads version {VERSION}"
            )
        return [decoder.decode(line) for line in lines]
    except RecursionError as error:
        raise msgspec.ValidationError("they nest too deep") from error


def text_of(events: Iterable[Struct]) -> str:
    """A stream of these events."""
    return "".join(f"{msgspec.json.encode(one).decode()}\n" for one in (Begin(VERSION), *events))
