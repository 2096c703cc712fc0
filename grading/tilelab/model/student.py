"""A student of the roster."""

from __future__ import annotations

from msgspec import Struct


class Student(Struct, frozen=True):
    """A student of the roster. `key` is the name of the folder with the submissions.

    The rest is what learning systems know a student by, "" where the roster does not say.
    """

    key: str
    name: str = ""
    email: str = ""
    id: str = ""  # a string: leading zeros count
