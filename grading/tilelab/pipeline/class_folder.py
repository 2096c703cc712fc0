"""A class: a folder with <student>/<lab>.cu, and what `tilelab collect` noted about the files."""

from __future__ import annotations

import os
import shutil
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tilelab.base.errors import UserError
from tilelab.base.files import read_limited, write_atomically
from tilelab.base.records import decoded, text_of
from tilelab.base.text import listed_few, one_line
from tilelab.labs.lab import all_labs, unreadable
from tilelab.model.grade import Asked
from tilelab.model.student import Student

# Written by `collect` next to the students' folders.
NOTES = "collected.json"
# Written by `grade` to a folder that may lie next to them, too.
RECORD = "record.sqlite"
_SHOWN = 20  # files that are ignored
_MOST_BYTES = 256 * 1024 * 1024


class Handed(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a file came from. `submitted` is ISO 8601 in UTC, or None if the source does not say.

    `attempt` counts from 1, among `attempts` that were found. `by` is how we know the lab.
    """

    student: str
    lab: str
    submitted: str | None = None
    source: str = ""
    attempt: int = 1
    attempts: int = 1
    by: str = "name"


class Decision(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose a file of a download is, or who a student of one is. `what` is how a source calls it.

    Of a file there is the lab, and the `sha256` of the content that this is about. Without a
    student it is nobody's, and counts as nothing.
    """

    what: str
    student: str = ""
    lab: str = ""
    sha256: str = ""


@dataclass(frozen=True)
class Collected:
    """What collecting a class found out: the roster, each file, and what a person decided.

    `questions` are those of students about their grades. `known` has what else rosters know a
    student by, by key: the kind, such as "github", and all values of it.
    """

    students: list[Student] = field(default_factory=list)
    files: list[Handed] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    questions: list[Asked] = field(default_factory=list)
    known: dict[str, dict[str, list[str]]] = field(default_factory=dict)


class _Notes(Struct, frozen=True):
    schema: int
    students: list[Student]
    files: list[Handed]
    decisions: list[Decision] = []
    questions: list[Asked] = []
    known: dict[str, dict[str, list[str]]] = {}


@dataclass(frozen=True)
class ClassFolder:
    """The students' folders, a note about every entry that was ignored, and what was collected."""

    students: list[Path]
    notes: list[str]
    collected: Collected = field(default_factory=Collected)


def read_class(folder: Path) -> ClassFolder:
    """Finds the students' folders. Raises UserError if there are none."""
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}") from error
    students, notes = [], []
    for entry in entries:
        if entry.name == NOTES and entry.is_file():
            continue
        if entry.name.startswith("."):
            notes.append(f"ignored {one_line(entry.name)}: hidden")
        elif entry.is_symlink() or not entry.is_dir():
            notes.append(f"ignored {one_line(entry.name)}: not a student's folder")
        elif is_record(entry):
            notes.append(f"ignored {one_line(entry.name)}: it holds {RECORD}")
        else:
            students.append(entry)
    if not students:
        raise UserError(
            f"{folder} has no folders of students: put submissions at DIR/<student>/<lab>.cu"
        )
    return ClassFolder(students, notes + _ignored(students), read_notes(folder))


def assert_outside(out: Path, folder: Path) -> None:
    """Raises UserError if pages would go into a class, where the next command takes them for work.

    Results with a record may lie there.
    """
    if out.resolve().is_relative_to(folder.resolve()):
        raise UserError(
            f"--out {one_line(str(out))} is in {one_line(str(folder))}, where each folder is a "
            "student's: name one outside"
        )


def is_record(folder: Path) -> bool:
    """Whether a folder holds the grades of a class rather than a student's files."""
    return os.path.isfile(folder / RECORD)  # a folder that cannot be entered is said to be one


def _ignored(students: Sequence[Path]) -> list[str]:
    """A line about what lies in students' folders and is no <lab>.cu, which may be meant as one."""
    read = {f"{lab}.cu" for lab in all_labs()}
    names = [
        f"{one_line(student.name)}/{one_line(name)}"
        for student in students
        for name in _names_in(student)
        if name not in read and not name.startswith(".")
    ]
    if not names:
        return []
    return [f"ignored {listed_few(names, _SHOWN)}: only <lab>.cu counts"]


def _names_in(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError as error:
        raise UserError(f"{one_line(str(folder))}: {error.strerror}") from error


def student_of(folder: Path) -> str:
    """The student whose folder this is. Accents count the same in whatever way they are encoded."""
    return unicodedata.normalize("NFC", one_line(folder.name))


def handed_in(students: Sequence[Path]) -> list[str]:
    """The labs that at least one student handed in. The others were probably not assigned."""
    left_out = unreadable()
    return [
        lab
        for lab in all_labs()
        if lab not in left_out
        and any(os.path.lexists(student / f"{lab}.cu") for student in students)
    ]


def labs_in(folder: Path, students: Sequence[Path]) -> list[str]:
    """The labs that were handed in. Raises UserError if there are none."""
    names = handed_in(students)
    if not names:
        raise UserError(
            f"{folder} has no submissions: put them at DIR/<student>/<lab>.cu, where <lab> is one "
            f"of {', '.join(all_labs())}"
        )
    return names


def read_notes(folder: Path) -> Collected:
    """What `collect` noted about a class, nothing if it was not collected. Raises UserError."""
    path = folder / NOTES
    if not path.exists():
        return Collected()
    try:
        notes = decoded(read_limited(path, _MOST_BYTES), _Notes)
        if notes.schema != 1:
            raise ValueError(f"unknown schema {notes.schema}")
        return Collected(notes.students, notes.files, notes.decisions, notes.questions, notes.known)
    except (UserError, ValueError) as error:
        raise UserError(
            f"{path} cannot be used ({error}): remove it, and collect the class again"
        ) from error


def forget(folder: Path, student: str, group: Sequence[str] = ()) -> list[Path]:
    """Removes a student's folder, and what `collect` noted about the student. Says what is gone.

    A file that is also that of others in the `group`, none of whom has one, is moved to the first.
    """
    noted = read_notes(folder)
    gone = [path for path in read_class(folder).students if student_of(path) == student]
    moved = {one.stem for path in gone for one in _hand_over(path, group)}
    for path in gone:
        shutil.rmtree(path)
    files = [one for one in noted.files if one.student == student and one.lab in moved]
    kept = Collected(
        [one for one in noted.students if one.key != student],
        [one for one in noted.files if one.student != student]
        + [replace(one, student=group[0], source="") for one in files],
        [one for one in noted.decisions if one.student != student],
        [one for one in noted.questions if one.student != student],
        {key: one for key, one in noted.known.items() if key != student},
    )
    if kept != noted:
        write_notes(folder, kept)
        gone.append(folder / NOTES)
    return gone


def _hand_over(path: Path, group: Sequence[str]) -> list[Path]:
    """Copies the files in a student's folder that the group has nowhere else."""
    copied = []
    for lab in all_labs() if group else []:
        file, members = path / f"{lab}.cu", [path.parent / one for one in group]
        has_one = any(os.path.lexists(one / file.name) for one in members)
        if file.is_file() and not file.is_symlink() and not has_one:
            members[0].mkdir(exist_ok=True)
            copied.append(Path(shutil.copyfile(file, members[0] / file.name)))
    return copied


def write_notes(folder: Path, collected: Collected) -> None:
    notes = _Notes(
        1,
        collected.students,
        collected.files,
        collected.decisions,
        collected.questions,
        collected.known,
    )
    write_atomically(folder / NOTES, text_of(notes, indent=1) + "\n")
