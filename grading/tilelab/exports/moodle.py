"""Moodle: an assignment's grading worksheet filled in, or a file for Grades, Import, CSV.

The worksheet comes from the assignment: Download grading worksheet. Its titles are in the language
of the site, so columns are found by what is in them.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from tilelab.base.errors import UserError
from tilelab.base.text import listed, one_line, points
from tilelab.exports.cells import guarded
from tilelab.exports.delimited import Delimited, number
from tilelab.exports.filling import Column, Filled, Sheet, score_of
from tilelab.exports.matching import Person
from tilelab.model.grade import Grade
from tilelab.model.student import Student

# "Participant 12345", "Teilnehmer/in 12345"
_PARTICIPANT = re.compile(r"\D+(\d+)")
# The title of the column of the maximum, where it is known.
_MAXIMUM = ("maximum grade", "bestwertung")


def sheet(table: Delimited) -> Sheet:
    """Raises UserError if the table is no grading worksheet."""
    rows = [row for row in range(1, len(table.rows)) if table.value(row, 0)]
    grades = _grade_columns(table, rows)
    are_people = all(_PARTICIPANT.fullmatch(table.value(row, 0)) for row in rows)
    if not rows or not grades or not are_people:
        raise UserError(
            "this is no grading worksheet of Moodle, which starts with a column of participants "
            "and has one of grades: allow offline grading in the assignment's settings, and "
            "download it again"
        )
    told = _telling(table, rows, min(grades))
    people = [_person(table, row, told) for row in rows]
    columns = {
        grade: Column(table.header[grade], number(table.value(rows[0], grade + 1)))
        for grade in grades
    }
    return Sheet(table, people, columns)


def _telling(table: Delimited, rows: Sequence[int], grade: int) -> list[int]:
    """The columns left of the grade that may tell who somebody is, with the name as the first one.

    There is none where grading is anonymous. Nor does a group or a status, which several have.
    """
    columns = {at: [table.value(row, at) for row in rows] for at in range(1, grade)}
    names = columns.get(1, [])
    if not names or len(set(names)) * 2 < len(names) or table.header[1].casefold() == "status":
        return []
    ids = [at for at in range(2, grade) if not _repeats(columns[at])]
    return [1, *ids]


def _repeats(cells: Sequence[str]) -> bool:
    named = [cell.casefold() for cell in cells if cell not in ("", "-")]
    return len(named) != len(set(named))


def _person(table: Delimited, row: int, told: Sequence[int]) -> Person:
    participant = table.value(row, 0)
    name, *ids = [table.value(row, column) for column in told] or [participant]
    own = _PARTICIPANT.sub(r"\1", participant)
    return Person(
        row,
        name,
        tuple(one for one in ids if "@" in one),
        tuple(one for one in ids if "@" not in one),
        (own, participant, f"{name}_{own}"),
    )


def _grade_columns(table: Delimited, rows: Sequence[int]) -> list[int]:
    """The column before that of the maximum: if its title is not known, each that may be it.

    A year next to a department without entries looks the same.
    """
    found = [column for column in range(1, len(table.header) - 1) if _is_grade(table, rows, column)]
    known = [column for column in found if table.header[column + 1].casefold() in _MAXIMUM]
    return known if known or table.header[0].casefold() == "identifier" else found


def _is_grade(table: Delimited, rows: Sequence[int], column: int) -> bool:
    """Whether a column has only grades, and the one after it the same number in each row."""
    most = {number(table.value(row, column + 1)) for row in rows}
    if len(most) != 1 or None in most or not table.header[column + 1]:
        return False
    cells = {table.value(row, column) for row in rows}
    return all(not cell or cell == "-" or number(cell) is not None for cell in cells)


def for_import(
    lab: str, grades: Sequence[Grade], students: Sequence[Student], *, zero_if_missing: bool = False
) -> Filled:
    """A file that Moodle maps by email address or ID number. Students without either are listed."""
    of_lab = {grade.result.student: grade for grade in grades if grade.result.lab == lab}
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(["Email address", "ID number", lab])
    left_out, count = [], 0
    for student in students:
        score = score_of(of_lab.get(student.key), zero_if_missing)
        if score is None:
            continue
        labels = [student.email, student.id]
        if not any(labels) or any(guarded(label) != label for label in labels):
            left_out.append(one_line(student.key))
            continue
        writer.writerow([*labels, points(score)])
        count += 1
    why = (
        "left out, because the roster has neither an email address nor an ID that Moodle could use"
    )
    notes = [f"{len(left_out)} {why}: {listed(left_out)}"] if left_out else []
    return Filled(out.getvalue().encode(), count, notes)
