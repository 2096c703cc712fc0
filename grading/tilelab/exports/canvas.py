"""Canvas: Grades, Export. The file goes back by Import.

Canvas makes a new assignment of each column whose title does not end with a known number, and
finds students by ID, SIS User ID, SIS Login ID and name, in this order.
"""

from __future__ import annotations

import re

from tilelab.base.errors import UserError
from tilelab.exports.delimited import Delimited, number
from tilelab.exports.filling import Column, Sheet
from tilelab.exports.matching import Person

_ASSIGNMENT = re.compile(r"(?P<title>.*\S)\s*\(\d+\)")
_LABELS = ("SIS User ID", "SIS Login ID", "Integration ID")
_NAMES = ("Student", "LastName", "FirstName")
_NOTES = re.compile(r"\s*((Muted|Manual Posting.*)\s*)?", re.IGNORECASE)


def sheet(table: Delimited) -> Sheet:
    """Raises UserError if the table is not a gradebook of Canvas."""
    header = table.header
    if "ID" not in header or "Section" not in header:
        raise UserError(
            "this is no gradebook of Canvas, which has the columns Student, ID and Section: "
            "download it from Grades, Export"
        )
    rows = range(1, len(table.rows))
    possible = next((row for row in rows if "Points Possible" in table.value(row, 0)), None)
    return Sheet(
        table,
        [_person(table, row) for row in rows if row != possible and _is_person(table, row)],
        {
            index: Column(found["title"], _points(table, possible, index))
            for index, title in enumerate(header)
            if (found := _ASSIGNMENT.fullmatch(title)) and not _is_computed(table, possible, index)
        },
        kept=frozenset({"EX", "ex", "Ex"}),  # excused
    )


def _is_person(table: Delimited, row: int) -> bool:
    return not all(_NOTES.fullmatch(cell.value) for cell in table.rows[row])


def _person(table: Delimited, row: int) -> Person:
    header = table.header

    def cells(wanted: tuple[str, ...]) -> list[str]:
        return [table.value(row, header.index(name)) for name in wanted if name in header]

    name, number = " ".join(cells(_NAMES)), table.value(row, header.index("ID"))
    return Person(row, name, tuple(cells(_LABELS)), own=(number, f"{name}_{number}"))


def _is_computed(table: Delimited, possible: int | None, column: int) -> bool:
    return possible is not None and "read only" in table.value(possible, column)


def _points(table: Delimited, possible: int | None, column: int) -> float | None:
    return number(table.value(possible, column)) if possible else None
