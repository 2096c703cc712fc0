"""The roster: CSV files with a row per student, as learning systems export them.

Rows of several files are of one student if they have the same id, login or mail address, in this
order, or else the same name, if nobody else in these files has it.

Moodle's grading worksheet is one too, and has the times that its download of files lacks. Its
columns are those of mod/assign/gradingtable.php in https://github.com/moodle/moodle, those of
Canvas's gradebook of lib/gradebook_importer.rb in https://github.com/instructure/canvas-lms.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.text import nearest, one_line, shorten
from tilelab.collect.attempts import Kind
from tilelab.collect.folder_names import folder_name
from tilelab.collect.roster import belonging, table, times
from tilelab.collect.roster.merging import Merging
from tilelab.collect.roster.names import in_any_order
from tilelab.collect.roster.people import Roster
from tilelab.model.course import Course
from tilelab.model.student import Student
from tilelab.pipeline.groups import Groups

# In the grading worksheet of a Moodle in German, which calls the participants "ID".
_OF_GERMAN = "zuletzt geändert (abgabe)"
# How Canvas, Moodle, Gradescope, Blackboard and GitHub Classroom spell their headers, and we ours.
_HEADERS: dict[str, tuple[str, ...]] = {
    "key": ("student", "folder"),
    "canvas": ("canvas", "canvas id", "canvas user id", "canvas_user_id"),
    "moodle": ("moodle", "participant", "participant id"),
    "github": ("github", "github username", "github_username"),
    "id": (
        "id",
        "id-nummer",
        "sis user id",
        "sid",
        "id number",
        "idnumber",
        "student id",
        "student number",
        "user_id",
    ),
    "login": (
        "login",
        "sis login id",
        "login id",
        "username",
        "user name",
        "user",
        "login_id",
        "anmeldename",
    ),
    "email": ("email", "email address", "e-mail", "e-mail address", "mail", "e-mail-adresse"),
    "name": ("name", "full name", "fullname", "student name", "vollständiger name"),
    "first": ("first name", "firstname", "given name", "first", "vorname"),
    "last": ("last name", "lastname", "surname", "family name", "last", "nachname"),
    "identifier": ("identifier",),
    "role": ("role", "roles"),
    "section": ("section", "sections", "section name", "section_name"),
    "groups": ("groups", "gruppen"),  # what Moodle calls sections
    "group": ("group", "group name", "group_name", "team", "team name", "gruppe"),
    "submitted": ("last modified (submission)", _OF_GERMAN),  # in Moodle's grading worksheet
}
_FIELDS = {header: kind for kind, headers in _HEADERS.items() for header in headers}
_OF_CANVAS = ("sis user id", "sis login id", "root account", "integration id")
_GRADED_BY_CANVAS = re.compile(r".+\(\d+\)|(current|final) (score|points|grade)")
# What a student's folder may be named by, in this order.
_NAMING: tuple[Kind, ...] = ("key", "login", "id", "email", "github", "name", "canvas", "moodle")
_RANDOM = re.compile(r"([0-9a-f]{32,})?")  # or no login at all
_PARTICIPANT = re.compile(r"(?:\D+ |Teilnehmer/in)(\d+)")  # Moodle translates the word


def load(path: Path, zone: datetime.tzinfo | None = None, roster: Roster | None = None) -> Roster:
    """Reads a roster, whose times are those of `zone`, or adds it to another one.

    Raises UserError with one line that says what is wrong with it.
    """
    rows = table.rows(path)
    header = [cell.strip().casefold() for cell in rows[0]] if rows else []
    columns = _columns(header)
    _assert_once(header, path)
    if not set(columns) & {"key", "id", "login", "email", "name", "last", "github", "identifier"}:
        raise UserError(
            f"{path} has no column that names students: its first line must be a header such as "
            "student,name,email,id"
        )
    roster = roster or Roster()
    roster.remarks += _misspelled(header, one_line(path.name))
    is_canvas = _is_canvas(header)
    entries = list(_entries(rows, columns, f"{one_line(path.name)}, row", roster, is_canvas))
    if not entries:
        raise UserError(f"{path} has no student: add a row for each below the header")
    names = [facts.get("name", "") for _, facts in entries]
    merging = Merging(roster, names)
    shared = {name for name, count in Counter(map(in_any_order, names)).items() if count > 1}
    for where, facts in entries:
        student = _student(facts, roster, where, shared, of_canvas=is_canvas)
        merging.add(student, facts, where)
        _note_time(roster, facts, where, zone)
    return roster


def load_all(course: Course, others: Sequence[Path] = (), roster: Roster | None = None) -> Roster:
    """Reads those of a course and others, the first of which names the folders.

    Raises UserError likewise. It says where a file is named that the user did not type.
    """
    roster = roster or Roster()
    for path in course.rosters:
        try:
            load(path, course.time_zone, roster)
        except UserError as error:
            raise UserError(f"{error} ({course.path} names this roster)") from error
    for path in others:
        load(path, course.time_zone, roster)
    if course.rosters or others:
        roster.remarks += [
            f"group {name}: nobody but {key} is in it"
            for name, key in Groups(roster.students).alone.items()
        ]
    return roster


def _entries(
    rows: Sequence[list[str]],
    columns: dict[str, int],
    where: str,
    roster: Roster,
    of_canvas: bool,
) -> Iterator[tuple[str, dict[str, str]]]:
    """Each student's row, and where it is."""
    for number, row in enumerate(rows[1:], 2):
        facts = _facts(columns, row)
        if not any(facts.values()) or facts.get("name", "").startswith("Points Possible"):
            continue
        if of_canvas and _is_test_student(facts):
            roster.remarks.append(f"{where} {number}: is no student, but Canvas's Test Student")
            continue
        if facts.get("role", "student").casefold() not in ("student", "learner", ""):
            role = shorten(one_line(facts["role"]), 80)
            roster.remarks.append(f"{where} {number}: is no student, but {role}")
            continue
        if not any(facts.get(kind) for kind in _NAMING):
            roster.remarks.append(f"{where} {number}: names no student")
            continue
        yield f"{where} {number}", facts


def _is_test_student(facts: dict[str, str]) -> bool:
    """Whether this is who Canvas adds to a course for teachers. A student of that name has an id.

    Its login is made of random hexadecimal digits.
    """
    is_named = in_any_order(facts.get("name", "")) == "student test"
    return is_named and not facts.get("id") and bool(_RANDOM.fullmatch(facts.get("login", "")))


def _note_time(
    roster: Roster, facts: dict[str, str], where: str, zone: datetime.tzinfo | None
) -> None:
    text = facts.get("submitted", "")
    if not facts.get("moodle") or text in ("", "-"):
        return
    when = times.read(text)
    if when is None or zone is None:
        unread = "cannot be read; English and German ones can"
        why = unread if zone else "needs time_zone in course.toml"
        roster.remarks.append(f"{where}: the time '{one_line(text)}' {why}")
        return
    roster.times[facts["moodle"]] = when.replace(tzinfo=zone).astimezone(datetime.UTC)


def _columns(header: list[str]) -> dict[str, int]:
    """The column of each field. The first one counts, where two mean the same."""
    columns: dict[str, int] = {}
    is_canvas = _is_canvas(header)
    for number, cell in enumerate(header):
        kind = _FIELDS.get(cell)
        if is_canvas:
            kind = {"student": "name", "id": "canvas"}.get(cell, kind)
        elif cell == "id" and _OF_GERMAN in header:
            kind = "identifier"
        if kind:
            columns.setdefault(kind, number)
    return columns


def _assert_once(header: Sequence[str], path: Path) -> None:
    for cell in header:
        if cell in _FIELDS and header.count(cell) > 1:
            raise UserError(f"{path} has two columns '{cell}': remove one, or rename it")


def _misspelled(header: Sequence[str], name: str) -> Iterator[str]:
    """A line for each column that is not read, but nearly has the name of one that is."""
    for cell in header:
        if cell not in _FIELDS and (meant := nearest(cell, _FIELDS)):
            shown = shorten(one_line(cell), 80)
            yield f"{name}: the column '{shown}' is not read. Did you mean {meant}?"


def _is_canvas(header: list[str]) -> bool:
    """Whether this is Canvas's gradebook, in which `student` is a name and `id` its own number.

    A roster that somebody wrote may have a section, too, but no grades.
    """
    if "student" not in header or "name" in header:
        return False
    is_graded = any(_GRADED_BY_CANVAS.fullmatch(cell) for cell in header)
    return bool(set(_OF_CANVAS) & set(header)) or ("section" in header and is_graded)


def _facts(columns: dict[str, int], row: list[str]) -> dict[str, str]:
    facts = {kind: row[at].strip() if at < len(row) else "" for kind, at in columns.items()}
    groups = facts.pop("groups", "")
    facts["section"] = facts.get("section") or groups
    first, last = facts.pop("first", ""), facts.pop("last", "")
    if not facts.get("name") and (first or last):
        facts["name"] = f"{first} {last}".strip()
    if identifier := facts.pop("identifier", ""):
        participant = _PARTICIPANT.fullmatch(identifier)
        if participant:
            facts.setdefault("moodle", participant[1])
        else:  # GitHub Classroom's word for whatever a roster has
            facts.setdefault("id", identifier)
    return facts


def _student(
    facts: dict[str, str], roster: Roster, where: str, shared: Collection[str], *, of_canvas: bool
) -> Student:
    """The student of a row. `shared` are names that several rows have."""
    kind = next(kind for kind in _NAMING if facts.get(kind))
    name = unicodedata.normalize("NFC", facts.get("name", ""))
    number = facts.get("canvas") or facts.get("moodle")
    is_shared = kind == "name" and in_any_order(name) in shared
    return Student(
        folder_name(f"{name} {number}" if is_shared and number else facts[kind]),
        name,
        facts.get("email", ""),
        facts.get("id", ""),
        belonging.sections(facts.get("section", ""), roster, where, of_canvas=of_canvas),
        belonging.group(facts.get("group", ""), roster, where),
        facts.get("login", ""),
    )
