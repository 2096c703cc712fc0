"""`tilelab export`: hands grades over to other systems."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tilelab.base.errors import UserError
from tilelab.base.files import write_atomically
from tilelab.base.text import one_line
from tilelab.commands.console import console
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
from tilelab.labs import lab
from tilelab.model.grade import Grade
from tilelab.model.student import Student
from tilelab.record.store import Store


class Format(StrEnum):
    """The formats, as they are typed."""

    CSV = "csv"
    CANVAS = "canvas"
    MOODLE = "moodle"
    BLACKBOARD = "blackboard"
    GRADESCOPE = "gradescope"
    GRADESCOPE_ZIP = "gradescope-zip"
    GITHUB = "github"
    GITHUB_WORKFLOW = "github-workflow"
    JUNIT = "junit"


_SHEETS = {
    Format.CANVAS: canvas.sheet,
    Format.MOODLE: moodle.sheet,
    Format.BLACKBOARD: blackboard.sheet,
}


def export(
    to_format: Annotated[Format, typer.Argument(metavar="FORMAT", help="What to write.")],
    out: Annotated[Path, typer.Option(help="The folder with the results.")] = Path("results"),
    lab_name: Annotated[
        str | None, typer.Option("--lab", metavar="LAB", help="This lab. Default: all graded.")
    ] = None,
    student: Annotated[str | None, typer.Option(help="This student. Default: all graded.")] = None,
    to: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write to this file, not into --out.")
    ] = None,
    downloaded: Annotated[
        Path | None,
        typer.Option("--gradebook", metavar="FILE", help="The gradebook that you downloaded."),
    ] = None,
    column: Annotated[
        str | None, typer.Option(metavar="TITLE", help="The column to fill. Default: the lab's.")
    ] = None,
    zero_if_missing: Annotated[
        bool, typer.Option("--zero-missing", help="Give 0 points where there is no file.")
    ] = False,
    image: Annotated[
        str, typer.Option(help="The container of the workflow on GitHub.")
    ] = "debian:13",
) -> None:
    """For instructors: sends grades to Canvas, Moodle and others."""
    if to_format is Format.GRADESCOPE_ZIP:
        if lab_name is None:
            raise UserError("an autograder is for one lab: choose it with --lab")
        _write(to or Path(f"autograder-{lab_name}.zip"), gradescope_zip.content(lab.load(lab_name)))
    elif to_format is Format.GITHUB_WORKFLOW:
        labs = [lab.load(lab_name).name] if lab_name else lab.all_labs()
        _write(to or Path("classroom.yml"), github_workflow.text(labs, image))
    else:
        store = Store.existing(out)
        grades = _chosen(store.grades(), lab_name, student)
        if to_format in _SHEETS:
            filled = _filled(
                to_format, store, grades, downloaded, column, zero_if_missing=zero_if_missing
            )
            path = to or _beside(out, to_format, grades, downloaded)
            _write_filled(path, filled, downloaded)
        else:
            name, text = _document(to_format, grades)
            _write(to or out / name, text)


def _chosen(grades: Sequence[Grade], lab_name: str | None, student: str | None) -> list[Grade]:
    """The grades that were asked for. Raises UserError if there are none."""
    chosen = [
        grade
        for grade in grades
        if lab_name in (None, grade.result.lab) and student in (None, grade.result.student)
    ]
    if not chosen:
        of = " and ".join(name for name in (student, lab_name) if name)
        raise UserError(f"the record has no grades of {of}" if of else "the record has no grades")
    return chosen


def _filled(
    to_format: Format,
    store: Store,
    grades: list[Grade],
    downloaded: Path | None,
    column: str | None,
    *,
    zero_if_missing: bool,
) -> filling.Filled:
    """The gradebook with the points of a lab."""
    name = _only([grade.result.lab for grade in grades], "lab", "--lab")
    known = store.students()
    keys = dict.fromkeys(grade.result.student for grade in grades)
    students = [known.get(key, Student(key)) for key in keys]
    if downloaded is None:
        if to_format is Format.MOODLE:
            return moodle.for_import(name, grades, students, zero_if_missing=zero_if_missing)
        raise UserError(
            f"points go into the gradebook of {to_format}: download it there, and name it with "
            "--gradebook"
        )
    sheet = _SHEETS[to_format](delimited.read(downloaded))
    if to_format is Format.MOODLE and column is None:
        index = next(iter(sheet.columns))  # a grading worksheet is of one assignment
    else:
        index = filling.choose(sheet, column, (name, lab.load(name).title))
    return filling.fill(sheet, name, index, grades, students, zero_if_missing=zero_if_missing)


def _beside(out: Path, to_format: Format, grades: Sequence[Grade], downloaded: Path | None) -> Path:
    suffix = downloaded.suffix if downloaded else ".csv"
    return out / f"{to_format}-{grades[0].result.lab}{suffix}"


def _write_filled(path: Path, filled: filling.Filled, downloaded: Path | None) -> None:
    if downloaded and path.resolve() == downloaded.resolve():
        raise UserError(f"{path} is what you downloaded: write to another file with --to")
    for note in filled.notes:
        console.print(note, markup=False)
    console.print(f"{filled.count} students have points in it.")
    _write(path, filled.content)


def _document(to_format: Format, grades: list[Grade]) -> tuple[str, str]:
    """The name and the text of a file about these grades."""
    if to_format is Format.CSV:
        return "gradebook.csv", gradebook.text(grades)
    if to_format is Format.JUNIT:
        return "junit.xml", junit.text(grades)
    _only([grade.result.student for grade in grades], "student", "--student")
    if to_format is Format.GITHUB:
        return "github.txt", github.text(grades)
    _only([grade.result.lab for grade in grades], "lab", "--lab")
    return "gradescope.json", gradescope.text(grades[0])


def _only(names: Sequence[str], what: str, option: str) -> str:
    """The one name that all of them are. Raises UserError if there are several."""
    several = list(dict.fromkeys(names))
    if len(several) > 1:
        shown = ", ".join(map(one_line, several[:5])) + (", ..." if len(several) > 5 else "")
        raise UserError(f"this format is for one {what}: choose it with {option} ({shown})")
    return several[0]


def _write(path: Path, content: str | bytes) -> None:
    try:
        write_atomically(path, content)
    except (FileNotFoundError, PermissionError, NotADirectoryError) as error:
        raise UserError(f"{path}: {error.strerror}") from error
    console.print(f"Wrote {path}", markup=False)
