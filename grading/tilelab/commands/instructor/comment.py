"""`tilelab comment`: notes what people say about lines of students' files."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from tilelab.base.errors import UserError
from tilelab.base.files import write_atomically
from tilelab.base.text import counted, one_line
from tilelab.commands import options, record_files, remark_rows, sections
from tilelab.commands.console import console, suggest
from tilelab.commands.remark_rows import Row
from tilelab.model.course import Course
from tilelab.model.grade import Answer
from tilelab.record import store
from tilelab.record.store import Store
from tilelab.report import commenting, course_noted


def comment(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="CSV: student, lab, line, comment, points, item, by, answers."
        ),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(metavar="HTML", help="Write a page on which to write such a FILE."),
    ] = None,
    section: sections.SectionName = None,
    labs: Annotated[
        str | None, typer.Option("--lab", "--labs", help="On the page: diff,nbody. Default: all.")
    ] = None,
    out: Annotated[Path, typer.Option(help="The folder with the record.")] = Path("results"),
    course_file: options.CourseFile = None,
) -> None:
    """Takes in comments on lines of students' files, with points or without."""
    course = options.the_course(course_file)
    if (file is None) == (page is None):
        raise UserError("comment: name a FILE to take in, or write a page for that: --page HTML")
    if page:
        _write_page(page, Store.existing(out), course, section, options.lab_names(labs))
    elif section or labs:
        raise UserError("comment: --section and --lab are for a --page")
    elif file:
        _take_in(file, out, course)


def _take_in(file: Path, out: Path, course: Course) -> None:
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
    with store.alone(out):
        record = Store.existing(out)
        rows = remark_rows.read(file, record, course.rubric, now)
        said = [row for row in rows if not row.answers]
        noted = [row for row in said if row.remark.text]
        empty = [row for row in said if not row.remark.text]
        idle = _idle(empty, record)
        record.remark((row.student, row.lab, row.sha256, row.remark) for row in said)
        answers = [(row.answers, row.remark) for row in rows if row.answers]
        record.answer((id, Answer(one.text, one.by, one.at)) for id, one in answers)
        if noted or not rows:
            files = counted(len({(row.student, row.lab) for row in noted}), "file")
            console.print(f"Noted {counted(len(noted), 'comment')} on {files}.", markup=False)
        if len(empty) > len(idle):
            console.print(f"Took back {counted(len(empty) - len(idle), 'comment')}.", markup=False)
        for row in idle:
            console.print(f"Nothing to take back: {_place(row)}.", markup=False)
        if answers:
            answered = counted(len({id for id, _ in answers}), "question")
            console.print(f"Answered {answered}.", markup=False)
        record_files.write(record, out)
    suggest("feedback", "--out", out)


def _idle(rows: Sequence[Row], record: Store) -> list[Row]:
    """Those that take nothing back, because their author has said nothing there."""
    said = {
        (grade.result.student, grade.result.lab, one.line, one.by.casefold())
        for grade in record.each_grade()
        for one in grade.remarks
    }
    places = ((row.student, row.lab, row.remark.line, row.remark.by.casefold()) for row in rows)
    return [row for row, place in zip(rows, places, strict=True) if place not in said]


def _place(row: Row) -> str:
    line = f", line {row.remark.line}" if row.remark.line else ""
    by = one_line(row.remark.by)
    return f"{one_line(row.student)}/{row.lab}{line} has no comment by {by}"


def _write_page(
    path: Path, record: Store, course: Course, section: str | None, labs: list[str]
) -> None:
    students = sections.students_of(section, record.students().values())
    title = course.title or course_noted.read(record).title
    text = commenting.page(
        record, title, course.rubric, students if section is not None else None, labs
    )
    try:
        write_atomically(path, text)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
    console.print(f"Wrote {path}", markup=False)
