"""Groups: students who hand in together."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from tilelab.model.course import Course
from tilelab.model.student import Student

_Moments = Mapping[tuple[str, str], datetime.datetime]


class Groups:
    """Who is in a group with whom, by keys. One student alone is no group."""

    def __init__(self, students: Iterable[Student]) -> None:
        named: dict[str, list[str]] = defaultdict(list)
        for student in students:
            if student.group:
                named[student.group].append(student.key)
        self.alone = {name: keys[0] for name, keys in named.items() if len(keys) == 1}
        self.members = {name: sorted(keys) for name, keys in named.items() if len(keys) > 1}
        self._names = {key: name for name, keys in self.members.items() for key in keys}

    def name_of(self, student: str) -> str:
        """The student's group, "" if there is none."""
        return self._names.get(student, "")

    def others(self, student: str) -> list[str]:
        """Those who are in a group with this student."""
        members = self.members.get(self.name_of(student), ())
        return [one for one in members if one != student]

    def course(self, course: Course) -> Course:
        """The course in which all of a group have the latest time that one of them has."""
        return replace(
            course,
            extensions=self._shared(course.extensions),
            submitted=self._shared(course.submitted),
        )

    def _shared(self, moments: _Moments) -> dict[tuple[str, str], datetime.datetime]:
        found = dict(moments)
        for (student, lab), when in moments.items():
            for other in self.others(student):
                found[other, lab] = max(when, found.get((other, lab), when))
        return found
