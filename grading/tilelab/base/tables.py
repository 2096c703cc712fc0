"""Reads the fields of a TOML file; each ValueError is one line that names the field."""

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
    """What `parse` makes of the file. Raises UserError with one line that names it."""
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
            raise ValueError(f"unknown key {where}{key}; known are {', '.join(known)}")


def table(data: Table, key: str, where: str = "") -> Table:
    value = data.get(key, {})
    if not isinstance(value, dict):
        raise ValueError(f"{where}{key} must be a table")
    return value


def tables(data: Table, key: str) -> list[Table]:
    """An array of tables, which may be absent."""
    values = data.get(key, [])
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise ValueError(f"{key} must be tables: [[{key}]]")
    return values


def text(data: Table, where: str, key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value:
        raise ValueError(f"{where}{key} must be a text")
    return value


def texts(data: Table, where: str, key: str) -> tuple[str, ...]:
    values = data.get(key, [])
    if not isinstance(values, list) or not all(isinstance(v, str) and v for v in values):
        raise ValueError(f"{where}{key} must be a list of texts")
    return tuple(values)


def number(data: Table, where: str, key: str, default: float | None = None) -> float:
    """A number above 0, and below what anybody means."""
    value = _finite(data.get(key, default))
    if value is None or not 0 < value < 1e9:
        raise ValueError(f"{where}{key} must be a number above 0")
    return value


def any_number(data: Table, where: str, key: str, default: float | None = None) -> float:
    value = _finite(data.get(key, default))
    if value is None:
        raise ValueError(f"{where}{key} must be a number")
    return value


def _finite(value: object) -> float | None:
    # bool is an int to Python, but `points = true` is a mistake; so are inf and nan.
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value
