"""`tilelab adjust`: changes a grade by hand."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Annotated

import typer

from tilelab.base.errors import UserError
from tilelab.base.text import one_line, points, points_of
from tilelab.commands import record_files
from tilelab.commands.console import console
from tilelab.model.grade import Grade
from tilelab.record import store
from tilelab.record.store import Store


def adjust(
    who: Annotated[str, typer.Argument(metavar="STUDENT/LAB", help="For example amber/diff.")],
    added: Annotated[
        str | None,
        typer.Option(
            "--points", metavar="NUMBER", help="Points to add; negative ones are taken away."
        ),
    ] = None,
    comment: Annotated[str, typer.Option(help="Why, for the student and the record.")] = "",
    remove: Annotated[bool, typer.Option("--remove", help="Take back what was added.")] = False,
    out: Annotated[Path, typer.Option(help="The folder with the record.")] = Path("results"),
) -> None:
    """Adds points to a grade by hand. No later grading changes that."""
    if remove == (added is not None):
        raise UserError("adjust: say --points NUMBER, or --remove to take points back")
    if not remove and not comment.strip():
        raise UserError('adjust: say why, for the student and the record: --comment "..."')
    change = None if added is None else _given(added)
    student, _, lab = who.rpartition("/")
    with store.alone(out):
        record = Store.existing(out)
        if record.entry(student, lab) is None:
            raise UserError(f"{one_line(who)}: {out} has no such grade, write STUDENT/LAB")
        if remove and _grade(record, student, lab).adjustment is None:
            console.print(f"{one_line(who)}: nothing was added, so nothing changes", markup=False)
            return
        record.adjust(student, lab, change, comment.strip(), getpass.getuser())
        grade = _grade(record, student, lab)
        score = "no grade" if grade.score is None else f"{points(grade.score)} points"
        console.print(f"{one_line(who)}: {score}", markup=False)
        record_files.write(record, out)


def _grade(record: Store, student: str, lab: str) -> Grade:
    (grade,) = (
        one for one in record.grades() if (one.result.student, one.result.lab) == (student, lab)
    )
    return grade


def _given(text: str) -> float:
    try:
        return points_of(text)
    except ValueError as error:
        raise UserError(f"adjust: --points: {error}") from error
