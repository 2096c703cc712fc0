"""What a source says: who handed in which files, and when."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Literal

from tilelab.collect.members import Member

# What a student can be known by. Numbers of one system mean nothing in another.
Kind = Literal["key", "canvas", "moodle", "github", "id", "login", "email", "name"]


@dataclass(frozen=True)
class Identity:
    """A student as a source knows them.

    `own` names the student where the roster does not. `known` is what the roster may know them by,
    the surest first.
    """

    own: str
    known: tuple[tuple[Kind, str], ...]


@dataclass(frozen=True)
class Attempt:
    """What was handed in at once. Paths of files begin within the attempt.

    `when` is None if the source does not say. `before` are times of earlier attempts that the
    source knows of and does not hold. `marked_late` is what a source says that has no times.
    """

    students: tuple[Identity, ...]
    files: tuple[Member, ...]
    when: datetime.datetime | None = None
    before: tuple[datetime.datetime, ...] = ()
    marked_late: bool = False


@dataclass
class Source:
    """What one download holds.

    `loose` are files that belong to nobody, `refused` is a line about each that was not taken, and
    `remarks` are about the source as a whole.
    """

    kind: str
    attempts: list[Attempt] = field(default_factory=list)
    loose: list[Member] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def anything(own: str) -> Identity:
    """A student of whom a source has one word, which may be anything."""
    kinds: tuple[Kind, ...] = ("key", "login", "id", "email", "github", "name")
    return Identity(own, tuple((kind, own) for kind in kinds))


def grouped(
    found: list[tuple[str, Identity, Member]],
) -> dict[str, tuple[Identity, list[Member]]]:
    """Files by the folder or prefix that they share, in the order in which these are found."""
    groups: dict[str, tuple[Identity, list[Member]]] = {}
    for prefix, identity, member in found:
        groups.setdefault(prefix, (identity, []))[1].append(member)
    return groups
