"""`tilelab comment`: notes what people say about lines of students' files."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Annotated

import typer

from tilelab.commands import options, record_files, remark_rows
from tilelab.commands.console import console, suggest
from tilelab.record import store
from tilelab.record.store import Store


def comment(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="CSV with student, lab, line, comment, points, item, by."
        ),
    ],
    out: Annotated[Path, typer.Option(help="The folder with the record.")] = Path("results"),
    course_file: options.CourseFile = None,
) -> None:
    """Takes in comments on lines of students' files, with points or without."""
    rubric = options.the_course(course_file).rubric
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
    with store.alone(out):
        record = Store.existing(out)
        rows = remark_rows.read(file, record, rubric, now)
        record.remark((row.student, row.lab, row.sha256, row.remark) for row in rows)
        files = len({(row.student, row.lab) for row in rows})
        console.print(f"Noted {len(rows)} comments on {files} files.", markup=False)
        record_files.write(record, out)
    suggest("feedback", "--out", out)
