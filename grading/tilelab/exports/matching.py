"""Finds the row of each student in a gradebook that another program wrote."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tilelab.base.text import words
from tilelab.model.student import Student


@dataclass(frozen=True)
class Person:
    """Somebody in a gradebook: the row, the name, and what else tells who it is.

    `unsure` may be ids, or numbers that only look like them. `own` is what the system numbers the
    person by, alone and as its downloads of files have it.
    """

    row: int
    name: str
    labels: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    own: tuple[str, ...] = ()


@dataclass(frozen=True)
class Matches:
    """The row of each student who was found, by key, and who was not found in the other list.

    `by_name` are those for whom only the name speaks, though both sides have labels.
    """

    rows: dict[str, int] = field(default_factory=dict)
    by_name: list[str] = field(default_factory=list)
    without_row: list[Student] = field(default_factory=list)
    without_student: list[Person] = field(default_factory=list)


def match(students: Sequence[Student], people: Sequence[Person]) -> Matches:
    """Matches by ids, logins and email addresses, and by name where these say nothing.

    A number of the system's own is compared with no id, but tells namesakes apart whose folders
    have it. Where the gradebook has ids that are known, somebody with another id is somebody else.

    Whoever could be two people is nobody: a wrong grade is worse than a missing one.
    """
    candidates = {
        student.key: _by_label(student, people) or _by_number(student, people)
        for student in students
    }
    told = {row for rows in candidates.values() for row in rows}
    others = [person for person in people if person.row not in told]
    of_ids = _places_of_ids(students, people)
    for student in students:
        may_be = [one for one in others if not _has_other_id(student, one, of_ids)]
        candidates[student.key] = candidates[student.key] or _by_name(student, may_be)
    wanted = Counter(row for rows in candidates.values() for row in rows)
    rows = {
        key: next(iter(found))
        for key, found in candidates.items()
        if len(found) == 1 and wanted[next(iter(found))] == 1
    }
    taken = set(rows.values())
    labeled = {person.row for person in people if _labels(person.labels)}
    return Matches(
        rows,
        [
            student.key
            for student in students
            if _labels(student.labels) and rows.get(student.key) in labeled - told
        ],
        [student for student in students if student.key not in rows],
        [person for person in people if person.row not in taken],
    )


def _by_label(student: Student, people: Sequence[Person]) -> set[int]:
    labels = _labels((*student.labels, student.key))
    return {
        person.row
        for person in people
        if labels & _labels(person.labels)
        or (labels & _labels(person.unsure) and not _are_two(student.name, person.name))
    }


def _are_two(name: str, other: str) -> bool:
    """Whether two names have no word in common."""
    own, theirs = set(words(name)), set(words(other))
    return bool(own and theirs) and not own & theirs


def _by_name(student: Student, people: Sequence[Person]) -> set[int]:
    names = {_in_any_order(name) for name in (student.name, student.key)} - {()}
    return {person.row for person in people if _in_any_order(person.name) in names}


def _by_number(student: Student, people: Sequence[Person]) -> set[int]:
    """Finds a student whose folder is what the system calls them, with its number.

    The number alone may be anything, so it counts only if nothing else is known.
    """
    if student.name:
        key = _in_any_order(student.key)
        named = (one for one in people if len(key) > 1 and key in map(_in_any_order, one.own))
        return {person.row for person in named}
    squeezed = _squeezed(student.key)
    if not squeezed or any(student.labels):
        return set()
    return {person.row for person in people if squeezed in map(_squeezed, person.own)}


def _places_of_ids(students: Sequence[Student], people: Sequence[Person]) -> set[int]:
    """Which of the labels are ids that students have, too."""
    ids = _labels(student.id for student in students)
    return {
        at for person in people for at, label in enumerate(person.labels) if _plain(label) in ids
    }


def _has_other_id(student: Student, person: Person, of_ids: Iterable[int]) -> bool:
    if not student.id:
        return False
    known = [person.labels[at] for at in of_ids if at < len(person.labels)]
    return bool(_labels(known)) and _plain(student.id) not in _labels(known)


def _labels(labels: Iterable[str]) -> set[str]:
    return {_plain(label) for label in labels} - {""}


def _in_any_order(name: str) -> tuple[str, ...]:
    """The words of a name: "Lovelace, Ada" is Ada Lovelace."""
    return tuple(sorted(words(name)))


def _squeezed(text: str) -> str:
    return "".join(words(text))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip().casefold()
