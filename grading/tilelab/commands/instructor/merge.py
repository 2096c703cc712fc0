"""`tilelab merge`: joins the records of several machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilelab.base.errors import UserError
from tilelab.base.text import counted
from tilelab.commands import options, record_files
from tilelab.commands.agreeing import agree
from tilelab.commands.console import console
from tilelab.labs.course import lab_of
from tilelab.model.course import Course
from tilelab.record import merging, store
from tilelab.record.outcome import Outcome
from tilelab.record.store import Store
from tilelab.report import course_noted


def merge(
    out: Annotated[Path, typer.Argument(help="The folder with the record to add to.")],
    others: Annotated[list[Path], typer.Argument(help="Folders with records to take in.")],
    course_file: options.CourseFile = None,
    yes: options.Yes = False,
) -> None:
    """Joins records: speed from a GPU machine, or parts of a class."""
    the_course = options.the_course(course_file)
    if out.resolve() in [other.resolve() for other in others]:
        raise UserError(f"{out} cannot be merged into itself")
    found = [Store.existing(other) for other in others]
    with store.alone(out):
        record = Store.existing(out)
        for one in (record, *found):
            _assert_has_course(one, the_course)
        outcome = Outcome(record)
        names = {name for one in found for name in one.labs()}
        labs = {name: lab_of(the_course, name) for name in names}
        for other, folder in zip(found, others, strict=True):
            counts = merging.merge(record, other, the_course, labs, outcome)
            console.print(
                f"{folder}: {counted(len(other.entries()), 'grade')}, {counts.new} new, "
                f"{counts.joined} with something to add, {counts.same} the same, "
                f"{len(counts.left)} left out",
                markup=False,
            )
            for line in counts.left:
                console.print(f"  left out: {line}", style="bold yellow", markup=False)
        written = agree(outcome, yes=yes)
        record_files.write(record, out)
    if not written:
        raise typer.Exit(1)


def _assert_has_course(record: Store, the_course: Course) -> None:
    """Raises UserError if points and deadlines of an earlier course would be lost."""
    if course_noted.is_left_out(record, the_course):
        raise UserError(
            f"{record.path.parent} was graded with a course: name it with --course, so that all "
            "grades have its points and deadlines"
        )
