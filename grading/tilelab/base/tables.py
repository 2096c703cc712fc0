"""Reads the fields of a TOML file. Each ValueError is one line that names the field."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from tilelab.base.errors import UserError

T = TypeVar("T")
Table = dict[str, Any]


def read(path: Path, parse: Callable[[Table], T]) -> T:
    """Reads a file with `parse`. Raises UserError with one line that names the file."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UserError(f"{path}: {error}") from error
    try:
        return parse(data)
    except ValueError as error:
        raise UserError(f"{path}: {error}") from error


def only(data: Table, where: str, *known: str) -> None:
    for key in data:
        if key not in known:
            raise ValueError(f"unknown key {where}{key}; expected one of {', '.join(known)}")


def table(data: Table, key: str, where: str = "") -> Table:
    value = data.get(key, {})
    if not isinstance(value, dict):
        raise ValueError(f"{where}{key} must be a table")
    return value


def tables(data: Table, key: str) -> list[Table]:
    """An array of tables, empty if the key is missing."""
    values = data.get(key, [])
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise ValueError(f"{key} must be an array of tables: [[{key}]]")
    return values


def text(data: Table, where: str, key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value:
        raise ValueError(f"{where}{key} must be a non-empty string")
    return value


def texts(data: Table, where: str, key: str) -> tuple[str, ...]:
    values = data.get(key, [])
    if not isinstance(values, list) or not all(isinstance(v, str) and v for v in values):
        raise ValueError(f"{where}{key} must be a list of strings")
    return tuple(values)


def number(data: Table, where: str, key: str, default: float | None = None) -> float:
    """A number above 0 and below 1e9."""
    value = _finite(data.get(key, default))
    if value is None or not 0 < value < 1e9:
        raise ValueError(f"{where}{key} must be a number greater than 0")
    return value


def flag(data: Table, where: str, key: str) -> bool:
    """A bool, False if the key is missing."""
    value = data.get(key, False)
    if not isinstance(value, bool):
        raise ValueError(f"{where}{key} must be true or false")
    return value


def any_number(data: Table, where: str, key: str, default: float | None = None) -> float:
    value = _finite(data.get(key, default))
    if value is None:
        raise ValueError(f"{where}{key} must be a number")
    return value


def _finite(value: object) -> float | None:
    # Python takes a bool for an int, but `points = true` is a mistake. So are inf and nan.
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value
