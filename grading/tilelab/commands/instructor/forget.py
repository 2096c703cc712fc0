"""`tilelab forget`: removes a student from everything that TileLab keeps."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from tilelab.base.errors import UserError
from tilelab.base.text import one_line
from tilelab.commands import record_files
from tilelab.commands.console import console
from tilelab.commands.traces import Traces
from tilelab.model.student import Student
from tilelab.pipeline import class_folder
from tilelab.pipeline.groups import Groups
from tilelab.record import store
from tilelab.record.store import Store
from tilelab.report import class_report, names


def forget(
    student: Annotated[str, typer.Argument(metavar="STUDENT", help="For example amber.")],
    out: Annotated[Path, typer.Option(help="The folder with the record.")] = Path("results"),
    folder: Annotated[
        Path | None,
        typer.Option("--class", metavar="CLASS", help="Remove the student's files there, too."),
    ] = None,
    pages: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FOLDER", help="Remove pages of `similar` there, too. Can be repeated."
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Remove without asking.")] = False,
) -> None:
    """Removes a student: grades, texts, feedback, exports. Says what is left."""
    for one in pages or []:
        if not one.is_dir():
            raise UserError(f"--pages {one}: there is no such folder")
    with store.alone(out):
        record = Store.existing(out)
        _assert_known(student, record, folder, out)
        known = record.students().get(student, Student(student))
        feedback = names.folder_names(sorted({*record.graded_students(), student}))[student]
        traces = Traces(out, known, feedback, pages or [])
        traces.assert_idle()
        if not yes and not _is_wanted(known, out, folder):
            raise typer.Exit(1)
        group = _group(student, record, folder)
        removed = class_folder.forget(folder, student, group) if folder else []
        removed += traces.remove()
        texts = record.forget(student)
        console.print(
            f"Removed {one_line(student)} from {record.path}. Texts that nobody else handed in, "
            f"and that are gone: {texts}",
            markup=False,
        )
        record_files.write(record, out)
        _write_report(out, record)
        _show("Removed or changed", removed)
        _show_left(record, traces, folder)
        if group:
            _show_times(record, student, group[0])


def _assert_known(student: str, record: Store, folder: Path | None, out: Path) -> None:
    people = record.people()
    if folder:
        found = class_folder.read_class(folder)
        people |= {class_folder.student_of(path) for path in found.students}
        people |= {one.key for one in found.collected.students}
    if student not in people:
        near = difflib.get_close_matches(student, people, 1, 0.3)
        hint = f"; the nearest name is {one_line(near[0])}" if near else ""
        raise UserError(f"{out} has no student {one_line(student)}{hint}")


def _group(student: str, record: Store, folder: Path | None) -> list[str]:
    """The others in the student's group, as the record or the class knows it."""
    noted = class_folder.read_notes(folder).students if folder else []
    known = {**{one.key: one for one in noted}, **record.students()}
    return Groups(known.values()).others(student)


def _is_wanted(student: Student, out: Path, folder: Path | None) -> bool:
    name = " ".join(filter(None, (student.key, student.name and f"({student.name})")))
    what = f"all about {one_line(name)} in {out}" + (f" and {folder}" if folder else "")
    if console.is_terminal:
        return typer.confirm(f"Remove {what}? It cannot be undone.")
    console.print(f"Nothing was removed. To remove {what}, add --yes.", markup=False)
    return False


def _write_report(out: Path, record: Store) -> None:
    page = out / class_report.FOLDER / "index.html"
    if page.is_file():
        page.unlink()
        if record.labs():
            console.print(f"Wrote {class_report.write(out, record)}", markup=False)


def _show(what: str, things: Iterable[object]) -> None:
    for one in things:
        console.print(f"{what}: {one_line(str(one))}", markup=False)


def _show_left(record: Store, traces: Traces, folder: Path | None) -> None:
    """Says what is left, here and wherever TileLab cannot look."""
    _show("Still names the student, or cannot be read", traces.left())
    whose = {f"{who}/{lab}" for who, lab, comment in record.comments() if traces.are_in(comment)}
    _show("A comment still names the student, see `adjust`", sorted(whose))
    where = "the roster" if folder else "the roster or the class (see --class)"
    console.print(
        f"Not looked at: downloads and what learning systems have, the rows of roster.csv and "
        f"course.toml, feedback that was sent, pages of `similar` elsewhere (see --pages), sheets "
        "of `viva`, pages of `comment`, exports to other folders (see --to), records of other "
        f"machines, and backups. Whoever is still in {where} comes back with the next `collect` or "
        "`grade`.",
        markup=False,
    )


def _show_times(record: Store, student: str, heir: str) -> None:
    """Says what a group loses in course.toml with one of its members, and who should have it."""
    grades = [one for one in record.each_grade() if one.result.student == heir and one.submitted]
    times = ", ".join(f"{one.result.lab} = {one.submitted}" for one in grades)
    own, whose = (one_line(_toml_key(name)) for name in (student, heir))
    known = f"; as it is in the record: [submitted.{whose}] {times}" if times else ""
    console.print(
        f"[submitted.{own}] and [extensions.{own}] in course.toml hold for the whole group: before "
        f"you take them out, enter them as [submitted.{whose}] and [extensions.{whose}]{known}",
        markup=False,
    )


def _toml_key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)
