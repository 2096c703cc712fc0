"""`tilelab comment`: notes what people say about lines of students' files."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Annotated

import typer

from tilelab.base.errors import UserError
from tilelab.base.files import write_atomically
from tilelab.base.text import counted
from tilelab.commands import options, record_files, remark_rows, sections
from tilelab.commands.console import console, suggest
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
        record.remark((row.student, row.lab, row.sha256, row.remark) for row in said)
        answers = [(row.answers, row.remark) for row in rows if row.answers]
        record.answer((id, Answer(one.text, one.by, one.at)) for id, one in answers)
        files = len({(row.student, row.lab) for row in said})
        if said or not answers:
            noted = f"Noted {counted(len(said), 'comment')} on {counted(files, 'file')}."
            console.print(noted, markup=False)
        if answers:
            answered = counted(len({id for id, _ in answers}), "question")
            console.print(f"Answered {answered}.", markup=False)
        record_files.write(record, out)
    suggest("feedback", "--out", out)


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
