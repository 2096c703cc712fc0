"""Blackboard: Gradebook, Download Grades. The file goes back by Upload Grades.

Blackboard knows a column by the number after the | in its title, and makes a new one of each column
without it. It knows students by their user names.
"""

from __future__ import annotations

import re

from tilelab.base.errors import UserError
from tilelab.exports.delimited import Delimited, number
from tilelab.exports.filling import Column, Sheet
from tilelab.exports.matching import Person

# "diff [Total Pts: 100 Score] |12345"; what Blackboard computes is out of "up to 100".
_COLUMN = re.compile(r"(?P<title>.*\S)\s*\[Total Pts: *(?P<most>\d+([.,]\d+)?)\b.*\]\s*\|\s*\d+")
_USER = ("username", "user name")
_LABELS = (*_USER, "student id", "email", "email address")
_NAMES = ("first name", "last name")


def sheet(table: Delimited) -> Sheet:
    """Raises UserError if the table is not a gradebook of Blackboard."""
    names = [name.casefold() for name in table.header]
    if not any(name in names for name in _USER):
        raise UserError(
            "this is no gradebook of Blackboard, which has the column Username: download it with "
            "Download Grades, as CSV or XLS"
        )

    def cells(row: int, wanted: tuple[str, ...]) -> list[str]:
        return [_text(table.value(row, names.index(name))) for name in wanted if name in names]

    return Sheet(
        table,
        [
            Person(row, " ".join(cells(row, _NAMES)), tuple(cells(row, _LABELS)))
            for row in range(1, len(table.rows))
            if any(cells(row, _USER))
        ],
        {
            index: Column(found["title"], number(found["most"]))
            for index, title in enumerate(table.header)
            if (found := _COLUMN.fullmatch(title))
        },
    )


def _text(cell: str) -> str:
    """What a cell says: ="0042" keeps zeros in a spreadsheet, and a * marks hidden users."""
    found = re.fullmatch(r'="(.*)"', cell)
    return (found[1] if found else cell).lstrip("*")
