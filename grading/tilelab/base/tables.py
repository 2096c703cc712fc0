"""Reads a TOML file into a record. What is wrong in the file is one line that names the field."""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from tilelab.base.errors import UserError
from tilelab.base.files import read_limited
from tilelab.base.text import suggestion

Record = TypeVar("Record")
T = TypeVar("T")

_OF_TOML = (datetime.datetime, datetime.date, datetime.time)

_MOST_BYTES = 1024 * 1024

_Keys = Sequence[str | int]


def read(path: Path, kind: type[Record], make: Callable[[Record], T]) -> T:
    """What `make` makes of a file, which is a record of this kind.

    Raises UserError with one line that names the file. `make` may raise a ValueError with the rest
    of the line.
    """
    try:
        # Editors on Windows put a byte order mark in front.
        data = tomllib.loads(read_limited(path, _MOST_BYTES).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8: save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: {error}") from error
    except RecursionError as error:
        raise UserError(f"{path}: tables or lists lie too deep in one another") from error
    try:
        return make(_record(data, kind))
    except ValueError as error:
        raise UserError(f"{path}: {error}") from error


def assert_known(keys: Iterable[str], where: str, known: Sequence[str], what: str = "key") -> None:
    """Raises ValueError if a key of the table `where` is none of those that may be there."""
    for key in keys:
        if key not in known:
            raise ValueError(_unknown(key, where, known, what))


def _unknown(key: str, where: str, known: Sequence[str], what: str = "key") -> str:
    expected = f"expected one of {', '.join(known)}{suggestion(key, known)}"
    return f"unknown {what} {where}{key}; {expected}"


def _record(data: dict[str, Any], kind: type[Record]) -> Record:
    try:
        return msgspec.convert(data, kind, builtin_types=_OF_TOML)
    except msgspec.ValidationError as error:
        raise ValueError(_explained(str(error), data, kind)) from error


def _explained(error: str, data: dict[str, Any], kind: type[Any]) -> str:
    """What msgspec says of the data, in our words."""
    keys = _keys(error, data, kind)
    if unknown := re.match(r"Object contains unknown field `(.*?)`", error):
        table = _declared(kind, keys)
        assert isinstance(table, inspect.StructType)
        where = f"{_name(keys)}." if keys else ""
        return _unknown(unknown[1], where, [field.encode_name for field in table.fields])
    if missing := re.match(r"Object missing required field `(.*?)`", error):
        keys.append(missing[1])
        return f"{_name(keys)} is missing: it {_allowed(kind, keys)}"
    return f"{_name(keys)} {_allowed(kind, keys)}"


def _keys(error: str, data: dict[str, Any], kind: type[Any]) -> list[str | int]:
    """The keys that lead to what an error is about.

    Where a table may have any keys, msgspec does not say which one it means.
    """
    _, _, path = error.partition(" - at `$")
    keys: list[str | int] = []
    here: Any = data
    for name, index in re.findall(r"\.(\w+)|\[(\d+|\.\.\.)\]", path):
        if index == "...":
            tables = {one: _with_only(one, keys, data) for one in here}
            key, data = next(pair for pair in tables.items() if _error(pair[1], kind) == error)
            keys.append(key)
        else:
            keys.append(name or int(index))
        here = here[keys[-1]]
    return keys


def _with_only(key: str, keys: _Keys, data: Any) -> Any:
    """A copy of the data in which the table that `keys` lead to has only this key."""
    if not keys:
        return {key: data[key]}
    copied = data.copy()
    copied[keys[0]] = _with_only(key, keys[1:], data[keys[0]])
    return copied


def _error(data: dict[str, Any], kind: type[Any]) -> str:
    try:
        msgspec.convert(data, kind, builtin_types=_OF_TOML)
    except msgspec.ValidationError as error:
        return str(error)
    return ""


def _name(keys: _Keys) -> str:
    """As people write it: criteria.speed.points, tasks[1].title."""
    parts = (f"[{key + 1}]" if isinstance(key, int) else f".{key}" for key in keys)
    return "".join(parts).removeprefix(".")


def _allowed(kind: type[Any], keys: _Keys) -> str:
    declared = _declared(kind, keys)
    if isinstance(declared, inspect.Metadata):
        return str((declared.extra_json_schema or {})["description"])
    if isinstance(declared, inspect.BoolType):
        return "must be true or false"
    if isinstance(declared, inspect.VarTupleType):
        return f"must be an array of tables: [[{_name(keys)}]]"
    return "must be a table"


def _declared(kind: type[Any], keys: _Keys) -> inspect.Type:
    """The type of what the keys lead to."""
    found = _bare(inspect.type_info(kind))
    for key in keys:
        table = found.type if isinstance(found, inspect.Metadata) else found
        if isinstance(table, inspect.UnionType):  # one description is for all of it
            return found
        if isinstance(table, inspect.StructType):
            inner = next(field.type for field in table.fields if field.encode_name == key)
        elif isinstance(table, inspect.DictType):
            inner = table.value_type
        elif isinstance(table, inspect.TupleType):
            assert isinstance(key, int)
            inner = table.item_types[key]
        else:
            assert isinstance(table, inspect.VarTupleType)
            inner = table.item_type
        found = _bare(inner)
    return found


def _bare(found: inspect.Type) -> inspect.Type:
    """The type of a field that may be missing."""
    if isinstance(found, inspect.UnionType):
        return next(one for one in found.types if not isinstance(one, inspect.NoneType))
    return found
