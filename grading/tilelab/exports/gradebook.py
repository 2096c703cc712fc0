"""gradebook.csv, for people."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from tilelab.base.files import write_atomically
from tilelab.base.text import points
from tilelab.exports.cells import guarded
from tilelab.score.grades import Grade


def write(path: Path, grades: Sequence[Grade]) -> None:
    write_atomically(path, text(grades))


def text(grades: Sequence[Grade]) -> str:
    """A row per student: points per lab and in total, then how many there were to get.

    Points of what was not run are in no maximum, so that 60 of 60 is not read as 60 of 100. If a
    machine error left no grade, the cell and the total of its row are empty.
    """
    labs = sorted({grade.result.lab for grade in grades})
    rows: dict[str, dict[str, Grade]] = {}
    for grade in grades:
        rows.setdefault(grade.result.student, {})[grade.result.lab] = grade
    out = io.StringIO(newline="")
    writer = csv.writer(out)  # RFC 4180: CRLF, quotes where needed
    columns = [*labs, "total"]
    writer.writerow(["student", *columns, *(f"{name} max" for name in columns)])
    for student, by_lab in rows.items():
        row = [by_lab.get(lab) for lab in labs]
        scores = _cells([grade.score if grade else None for grade in row])
        most = _cells([grade.most if grade else None for grade in row])
        writer.writerow([guarded(student), *scores, *most])
    return out.getvalue()


def _cells(values: Sequence[float | None]) -> list[str]:
    """The values and their sum. What is None is empty, and so is the sum."""
    known = [value for value in values if value is not None]
    total = points(sum(known)) if len(known) == len(values) else ""
    return ["" if value is None else points(value) for value in values] + [total]
