"""Fills points into a gradebook that an instructor downloaded from a learning system.

The file that goes back is the one that came, with other points in the column of the lab. So no
column is made by accident, and nothing of a submission can get into it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tilelab.base.errors import UserError
from tilelab.base.text import counted, listed, one_line, points
from tilelab.exports.delimited import Delimited, number
from tilelab.exports.matching import Matches, Person, match
from tilelab.model.grade import Attainable, Grade
from tilelab.model.result import ESTIMATED
from tilelab.model.student import Student


@dataclass(frozen=True)
class Column:
    """A column that takes points: its title, and how many the system counts if it says so."""

    title: str
    most: float | None = None


@dataclass(frozen=True)
class Sheet:
    """A downloaded gradebook: its people, its columns by index, and cells that stay as they are."""

    table: Delimited
    people: list[Person]
    columns: dict[int, Column]
    kept: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Filled:
    """The file to upload, the number of cells with points in it, and notes for the instructor."""

    content: bytes
    count: int
    notes: list[str] = field(default_factory=list)


def fill(
    sheet: Sheet,
    lab: str,
    column: int,
    grades: Sequence[Grade],
    students: Sequence[Student],
    *,
    zero_if_missing: bool = False,
) -> Filled:
    """Writes the points of the lab into the column.

    A student without a file gets 0 only with `zero_if_missing`: the file may be under another name.
    """
    of_lab = {grade.result.student: grade for grade in grades if grade.result.lab == lab}
    found = match(students, sheet.people)
    cells: dict[tuple[int, int], str] = {}
    empty, kept, replaced = [], [], []
    for key, row in found.rows.items():
        score = score_of(of_lab.get(key), zero_if_missing)
        old = sheet.table.value(row, column)
        if score is None:
            empty.append(key)
        elif old in sheet.kept:
            kept.append(f"{key} ({old})")
        else:
            cells[row, column] = _number(score, sheet.table.column(column))
            if old and number(old) != round(score, 2):
                replaced.append(f"{key} ({old} before)")
    of_column = sheet.columns[column]
    notes = [
        *_about_points(lab, of_column, list(of_lab.values())),
        *_listed("had other points in the gradebook, which are replaced", replaced),
        *_listed("left as the gradebook has it", kept),
        *_listed("no points, so the cell is left as it was", empty),
        *_about_people(found),
    ]
    return Filled(sheet.table.filled(cells), len(cells), notes)


def choose(sheet: Sheet, wanted: str | None, names: Sequence[str]) -> int:
    """The column to fill: the one that was asked for, or the one that bears a name of the lab.

    Raises UserError if there is no such column, or several. None is ever added.
    """
    titles = {_plain(wanted)} if wanted else {_plain(name) for name in names}
    header = sheet.table.header
    found = [
        index
        for index, column in sheet.columns.items()
        if titles & {_plain(column.title), _plain(header[index])}
    ]
    if len(found) == 1:
        return found[0]
    known = _titles(sheet)
    if wanted and _plain(wanted) in map(_plain, header):
        raise UserError(
            f"the column '{wanted}' takes no points: either the learning system computes it, or "
            f"uploading it would create a new assignment. These columns take points: {known}"
        )
    named = f"'{wanted}'" if wanted else " or ".join(f"'{name}'" for name in names)
    if found:
        which = ", ".join(f"'{one_line(header[index])}'" for index in found)
        raise UserError(
            f"several columns are called {named}. Choose one with --column, as the file has its "
            f"title: {which}"
        )
    raise UserError(
        f"no column is called {named}. Create the assignment first, or choose a column with "
        f"--column: {known}"
    )


def only(sheet: Sheet) -> int:
    """The one column that takes points. Raises UserError if several may be it."""
    if len(sheet.columns) > 1:
        raise UserError(
            f"it does not say which column is for points: choose it with --column: {_titles(sheet)}"
        )
    return next(iter(sheet.columns))


def _titles(sheet: Sheet) -> str:
    return ", ".join(f"'{one_line(column.title)}'" for column in sheet.columns.values()) or "none"


def score_of(grade: Grade | None, zero_if_missing: bool) -> float | None:
    """The points to hand over. None if there are none: a learning system takes 0 for a grade."""
    if grade is None:
        return None
    is_missing = grade.result.verdict == "missing" and grade.by_hand is None
    return None if is_missing and not zero_if_missing else grade.score


def _number(score: float, others: Sequence[str]) -> str:
    """The points as the column writes numbers, with a decimal comma if it has one."""
    text = points(score)
    has_comma = any(re.fullmatch(r"-?\d+,\d+", other) for other in others)
    return text.replace(".", ",") if has_comma else text


def _about_points(lab: str, column: Column, grades: Sequence[Grade]) -> list[str]:
    notes = []
    attainable = Attainable()
    for grade in grades:
        attainable.take(grade)
    most = attainable.most
    if column.most is not None and column.most != most:
        notes.append(
            f"'{one_line(column.title)}' is out of {points(column.most)} points, and {lab} out of "
            f"{points(most)}: change the assignment, or the points of the lab"
        )
    not_run = sum(grade.not_run > 0 for grade in grades)
    if not_run:
        notes.append(
            "the gradebook cannot show that a criterion was not run, such as speed without a GPU, "
            f"for {counted(not_run, 'submission')}"
        )
    if estimated := sum(bool(grade.estimated) for grade in grades):
        notes.append(
            f"the gradebook cannot show that points are {ESTIMATED}, not measured, for "
            f"{counted(estimated, 'submission')}"
        )
    return notes


def _about_people(found: Matches) -> list[str]:
    students = [one_line(student.key) for student in found.without_row]
    people = [one_line(person.name) for person in found.without_student]
    by_name = (
        "found by name alone, because the IDs, logins and addresses of the gradebook are not those "
        "of the roster: make sure that it is the gradebook of this course"
    )
    return [
        *_listed(by_name, list(map(one_line, found.by_name))),
        *_listed("graded, but not found in the gradebook, or not for certain", students),
        *_listed("in the gradebook, but not among the students graded", people),
    ]


def _listed(what: str, names: Sequence[str]) -> list[str]:
    return [f"{len(names)} {what}: {listed(names)}"] if names else []


def _plain(title: str) -> str:
    """A title without what people vary: nearest_neighbor is Nearest Neighbor."""
    return " ".join(re.findall(r"\w+", title.replace("_", " ").casefold()))
