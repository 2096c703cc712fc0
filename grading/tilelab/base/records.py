"""Records as JSON, and back."""

from __future__ import annotations

import json
from typing import Any, TypeVar

import msgspec

Record = TypeVar("Record")


def text_of(record: Any, *, indent: int | None = None) -> str:
    """The JSON of a record, with its members in their order."""
    return json.dumps(msgspec.to_builtins(record), ensure_ascii=False, indent=indent)


def decoded(text: str | bytes, kind: type[Record]) -> Record:
    """The record of this kind that a JSON text holds.

    Raises ValueError with a line that names the field, if one is missing or wrong.
    """
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise ValueError(str(error)) from error
    except RecursionError as error:
        raise ValueError("lists lie too deep in one another") from error


def converted(data: Any, kind: type[Record]) -> Record:
    """The record of this kind that parsed JSON holds. Raises ValueError likewise."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error
