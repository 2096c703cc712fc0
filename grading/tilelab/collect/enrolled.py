"""Who is in a class: the students of its folders, of an earlier collection, and of the roster."""

from __future__ import annotations

import dataclasses
import datetime
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from tilelab.base.errors import UserError
from tilelab.base.text import listed, one_line, shorten, suggestion, words
from tilelab.collect import roster
from tilelab.collect.attempts import anything
from tilelab.collect.roster.names import normal
from tilelab.collect.roster.people import LIKE_KEYS, Roster
from tilelab.model.course import Course
from tilelab.model.student import Student
from tilelab.pipeline.class_folder import ClassFolder, Collected, Handed, student_of
from tilelab.pipeline.groups import Groups

_TELLING = ("id", "login", "email")
_OF_SYSTEMS = ("canvas", "moodle", "github")
_SHOWN = 80  # characters of who somebody is

_Moments = Mapping[tuple[str, str], datetime.datetime]


def of_course(found: ClassFolder, course: Course) -> ClassFolder:
    """The class with the students of the course's roster, and its times.

    A student whose folder is named by an id, a login, a mail address or a name has the key of the
    folder, which is how the class was made. Who is in no roster gets a line. Raises UserError, also
    if two folders are of one student.
    """
    people = roster.load_all(course)
    assert_same_people(found.collected.students, people)
    folders = _folders(found, people)
    if course.rosters:
        doubts = _doubtful_folders(found, people)
        found = _with_roster(found, people, folders)
        found = dataclasses.replace(found, notes=[*found.notes, *doubts])
    if strangers := _strangers(found):
        found = dataclasses.replace(found, notes=[*found.notes, strangers])
    if not course.submitted:
        return found
    collected = found.collected
    course = for_class(course, found)
    noted = {(one.student, one.lab) for one in collected.files}
    others = [Handed(*key) for key in course.submitted if key not in noted]
    files = with_times([*collected.files, *others], course)
    return dataclasses.replace(found, collected=dataclasses.replace(collected, files=files))


def assert_same_people(before: Iterable[Student], people: Roster) -> None:
    """Raises UserError if a key is another student's now, who would get the first one's work."""
    now = {student.key: student for student in people.students}
    for one in before:
        other = now.get(one.key)
        if other and _are_two(one, other, people):
            raise UserError(
                f"{one_line(one.key)} was {_described(one)} before, and is {_described(other)} in "
                "the roster now, so it is not clear whose the files and grades are: give two "
                "students two names in the column `student`, and one student the same id, login or "
                "email in both"
            )


def recall(people: Roster, notes: Collected) -> None:
    """Adds what systems call the students, as rosters of an earlier collection said it."""
    for student in people.students:
        for kind, values in notes.known.get(student.key, {}).items():
            for value in values:
                if kind in _OF_SYSTEMS and not people.keys(kind, value):
                    people.learn(student, {kind: value})


def renamed(before: Iterable[Student], people: Roster) -> dict[str, str]:
    """Who has another key now than before, by the key before: an id or the like tells it."""
    keys = {student.key for student in people.students}
    found = {}
    for one in before:
        said = ((kind, getattr(one, kind)) for kind in _TELLING)
        now = set().union(*(people.keys(kind, value) for kind, value in said))
        if one.key not in keys and len(now) == 1:
            found[one.key] = now.pop()
    return found


def _are_two(one: Student, other: Student, people: Roster) -> bool:
    """Whether two students with the same key are certainly not one."""
    pairs = [(normal(getattr(one, kind)), normal(getattr(other, kind))) for kind in _TELLING]
    known = [pair for pair in pairs if all(pair)]
    if any(before == now for before, now in known):
        return False
    said = ((kind, getattr(one, kind)) for kind in _TELLING)
    if any(people.keys(kind, value) - {other.key} for kind, value in said):
        return True
    mine, others = words(one.name), words(other.name)
    if not mine or not others or sorted(mine) == sorted(others):
        return False
    return bool(known) or not set(mine) & set(others)


def _described(student: Student) -> str:
    labels = [one for one in (student.id, student.login, student.email) if one]
    named = f"{student.name} ({labels[0]})" if student.name and labels else student.name
    return shorten(one_line(named or "".join(labels[:1]) or student.key), _SHOWN)


def for_class(course: Course, found: ClassFolder) -> Course:
    """The course with its times for the students as the class names them, and for their groups."""
    keys = {student_of(folder) for folder in found.students}
    named = with_keys(course, people_of(found.collected), keys)
    return Groups(found.collected.students).course(named)


def with_keys(course: Course, people: Roster, keys: Collection[str]) -> Course:
    """The course with its times by the keys of students, whom it may name by whatever is known.

    Some `keys` may be of students who are in no roster. Raises UserError if a name may be two.
    """

    def key_of(table: str, name: str) -> str:
        plain = unicodedata.normalize("NFC", name)
        if plain in keys:
            return plain
        may_be, _ = people.candidates(anything(plain))
        if len(may_be) > 1:
            who = " or ".join(map(one_line, may_be))
            raise UserError(
                f"{course.path}: {one_line(f'{table}.{name}')} may be {who}: write which one"
            )
        return may_be[0] if may_be else plain

    def with_keys_in(table: str, moments: _Moments) -> dict[tuple[str, str], datetime.datetime]:
        found: dict[tuple[str, str], datetime.datetime] = {}
        for (name, lab), when in moments.items():
            place = (key_of(table, name), lab)
            found[place] = max(when, found.get(place, when))
        return found

    return replace(
        course,
        extensions=with_keys_in("extensions", course.extensions),
        submitted=with_keys_in("submitted", course.submitted),
    )


def people_of(collected: Collected) -> Roster:
    """The roster of an earlier collection."""
    people = Roster()
    for one in collected.students:
        facts = {"id": one.id, "login": one.login, "email": one.email, "name": one.name}
        people.add(one, facts)
        for kind, values in collected.known.get(one.key, {}).items():
            for value in values:
                people.learn(one, {kind: value})
    return people


def _with_roster(found: ClassFolder, people: Roster, folders: Mapping[str, Path]) -> ClassFolder:
    students = {student.key: student for student in found.collected.students}
    known = {**found.collected.known, **people.known}
    for student in people.students:
        key = student_of(folders[student.key]) if student.key in folders else student.key
        students[key] = replace(student, key=key)
        known[key] = {**known.get(student.key, {}), "key": [student.key]}
    collected = dataclasses.replace(found.collected, students=list(students.values()), known=known)
    return dataclasses.replace(found, notes=[*found.notes, *people.remarks], collected=collected)


def _folders(found: ClassFolder, people: Roster) -> dict[str, Path]:
    """The folder of each student who has one, by key. Raises UserError if somebody has two."""
    folders: dict[str, Path] = {}
    for folder in found.students:
        key = people.find(anything(folder.name)) or student_of(folder)
        if folders.setdefault(key, folder) != folder:
            raise UserError(
                f"{one_line(str(folders[key]))} and {one_line(folder.name)} are folders of the "
                f"same student, {key}: put the files that count into one, and remove the other"
            )
    return folders


def _doubtful_folders(found: ClassFolder, people: Roster) -> list[str]:
    """A line about each folder that somebody made, and whose name the roster has for two."""
    made = {student.key for student in found.collected.students}
    lines = []
    for folder in found.students:
        key = people.find(anything(folder.name))
        known = {who for kind in ("key", *LIKE_KEYS) for who in people.keys(kind, folder.name)}
        if key and student_of(folder) not in made and (others := sorted(known - {key})):
            who, also = one_line(key), " and ".join(map(one_line, others))
            name = one_line(folder.name)
            lines.append(f"{name} may be {who} or {also} in the roster: it counts for {who}")
    return lines


def _strangers(found: ClassFolder) -> str:
    """A line about the folders that are of nobody in the roster, "" if there is none."""
    known = {student.key for student in found.collected.students}
    names = [name for name in map(student_of, found.students) if name not in known]
    return f"not in the roster: {listed(names)}" if known and names else ""


def with_times(files: Sequence[Handed], course: Course) -> list[Handed]:
    """The notes on files, with the times that the course has by hand, which count."""
    by_hand = ((one, course.submitted.get((one.student, one.lab))) for one in files)
    return [replace(one, submitted=when.isoformat()) if when else one for one, when in by_hand]


def strangers_with_extensions(found: ClassFolder, course: Course, folder: Path) -> list[str]:
    """A line about each extension, and each time by hand, of somebody who is not in the class.

    Raises UserError if there is a roster, in which everybody is who may get one.
    """
    known = {student_of(student) for student in found.students}
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
