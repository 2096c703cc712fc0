"""The students of a section, whom several commands can be asked about."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Annotated

import typer

from tilelab.base.errors import UserError
from tilelab.base.text import one_line, shorten, suggestion
from tilelab.collect.roster.names import normal
from tilelab.model.student import Student

SectionName = Annotated[
    str | None,
    typer.Option(
        "--section",
        metavar="NAME",
        help="Only the students of this section; with --student, those of them.",
    ),
]


def narrowed(
    named: Sequence[str], section: str | None, students: Iterable[Student], known: Collection[str]
) -> list[str]:
    """Those of a section whom --student names. Without names all of it, without both nobody.

    Names that are not `known` stay, for the caller to refuse. Raises UserError if nobody is left.
    """
    if section is None:
        return list(named)
    of_section = students_of(section, students)
    if not named:
        return of_section
    found = [one for one in named if one in of_section or one not in known]
    if not found:
        shown = shorten(one_line(section), 80)
        raise UserError(f"--section {shown}: none of those whom --student names is in it")
    return found


def students_of(section: str | None, students: Iterable[Student]) -> list[str]:
    """Who is in a section, by key. Raises UserError if nobody is."""
    if section is None:
        return []
    everybody = list(students)
    found = [one.key for one in everybody if normal(section) in map(normal, one.sections)]
    if not found:
        shown = shorten(one_line(section), 80)
        raise UserError(f"--section {shown}: nobody is in it{_known(section, everybody)}")
    return found


def _known(section: str, students: list[Student]) -> str:
    known = sorted({name for one in students for name in one.sections})
    if not known:
        return ", as the roster has no column for sections"
    shown = ", ".join(known[:8]) + (", ..." if len(known) > 8 else "")
    return suggestion(section, known) or f"; the sections are {shown}"
