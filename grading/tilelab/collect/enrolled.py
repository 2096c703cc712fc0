"""Who is in a class: the students of its folders, of an earlier collection, and of the roster."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from tilelab.base.errors import UserError
from tilelab.base.text import one_line, suggestion
from tilelab.collect import roster
from tilelab.collect.attempts import anything
from tilelab.model.course import Course
from tilelab.pipeline.class_folder import ClassFolder, Handed
from tilelab.pipeline.groups import Groups


def of_course(found: ClassFolder, course: Course) -> ClassFolder:
    """The class with the students of the course's roster, and its times. Raises UserError.

    A student whose folder is named by an id, a login, a mail address or a name has the key of the
    folder, which is how the class was made.
    """
    if course.rosters:
        found = _with_roster(found, course)
    if not course.submitted:
        return found
    collected = found.collected
    course = Groups(collected.students).course(course)
    noted = {(one.student, one.lab) for one in collected.files}
    others = [Handed(*key) for key in course.submitted if key not in noted]
    files = with_times([*collected.files, *others], course)
    return dataclasses.replace(found, collected=dataclasses.replace(collected, files=files))


def _with_roster(found: ClassFolder, course: Course) -> ClassFolder:
    people = roster.load_all(course)
    folders = {
        people.find(anything(folder.name)): one_line(folder.name) for folder in found.students
    }
    students = {student.key: student for student in found.collected.students}
    for student in people.students:
        key = folders.get(student.key, student.key)
        students[key] = replace(student, key=key)
    collected = dataclasses.replace(found.collected, students=list(students.values()))
    return dataclasses.replace(found, notes=[*found.notes, *people.remarks], collected=collected)


def with_times(files: Sequence[Handed], course: Course) -> list[Handed]:
    """The notes on files, with the times that the course has by hand, which count."""
    by_hand = ((one, course.submitted.get((one.student, one.lab))) for one in files)
    return [replace(one, submitted=when.isoformat()) if when else one for one, when in by_hand]


def strangers_with_extensions(found: ClassFolder, course: Course, folder: Path) -> list[str]:
    """A line about each extension, and each time by hand, of somebody who is not in the class.

    Raises UserError if there is a roster, in which everybody is who may get one.
    """
    known = {one_line(student.name) for student in found.students}
    known |= {student.key for student in found.collected.students}
    lines = unknown_students(course, folder, known)
    if lines and found.collected.students:
        more = f" ({len(lines) - 1} more like that)" if len(lines) > 1 else ""
        raise UserError(f"{lines[0]}{more}")
    return lines


def unknown_students(course: Course, folder: Path, known: set[str]) -> list[str]:
    """A line about each student whom the course names, and who is none of these."""
    tables = {"extensions": course.extensions, "submitted": course.submitted}
    return [
        f"{course.path}: {_unknown(f'{table}.{name}', name, folder, known)}"
        for table, moments in tables.items()
        for name in sorted({student for student, _ in moments} - known)
    ]


def _unknown(where: str, name: str, folder: Path, known: set[str]) -> str:
    return f"{one_line(where)}: {folder} has no such student{suggestion(name, known)}"
