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


def sheet(table: Delimited) -> Sheet:
    """Raises UserError if the table is no grading worksheet."""
    rows = [row for row in range(1, len(table.rows)) if table.value(row, 0)]
    found = [_PARTICIPANT.fullmatch(table.value(row, 0)) for row in rows]
    grade = _grade_column(table, rows)
    if not rows or not all(found) or grade is None:
        raise UserError(
            "this is no grading worksheet of Moodle, which starts with a column of participants "
            "and has one of grades: allow offline grading in the assignment's settings, and "
            "download it again"
        )
    people = []
    for row, participant in zip(rows, found, strict=True):
        cells = [table.value(row, column) for column in range(1, grade)]
        labels = (participant[1] if participant else "", *cells)
        people.append(Person(row, cells[0] if cells else table.value(row, 0), labels))
    column = Column(table.header[grade], number(table.value(rows[0], grade + 1)))
    return Sheet(table, people, {grade: column})


def _grade_column(table: Delimited, rows: Sequence[int]) -> int | None:
    """The column before that of the maximum, which has the same number in each row."""
    for column in range(2, len(table.header)):
        most = {number(table.value(row, column)) for row in rows}
        if len(most) == 1 and None not in most and table.header[column]:
            others = {table.value(row, column - 1) for row in rows}
            if all(not other or other == "-" or number(other) is not None for other in others):
                return column - 1
    return None


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
