"""The formats of `tilelab export`: each is a row of the table at the end."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from tilelab.base.errors import UserError
from tilelab.base.text import counted, listed, one_line
from tilelab.collect.folder_names import folder_name
from tilelab.commands.record_files import about_left_out
from tilelab.commands.sections import narrowed
from tilelab.exports import (
    blackboard,
    canvas,
    delimited,
    filling,
    github,
    github_workflow,
    gradebook,
    gradescope,
    gradescope_zip,
    junit,
    moodle,
)
from tilelab.exports.delimited import Delimited
from tilelab.exports.filling import Filled, Sheet
from tilelab.labs import lab
from tilelab.labs.course import assert_has, lab_of
from tilelab.model.course import Course
from tilelab.model.grade import Grade
from tilelab.model.student import Student
from tilelab.record.store import Store
from tilelab.report import course_noted

# The name of a container's image, which goes into a YAML file as it is.
_IMAGE = re.compile(r"\w[\w.-]*(?:[/:@]\w[\w.-]*)*")


@dataclass(frozen=True)
class Request:
    """What an instructor asked `export` for."""

    format: str
    out: Path
    lab: str | None
    student: str | None
    section: str | None
    to: Path | None
    downloaded: Path | None
    column: str | None
    zero_if_missing: bool
    image: str
    course: Course

    def file(self, *name: str, suffix: str) -> Path:
        """Where to write. What is about a part has another name: it must not replace the whole."""
        part = [one for one in (self.section, self.student) if one]
        return self.to or self.out / f"{folder_name('-'.join([*name, *part]))}{suffix}"

    def grades(self, store: Store) -> list[Grade]:
        """The grades that were asked for. Raises UserError if there are none."""
        named = narrowed(
            [self.student] if self.student else [],
            self.section,
            store.students().values(),
            store.graded_students(),
        )
        chosen = [
            grade
            for grade in store.grades()
            if self.lab in (None, grade.result.lab) and (not named or grade.result.student in named)
        ]
        if not chosen:
            of = " and ".join(name for name in (self.student, self.section, self.lab) if name)
            raise UserError(
                f"the record has no grades of {of}" if of else "the record has no grades"
            )
        return chosen


@dataclass(frozen=True)
class Export:
    """A file to write, and what to say about it first."""

    path: Path
    content: str | bytes
    notes: list[str] = field(default_factory=list)


class MadeSheet(Protocol):
    """Makes a file with points for a system that needs no downloaded gradebook."""

    def __call__(
        self,
        lab: str,
        grades: Sequence[Grade],
        students: Sequence[Student],
        *,
        zero_if_missing: bool,
    ) -> Filled: ...


@dataclass(frozen=True)
class Document:
    """A file about grades, which may have to be of one student and of one lab."""

    name: str
    text: Callable[[Sequence[Grade]], str]
    of_one_student: bool = False
    of_one_lab: bool = False

    def __call__(self, request: Request) -> Export:
        grades = request.grades(Store.existing(request.out))
        if self.of_one_student:
            _only([grade.result.student for grade in grades], "student", "--student")
        if self.of_one_lab:
            _only_lab(grades)
        name = Path(self.name)
        whole = request.to or request.out / name
        path = whole if self.of_one_student else request.file(name.stem, suffix=name.suffix)
        return Export(path, self.text(grades))


@dataclass(frozen=True)
class Gradebook:
    """A gradebook that the instructor downloaded, filled in.

    `made` makes a file where none was downloaded. A download that is `of_one_assignment` has one
    column to fill, whatever its title.
    """

    sheet: Callable[[Delimited], Sheet]
    made: MadeSheet | None = None
    of_one_assignment: bool = False

    def __call__(self, request: Request) -> Export:
        store = Store.existing(request.out)
        grades = request.grades(store)
        of_lab = _only_lab(grades)
        filled = self._filled(request, of_lab, grades, _students(store, grades))
        suffix = request.downloaded.suffix if request.downloaded else ".csv"
        path = request.file(request.format, of_lab, suffix=suffix)
        if request.downloaded and path.resolve() == request.downloaded.resolve():
            raise UserError(f"{path} is what you downloaded: write to another file with --to")
        have = "has" if filled.count == 1 else "have"
        says = f"{counted(filled.count, 'student')} {have} points in it."
        return Export(path, filled.content, [*filled.notes, *_about_left(store, grades), says])

    def _filled(
        self,
        request: Request,
        of_lab: str,
        grades: Sequence[Grade],
        students: Sequence[Student],
    ) -> Filled:
        if request.downloaded is not None:
            table = delimited.read(request.downloaded)
            try:
                sheet = self.sheet(table)
                column = self._column(sheet, request.column, of_lab)
                zero = request.zero_if_missing
                return filling.fill(sheet, of_lab, column, grades, students, zero_if_missing=zero)
            except UserError as error:
                raise UserError(f"{one_line(str(request.downloaded))}: {error}") from error
        if self.made is not None:
            if request.column is not None:
                raise UserError("--column is for a --gradebook that you downloaded: name that, too")
            return self.made(of_lab, grades, students, zero_if_missing=request.zero_if_missing)
        raise UserError(
            f"points go into the gradebook of {request.format}: download it there, and "
            "name it with --gradebook"
        )

    def _column(self, sheet: Sheet, wanted: str | None, of_lab: str) -> int:
        if self.of_one_assignment and wanted is None:
            return filling.only(sheet)
        names = [of_lab]
        with contextlib.suppress(UserError):  # a lab that cannot be read still has a name
            names.append(lab.load(of_lab).title)
        return filling.choose(sheet, wanted, names)


def _autograder(request: Request) -> Export:
    if request.lab is None:
        raise UserError("an autograder is for one lab: choose it with --lab")
    assert_has(request.course, [request.lab])
    path = request.to or Path(f"autograder-{request.lab}.zip")
    return Export(path, gradescope_zip.content(lab_of(request.course, request.lab)))


def _gradebook(request: Request) -> Export:
    store = Store.existing(request.out)
    left_out = [] if request.lab else course_noted.labs_left_out(store)
    text = gradebook.text(request.grades(store), store.students(), left_out)
    of_lab = [request.lab] if request.lab else []
    path = request.file("gradebook", *of_lab, suffix=".csv")
    notes = [*about_left_out(left_out), *_about_left(store, request.grades(store))]
    return Export(path, text, notes)


def _workflow(request: Request) -> Export:
    if not _IMAGE.fullmatch(request.image):
        raise UserError(
            f"--image {one_line(request.image)}: this is no name of a container, such as debian:13"
        )
    chosen = [request.lab] if request.lab else list(request.course.assignments)
    assert_has(request.course, chosen)
    labs = [lab.load(name).name for name in chosen or lab.all_labs()]
    return Export(request.to or Path("classroom.yml"), github_workflow.text(labs, request.image))


def _students(store: Store, grades: Sequence[Grade]) -> list[Student]:
    known = store.students()
    keys = dict.fromkeys(grade.result.student for grade in grades)
    return [known.get(key, Student(key)) for key in keys]


def _about_left(store: Store, grades: Sequence[Grade]) -> list[str]:
    """A line about students whose grades nobody has looked after since they left."""
    left = sorted(store.left() & {grade.result.student for grade in grades})
    names = listed(list(map(one_line, left)))
    why = "not in the class, or not in its roster, when it was graded last, with the points that"
    return [f"{len(left)} {why} they have in the record: {names}"] if left else []


def _only_lab(grades: Sequence[Grade]) -> str:
    return _only([grade.result.lab for grade in grades], "lab", "--lab")


def _only(names: Sequence[str], what: str, option: str) -> str:
    """The one name that all of them are. Raises UserError if there are several."""
    several = list(dict.fromkeys(names))
    if len(several) > 1:
        shown = listed([*map(one_line, several[:5]), *(["..."] if len(several) > 5 else [])])
        raise UserError(f"this format is for one {what}: choose it with {option} ({shown})")
    return several[0]


# The options that formats take, as the record or a downloaded gradebook is read.
_OF_RECORD = ("--out", "--lab", "--student", "--section", "--to")
_OF_GRADEBOOK = (*_OF_RECORD, "--gradebook", "--column", "--zero-missing")


class Format(StrEnum):
    """The formats: each has its name, as it is typed, what makes its file, and its options."""

    make: Callable[[Request], Export]
    takes: Sequence[str]

    def __new__(
        cls, name: str, make: Callable[[Request], Export], takes: Sequence[str] = _OF_RECORD
    ) -> Format:
        made = str.__new__(cls, name)
        made._value_ = name
        made.make = make
        made.takes = takes
        return made

    CSV = "csv", _gradebook
    CANVAS = "canvas", Gradebook(canvas.sheet), _OF_GRADEBOOK
    MOODLE = (
        "moodle",
        Gradebook(moodle.sheet, moodle.for_import, of_one_assignment=True),
        _OF_GRADEBOOK,
    )
    BLACKBOARD = "blackboard", Gradebook(blackboard.sheet), _OF_GRADEBOOK
    GRADESCOPE = (
        "gradescope",
        Document("gradescope.json", gradescope.text, of_one_student=True, of_one_lab=True),
    )
    GRADESCOPE_ZIP = "gradescope-zip", _autograder, ("--lab", "--to", "--course")
    GITHUB = "github", Document("github.txt", github.text, of_one_student=True)
    GITHUB_WORKFLOW = "github-workflow", _workflow, ("--lab", "--to", "--course", "--image")
    JUNIT = "junit", Document("junit.xml", junit.text)

    def assert_takes(self, options: Iterable[str]) -> None:
        """Raises UserError about the first of the options that this format would ignore."""
        for option in options:
            if option not in self.takes:
                others = ", ".join(one for one in Format if option in one.takes)
                raise UserError(f"export {self} does not take {option}: it is for {others}")
