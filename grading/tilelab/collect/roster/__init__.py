"""The roster: a CSV file with a row per student, as learning systems export it.

Moodle's grading worksheet is one too, and has the times that its download of files lacks. Its
columns are those of mod/assign/gradingtable.php in https://github.com/moodle/moodle, those of
Canvas's gradebook of lib/gradebook_importer.rb in https://github.com/instructure/canvas-lms.
"""

from __future__ import annotations

import contextlib
import csv
import datetime
import io
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.text import one_line
from tilelab.collect.attempts import Identity, Kind
from tilelab.collect.folder_names import folder_name
from tilelab.model.student import Student

_MOST_BYTES = 32 * 1024 * 1024

# How Canvas, Moodle, Gradescope, Blackboard and GitHub Classroom spell their headers, and we ours.
_HEADERS: dict[str, tuple[str, ...]] = {
    "key": ("student", "folder"),
    "canvas": ("canvas", "canvas id", "canvas user id"),
    "moodle": ("moodle", "participant", "participant id"),
    "github": ("github", "github username", "github_username"),
    "id": ("id", "sis user id", "sid", "id number", "idnumber", "student id", "student number"),
    "login": ("login", "sis login id", "login id", "username", "user name", "user"),
    "email": ("email", "email address", "e-mail", "e-mail address", "mail"),
    "name": ("name", "full name", "fullname", "student name"),
    "first": ("first name", "firstname", "given name", "first"),
    "last": ("last name", "lastname", "surname", "family name", "last"),
    "identifier": ("identifier",),
    "role": ("role", "roles"),
    "submitted": ("last modified (submission)",),  # in Moodle's grading worksheet
}
_FIELDS = {header: kind for kind, headers in _HEADERS.items() for header in headers}
_OF_CANVAS = ("sis user id", "sis login id", "section", "root account", "integration id")
_LIKE_KEYS = ("id", "login", "email", "github")  # a column `student` may have any of these
_NAMES = ("name", "squeezed")
# As Moodle writes times in English. It translates the words, but has no other form to choose.
_TIMES = (
    "%A, %d %B %Y, %I:%M %p",
    "%A, %B %d, %Y, %I:%M %p",
    "%A, %d %B %Y, %H:%M",
    "%A, %B %d, %Y, %H:%M",
)
_PARTICIPANT = re.compile(r"\D+ (\d+)")  # Moodle translates the word


@dataclass
class Roster:
    """The students, a line about each row that does not count, and who is known by what.

    `times` are when participants of an assignment in Moodle handed in, by their numbers.
    """

    students: list[Student] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    times: dict[str, datetime.datetime] = field(default_factory=dict)
    _known: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))

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
        return next((one for one in self.students if one.key == key), Student(key))

    def time(self, identity: Identity) -> datetime.datetime | None:
        """When this participant handed in, if the roster is a worksheet that says so."""
        numbers = (value for kind, value in identity.known if kind == "moodle")
        return next((self.times[number] for number in numbers if number in self.times), None)

    def add(self, student: Student, facts: dict[str, str]) -> None:
        self.students.append(student)
        for kind, value in [*facts.items(), ("key", student.key)]:
            if value:
                self._known[kind, normal(value)].add(student.key)
        for name in _spellings(student.name):
            self._known["name", normal(name)].add(student.key)
            self._known["squeezed", squeeze(name)].add(student.key)


def _asked(identity: Identity) -> Iterator[tuple[str, str]]:
    """What to look for, the surest first."""
    for kind, value in identity.known:
        yield kind, normal(value)
        if kind in _LIKE_KEYS:
            yield "key", normal(value)
    for kind, value in identity.known:
        if kind == "name":
            yield "squeezed", squeeze(value)


def normal(text: str) -> str:
    """The same for spellings that differ only in case, spaces or how accents are encoded."""
    return " ".join(unicodedata.normalize("NFC", text.casefold()).split())


def squeeze(name: str) -> str:
    """A name as in names of Canvas's files."""
    return re.sub(r"[\W_]", "", normal(name))


def load(path: Path, zone: datetime.tzinfo | None = None) -> Roster:
    """Reads a roster, whose times are those of `zone`.

    Raises UserError with one line that says what is wrong with it.
    """
    rows = _rows(path)
    header = [cell.strip().casefold() for cell in rows[0]] if rows else []
    columns = _columns(header)
    if not set(columns) & {"key", "id", "login", "email", "name", "last", "github", "identifier"}:
        raise UserError(
            f"{path} has no column that names students: its first line must be a header such as "
            "student,name,email,id"
        )
    roster = Roster()
    seen: dict[str, int] = {}
    for number, row in enumerate(rows[1:], 2):
        facts = _facts(columns, row)
        if not any(facts.values()) or facts.get("name", "").startswith("Points Possible"):
            continue
        where = f"{path.name}, row {number}"
        if facts.get("role", "student").casefold() not in ("student", "learner", ""):
            roster.remarks.append(f"{where}: is no student, but {one_line(facts['role'])}")
            continue
        student = _student(facts)
        if first := seen.get(normal(student.key)):
            shown = one_line(student.key)
            roster.remarks.append(f"{where}: {shown} is in row {first} already, which counts")
            continue
        seen[normal(student.key)] = number
        roster.add(student, facts)
        _note_time(roster, facts, where, zone)
    return roster


def _note_time(
    roster: Roster, facts: dict[str, str], where: str, zone: datetime.tzinfo | None
) -> None:
    text = facts.get("submitted", "")
    if not facts.get("moodle") or text in ("", "-"):
        return
    when = _time(text)
    if when is None or zone is None:
        why = "cannot be read" if zone else "needs time_zone in course.toml"
        roster.remarks.append(f"{where}: the time '{one_line(text)}' {why}")
        return
    roster.times[facts["moodle"]] = when.replace(tzinfo=zone).astimezone(datetime.UTC)


def _time(text: str) -> datetime.datetime | None:
    # Newer versions put a narrow space before AM and PM.
    plain = " ".join(text.split())
    for form in _TIMES:
        with contextlib.suppress(ValueError):
            return datetime.datetime.strptime(plain, form)
    return None


def _rows(path: Path) -> list[list[str]]:
    try:
        data = path.read_bytes()
        if len(data) > _MOST_BYTES:
            raise UserError(f"{path} is larger than {_MOST_BYTES // 1024**2} MiB: is it a roster?")
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8: save it as CSV UTF-8") from error
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise UserError(f"{path} is not CSV: {error}") from error


def _columns(header: list[str]) -> dict[str, int]:
    """The column of each field. The first one counts, where two mean the same."""
    columns: dict[str, int] = {}
    is_canvas = "student" in header and "name" not in header and set(_OF_CANVAS) & set(header)
    for number, cell in enumerate(header):
        kind = _FIELDS.get(cell)
        if is_canvas:
            kind = {"student": "name", "id": "canvas"}.get(cell, kind)
        if kind:
            columns.setdefault(kind, number)
    return columns


def _facts(columns: dict[str, int], row: list[str]) -> dict[str, str]:
    facts = {kind: row[at].strip() if at < len(row) else "" for kind, at in columns.items()}
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


def _student(facts: dict[str, str]) -> Student:
    order: tuple[Kind, ...] = ("key", "login", "id", "email", "github", "name", "canvas", "moodle")
    key = next(facts[kind] for kind in order if facts.get(kind))
    name = unicodedata.normalize("NFC", facts.get("name", ""))
    return Student(folder_name(key), name, facts.get("email", ""), facts.get("id", ""))


def _spellings(name: str) -> list[str]:
    """A name as people and as lists write it: Amber Stone; Stone, Amber."""
    if not name:
        return []
    if "," in name:
        last, _, first = name.partition(",")
        return [name, f"{first.strip()} {last.strip()}"]
    first, _, last = name.rpartition(" ")
    return [name, f"{last}, {first}"] if first else [name]
