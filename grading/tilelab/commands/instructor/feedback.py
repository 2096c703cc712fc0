"""`tilelab feedback`: writes a page for each student and lab, to send back."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Annotated

import typer

from tilelab.base.errors import UserError
from tilelab.base.text import counted, one_line
from tilelab.collect import enrolled
from tilelab.commands import options, sections
from tilelab.commands.console import bars, console
from tilelab.commands.record_files import about_left_out
from tilelab.labs import course
from tilelab.pipeline.class_folder import Collected
from tilelab.pipeline.groups import Groups
from tilelab.record.store import Store
from tilelab.report import course_noted, names, sending, work
from tilelab.report.sending import Sender


def feedback(
    out: Annotated[Path, typer.Option(help="The folder with the record.")] = Path("results"),
    students: Annotated[
        list[str] | None,
        typer.Option("--student", help="Only this student. Can be repeated."),
    ] = None,
    section: sections.SectionName = None,
    labs: Annotated[
        str | None, typer.Option("--lab", "--labs", help="For example diff,nbody. Default: all.")
    ] = None,
    hints: Annotated[bool, typer.Option("--hints", help="Add the hints of the lab.")] = False,
    course_file: options.CourseFile = None,
) -> None:
    """Writes what each student gets back: a page and a Markdown file."""
    record = Store.existing(out)
    people = record.students()
    the_course = course.load(course_file) if course_file else course_noted.read(record)
    graded = record.graded_students()
    known = enrolled.people_of(Collected(list(people.values())))
    the_course = enrolled.with_keys(the_course, known, graded)
    the_course = Groups(people.values()).course(the_course)
    named = sections.narrowed(students or [], section, people.values(), graded)
    if not students:
        named = sorted(graded.intersection(named))
    chosen = _chosen(named or (None if section is None else []), graded, "--student", out)
    asked = [name.strip() for name in labs.split(",")] if labs else None
    chosen_labs = _chosen(asked, record.labs(), "--lab", out)
    sender = Sender(out, names.folder_names(sorted(graded)), the_course, hints)
    written = 0
    with bars("Writing") as progress:
        bar = progress.add_task("", total=len(chosen))
        found = work.works(record, the_course, chosen)
        for _, group in itertools.groupby(found, key=lambda one: one.student.key):
            works = list(group)
            for one in works:
                if one.lab.name in chosen_labs:
                    sender.write(one)
                    written += 1
            sender.write_index(works)
            progress.advance(bar)
    _, unread = work.labs_of(record, the_course)
    left_out = [name for name in course_noted.labs_left_out(record) if name in chosen_labs]
    for line in (*about_left_out(left_out), *unread):
        console.print(line, markup=False)
    console.print(
        f"Wrote {counted(written, 'page')} for {counted(len(chosen), 'student')} to "
        f"{out / sending.FOLDER}",
        markup=False,
    )


def _chosen(
    names: list[str] | None, known: set[str] | list[str], option: str, out: Path
) -> set[str]:
    """The names that were asked for, or all that the record knows."""
    chosen = set(known if names is None else names)
    for name in sorted(chosen.difference(known)):
        raise UserError(f"{option} {one_line(name)}: {out} has no such grade")
    return chosen
