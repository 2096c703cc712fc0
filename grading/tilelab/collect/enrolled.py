"""Who is in a class: the students of its folders, of an earlier collection, and of the roster."""

from __future__ import annotations

import dataclasses
import difflib
from pathlib import Path

from msgspec.structs import replace

from tilelab.base.errors import UserError
from tilelab.base.text import one_line
from tilelab.collect import roster
from tilelab.collect.attempts import anything
from tilelab.model.course import Course
from tilelab.pipeline.class_folder import ClassFolder, Collected


def of_course(found: ClassFolder, course: Course) -> ClassFolder:
    """The class with the students of the course's roster. Raises UserError.

    A student whose folder is named by an id, a login, a mail address or a name has the key of the
    folder, which is how the class was made.
    """
    if course.roster is None:
        return found
    people = roster.load(course.roster, course.time_zone)
    folders = {
        people.find(anything(folder.name)): one_line(folder.name) for folder in found.students
    }
    students = {student.key: student for student in found.collected.students}
    for student in people.students:
        key = folders.get(student.key, student.key)
        students[key] = replace(student, key=key)
    collected = Collected(list(students.values()), found.collected.files)
    return dataclasses.replace(found, notes=[*found.notes, *people.remarks], collected=collected)


def strangers_with_extensions(found: ClassFolder, course: Course, folder: Path) -> list[str]:
    """A line about each extension of somebody who is not in the class.

    Raises UserError if there is a roster, in which everybody is who may get one.
    """
    known = {one_line(student.name) for student in found.students}
    known |= {student.key for student in found.collected.students}
    strange = sorted({student for student, _ in course.extensions if student not in known})
    lines = [f"{course.path}: {_unknown(name, folder, known)}" for name in strange]
    if lines and found.collected.students:
        more = f" ({len(lines) - 1} more like that)" if len(lines) > 1 else ""
        raise UserError(f"{lines[0]}{more}")
    return lines


def _unknown(name: str, folder: Path, known: set[str]) -> str:
    near = difflib.get_close_matches(name, sorted(known), 1)
    hint = f". Did you mean {near[0]}?" if near else ""
    return f"extensions.{one_line(name)}: {folder} has no such student{hint}"
