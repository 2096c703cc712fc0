"""Goes through all sources: whose is which file, for which lab, and which attempt counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tilelab.base.text import one_line
from tilelab.collect import recognizing
from tilelab.collect.attempts import Attempt
from tilelab.collect.choosing import Choice, Found, Policy, choose
from tilelab.collect.folder_names import Folders
from tilelab.collect.roster import Roster
from tilelab.collect.sorting import sort
from tilelab.model.course import Course
from tilelab.model.lab import Lab


@dataclass
class Gathered:
    """What was found. Names are folders of students; the lines are about what was not clear.

    `left` has the files of each student that are for no lab; `strangers` are not in the roster.
    """

    choices: list[Choice] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    strangers: set[str] = field(default_factory=set)
    students: set[str] = field(default_factory=set)
    left: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    unsure: list[str] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


class Gatherer:
    """Collects from one source after the other."""

    def __init__(self, labs: Sequence[Lab], course: Course, roster: Roster, folders: Folders):
        self._labs = labs
        self._course = course
        self._roster = roster
        self._folders = folders
        self._found: dict[tuple[str, str], list[Found]] = defaultdict(list)
        self._count = 0
        self._gathered = Gathered()

    def read(self, path: Path, work: Path) -> None:
        """Reads a source, with its files in `work`, which must stay. Raises UserError."""
        self._count += 1
        source = recognizing.read(path, self._labs, self._course.time_zone, work)
        name = one_line(path.resolve().name)
        gathered = self._gathered
        gathered.kinds.append(f"{name}: {source.kind}")
        gathered.refused += [f"{name}: {line}" for line in source.refused]
        gathered.unsure += [f"{name}: {line}" for line in source.remarks]
        gathered.unmatched += [
            f"{name}: {member.shown}: belongs to no student" for member in source.loose
        ]
        # In the order of names, so that the folders of two who differ only in case do not depend on
        # how an archive was packed. Attempts of one student keep their order.
        ordered = sorted(source.attempts, key=lambda one: one.students[0].own)
        for number, attempt in enumerate(ordered):
            known = [self._roster.time(student) for student in attempt.students]
            timed = replace(attempt, when=attempt.when or next(filter(None, known), None))
            for student in self._students(attempt):
                self._take(student, timed, number, name)

    def result(self, policy: Policy) -> Gathered:
        """One file for each student and lab."""
        for _, several in sorted(self._found.items()):
            choice = choose(several, self._course, policy)
            self._gathered.choices.append(choice)
            if choice.remark:
                self._gathered.unsure.append(choice.remark)
        # Each version of a file in a repository says the same.
        self._gathered.unsure = list(dict.fromkeys(self._gathered.unsure))
        self._gathered.unmatched = list(dict.fromkeys(self._gathered.unmatched))
        return self._gathered

    def _students(self, attempt: Attempt) -> list[str]:
        keys = []
        for identity in attempt.students:
            key = self._roster.find(identity)
            if key is None:
                key = self._folders.named(identity.own)
                self._gathered.strangers.add(key)
            keys.append(key)
        self._gathered.students.update(keys)
        return list(dict.fromkeys(keys))

    def _take(self, student: str, attempt: Attempt, number: int, name: str) -> None:
        found = sort(attempt.files, self._labs)
        for one in found.files:
            lab = one.guess.lab
            self._found[student, lab].append(
                Found(
                    student,
                    lab,
                    one.member,
                    f"{name}: {one.member.shown}",
                    (self._count, number, one.guess.copy),
                    attempt.when,
                    attempt.before,
                    attempt.marked_late,
                    one.is_skeleton,
                )
            )
        self._gathered.unsure += [f"{student}: {line}" for line in found.remarks]
        self._gathered.unmatched += [
            f"{student}: {line}: nothing says which lab it is for" for line in found.kernels
        ]
        self._gathered.left[student] += found.others
