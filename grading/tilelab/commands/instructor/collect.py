"""`tilelab collect`: makes the folder of a class of what learning systems download."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, get_args

import typer

from tilelab.base.errors import UserError
from tilelab.base.files import work_folder
from tilelab.base.text import listed, one_line
from tilelab.collect import decisions, enrolled, report, roster, writing
from tilelab.collect.choosing import Policy
from tilelab.collect.decisions import Decisions
from tilelab.collect.folder_names import Folders
from tilelab.collect.gathering import Gathered, Gatherer
from tilelab.collect.questions import about_left
from tilelab.collect.roster.people import Roster
from tilelab.commands import options
from tilelab.commands.console import console, suggest
from tilelab.labs import course as courses
from tilelab.labs import lab
from tilelab.model.course import Course
from tilelab.pipeline import class_folder
from tilelab.pipeline.groups import Groups
from tilelab.screens.collect import show_collected, show_questions

_SHOWN = 10  # lines, if there is nothing to collect


def collect(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="SOURCE... CLASS", help="Downloads, and the folder to make."),
    ],
    course_file: Annotated[
        Path | None,
        typer.Option("--course", metavar="TOML", help="The course: deadlines, time zone, roster."),
    ] = None,
    roster_files: Annotated[
        list[Path] | None,
        typer.Option("--roster", metavar="CSV", help="A row per student. Can be repeated."),
    ] = None,
    attempt: Annotated[
        str, typer.Option(metavar="WHICH", help="Which counts: last, or before-deadline.")
    ] = "last",
    takes: Annotated[
        list[str] | None,
        typer.Option(
            "--take",
            metavar="WHAT=WHOSE",
            help="Answers a question: a file's STUDENT/LAB, or who a STUDENT is. Can be repeated.",
        ),
    ] = None,
) -> None:
    """For instructors: turns downloads into a class."""
    *sources, folder = paths
    policy = _policy(attempt, course_file)
    _assert_apart(sources, folder)
    course = courses.load(course_file) if course_file else Course()
    notes = class_folder.read_notes(folder)
    people = Roster() if course.rosters else enrolled.people_of(notes)
    roster.load_all(course, roster_files or [], people)
    enrolled.assert_same_people(notes.students, people)
    enrolled.recall(people, notes)
    keys = [student.key for student in people.students]
    course = Groups(people.students).course(enrolled.with_keys(course, people, keys))
    gone = _left_out(notes, keys)
    now = [decisions.parse(text, lab.all_labs()) for text in takes or []]
    decided = Decisions(now, notes.decisions)
    with work_folder() as work:
        found = _gather(sources, folder, course, people, decided, policy, work)
        others = [*found.strangers, *writing.folders_in(folder)]
        decided.assert_sound(sources, [*keys, *others] if keys else [])
        names = ", ".join(one_line(str(path)) for path in sources)
        if not found.choices and not found.asked:
            _show_why(found)
            raise UserError(f"there is no file for a lab in {names}")
        if not found.choices and not writing.folders_in(folder):
            raise UserError(f"{names} has only questions: name the class that they are about")
        changes, collected = writing.write(
            folder, found.choices, people.students, decided.noted(), found.asked, people.known
        )
        there = {class_folder.student_of(folder / name) for name in writing.folders_in(folder)}
        strange = enrolled.unknown_students(course, folder, {*keys, *there})
        remarks = [*people.remarks, *gone, *strange]
        collected = replace(collected, files=enrolled.with_times(collected.files, course))
        made = report.make(found, changes, collected, course, remarks, folder)
    show_collected(console, made, changes)
    console.print(f"Wrote {folder}", markup=False)
    suggest("grade", folder, *(("--course", course_file) if course_file else ()))


def _show_why(found: Gathered) -> None:
    """What may be the reason that there is no file for a lab."""
    for line in [*found.refused, *found.unsure][:_SHOWN]:
        console.print(line, markup=False)
    left = [about_left(key, [], files) for key, files in found.left.items() if files]
    show_questions(console, [*found.questions, *left][:_SHOWN])


def _policy(attempt: str, course_file: Path | None) -> Policy:
    for policy in get_args(Policy):
        if attempt == policy:
            if policy == "before-deadline" and course_file is None:
                raise UserError("--attempt before-deadline needs deadlines: add --course TOML")
            return policy  # type: ignore[no-any-return]
    raise UserError(f"--attempt {attempt}: expected one of {', '.join(get_args(Policy))}")


def _assert_apart(sources: list[Path], folder: Path) -> None:
    if not sources:
        raise UserError(f"name a source and the class: collect SOURCE {folder}")
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is a file: name the folder of the class last")
    if class_folder.is_record(folder):
        raise UserError(f"{folder} holds {class_folder.RECORD}: make the class in another folder")
    for source in sources:
        if folder.resolve().is_relative_to(source.resolve()):
            raise UserError(f"{folder} lies in {source}: make the class somewhere else")


def _left_out(notes: class_folder.Collected, keys: Sequence[str]) -> list[str]:
    """A line about those of the last collection's roster who are in none now."""
    before = [one.key for one in notes.students]
    gone = [key for key in before if keys and key not in keys]
    if not gone:
        return []
    are = "was" if len(gone) == 1 else "were"
    return [f"{listed(gone)}: {are} in the roster of the last collection, and in none now"]


def _gather(
    sources: list[Path],
    folder: Path,
    course: Course,
    people: Roster,
    decided: Decisions,
    policy: Policy,
    work: Path,
) -> Gathered:
    options.name_what_is_broken([])
    labs = lab.course()
    keys = [student.key for student in people.students]
    folders = Folders(keys, writing.folders_in(folder))
    gatherer = Gatherer(labs, course, people, folders, decided)
    for number, source in enumerate(sources, 1):
        own = work / str(number)
        own.mkdir()
        gatherer.read(source, own)
    found = gatherer.result(policy)
    for line in found.kinds:
        console.print(line, style="dim", markup=False)
    return found
