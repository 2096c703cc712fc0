"""Who is to be graded in what."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.text import one_line
from tilelab.labs.course import assert_has, lab_of
from tilelab.labs.lab import unreadable
from tilelab.model.course import Course
from tilelab.model.lab import Lab
from tilelab.pipeline import class_folder
from tilelab.pipeline.class_folder import ClassFolder
from tilelab.pipeline.groups import Groups
from tilelab.pipeline.shared_files import SharedFiles


@dataclass(frozen=True)
class Job:
    """One student's file for one lab. `submitted` is ISO 8601, or None if nobody noted it.

    The file may be another one's of the student's group. `remark` is about that.
    """

    student: str
    lab: Lab
    path: Path
    submitted: str | None = None
    remark: str = ""

    @property
    def name(self) -> str:
        """What people call it: "amber/diff"."""
        return f"{self.student}/{self.lab.name}"


def of_class(
    folder: Path, found: ClassFolder, course: Course, labs: Sequence[str], students: Sequence[str]
) -> list[Job]:
    """A job for each student and lab. Raises UserError if there is nothing to grade.

    Without `labs`, these are the course's that can be read, but for those that are not due yet, or
    those that somebody handed in. `students` are all if none is named, also those of the roster who
    handed in nothing.
    """
    names = labs or _due(course, found) or class_folder.labs_in(folder, found.students)
    assert_has(course, names)
    loaded = [lab_of(course, name) for name in names]
    people = folders_of(folder, found)
    submitted = {(one.student, one.lab): one.submitted for one in found.collected.files}
    shared = SharedFiles(people, Groups(found.collected.students))
    jobs = []
    for student in _chosen(folder, people, students):
        for lab in loaded:
            whose, remark = shared.whose(student, lab)
            path = people[whose] / f"{lab.name}.cu"
            jobs.append(Job(student, lab, path, submitted.get((whose, lab.name)), remark))
    return jobs


def not_due(course: Course, found: ClassFolder) -> list[str]:
    """The labs of the course whose deadline is still to come, and that nobody has handed in.

    Nobody is late yet, so nobody should read of a file that is missing. None if no other is left.
    """
    now = datetime.datetime.now(datetime.UTC)
    there = class_folder.handed_in(found.students)
    later = [
        name
        for name, one in course.assignments.items()
        if one.deadline and one.deadline > now and name not in there
    ]
    return later if set(_readable(course)) - set(later) else []


def _due(course: Course, found: ClassFolder) -> list[str]:
    """The other labs of the course that can be read."""
    later = not_due(course, found)
    return [name for name in _readable(course) if name not in later]


def _readable(course: Course) -> list[str]:
    left_out = unreadable() if course.assignments else {}
    return [name for name in course.assignments if name not in left_out]


def folders_of(folder: Path, found: ClassFolder) -> dict[str, Path]:
    """The folder of each student, by key."""
    folders = {class_folder.student_of(student): student for student in found.students}
    for student in found.collected.students:
        folders.setdefault(student.key, folder / student.key)
    return folders


def _chosen(folder: Path, people: Collection[str], chosen: Sequence[str]) -> list[str]:
    for name in chosen:
        if name not in people:
            raise UserError(f"--student {one_line(name)}: {folder} has no such student")
    return sorted(set(chosen) or people)
