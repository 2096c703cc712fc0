"""The students of a class, and what each is known by."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec.structs import replace

from tilelab.base.text import one_line
from tilelab.collect.attempts import Identity, anything
from tilelab.collect.roster.names import in_any_order, normal, spellings, squeezed
from tilelab.model.student import Student

LIKE_KEYS = ("id", "login", "email", "github")  # a column `student` may have any of these
_NAMES = ("name", "squeezed")
_IDENTIFYING = ("canvas", "moodle", *LIKE_KEYS)


@dataclass
class Roster:
    """The students, a line about each row that does not count, and who is known by what.

    `times` are when participants of an assignment in Moodle handed in, by their numbers.
    """

    remarks: list[str] = field(default_factory=list)
    times: dict[str, datetime.datetime] = field(default_factory=dict)
    _students: dict[str, Student] = field(default_factory=dict)
    _known: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    _facts: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    _spelled: dict[str, str] = field(default_factory=dict)

    @property
    def students(self) -> list[Student]:
        return list(self._students.values())

    def find(self, identity: Identity) -> str | None:
        """The key of a student, None if nobody is meant, or more than one."""
        keys, _ = self.candidates(identity)
        return keys[0] if len(keys) == 1 else None

    def candidates(self, identity: Identity) -> tuple[list[str], bool]:
        """The keys of those who may be meant, and whether only a name says so.

        Where one thing leaves it open, the next one may tell.
        """
        several: list[str] = []
        for kind, value in _asked(identity):
            keys = sorted(self._known.get((kind, value), ()))
            if len(keys) == 1:
                return keys, kind in _NAMES
            several = several or keys
        return several, True

    def student(self, key: str) -> Student:
        """The student with this key, who may be in no roster."""
        return self._students.get(key, Student(key))

    def has_anybody(self, own: str) -> bool:
        """Whether somebody may be meant by a word of a source, which may be anything."""
        return bool(self.candidates(anything(own))[0])

    def keys(self, kind: str, value: str) -> set[str]:
        """Who is known by this id, login or the like."""
        known = in_any_order(value) if kind == "name" else normal(value)
        return self._known.get((kind, known), set()) if known else set()

    def values(self, key: str, kind: str) -> set[str]:
        """The ids, logins or the like that a student is known by."""
        return self._facts.get((key, kind), set())

    @property
    def known(self) -> dict[str, dict[str, list[str]]]:
        """What else each student is known by than what a student has, by key and kind."""
        found: dict[str, dict[str, list[str]]] = defaultdict(dict)
        for (key, kind), values in self._facts.items():
            if kind in _IDENTIFYING:
                said = {normal(getattr(self.student(key), kind, ""))}
                if more := sorted(values - said):
                    found[key][kind] = more
        return dict(found)

    def time(self, identity: Identity) -> datetime.datetime | None:
        """When this participant handed in, if the roster is a worksheet that says so."""
        numbers = (value for kind, value in identity.known if kind == "moodle")
        return next((self.times[number] for number in numbers if number in self.times), None)

    def spelled(self, text: str) -> str:
        """A section or a group as it was first spelled, whatever the case and the spaces."""
        return self._spelled.setdefault(normal(text), one_line(text))

    def in_group(self, name: str) -> list[str]:
        """Those of the group with this name, by key."""
        return [one.key for one in self.students if one.group and normal(one.group) == normal(name)]

    def add(self, student: Student, facts: dict[str, str]) -> None:
        for text in (*student.sections, student.group):
            self.spelled(text)
        self._students[student.key] = student
        self.learn(student, {**facts, "key": student.key, "name": student.name})

    def learn(self, student: Student, facts: dict[str, str]) -> None:
        """Notes what more is known of a student who is there."""
        key = student.key
        before = self._students[key]
        self._students[key] = replace(
            before,
            name=before.name or student.name,
            email=before.email or student.email,
            id=before.id or student.id,
            section=before.section or student.section,
            group=before.group or student.group,
            login=before.login or student.login,
        )
        for kind, value in facts.items():
            if value and kind != "name":
                self._known[kind, normal(value)].add(key)
                self._facts[key, kind].add(normal(value))
        if name := facts.get("name"):
            self._known["name", in_any_order(name)].add(key)
            for spelling in spellings(name):
                self._known["squeezed", spelling].add(key)


def _asked(identity: Identity) -> Iterator[tuple[str, str]]:
    """What to look for, the surest first."""
    for kind, value in identity.known:
        if kind != "name":
            yield kind, normal(value)
            if kind in LIKE_KEYS:
                yield "key", normal(value)
    for kind, value in identity.known:
        if kind == "name" and squeezed(value):
            yield "name", in_any_order(value)
            yield "squeezed", squeezed(value)
