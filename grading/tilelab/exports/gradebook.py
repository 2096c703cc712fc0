"""gradebook.csv, for people."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from tilelab.base.files import write_atomically
from tilelab.base.text import points
from tilelab.exports.cells import guarded
from tilelab.model.grade import Attainable, Grade
from tilelab.model.result import ESTIMATED
from tilelab.model.student import Student

# What somebody got in a lab, and what there was to get, None where no test has seen the file.
_Points = tuple[float | None, float | None]


def write(
    path: Path,
    grades: Iterable[Grade],
    students: Mapping[str, Student],
    left_out: Collection[str] = (),
) -> None:
    write_atomically(path, text(grades, students, left_out))


def text(
    grades: Iterable[Grade], students: Mapping[str, Student], left_out: Collection[str] = ()
) -> str:
    """A row per student: points per lab and in total, then how many there were to get.

    `students` are those of the roster. Sections and groups have a column where it names any. Labs
    that are `left_out` have none.

    Points of what was not run are in no maximum, so that 60 of 60 is not read as 60 of 100. A file
    that no test has seen has the maximum of the others. If a machine error left no grade, the cell
    and the total of its row are empty. If estimates gave points, a last column per lab says how
    many.
    """
    attainable: dict[str, Attainable] = defaultdict(Attainable)
    guessed: dict[str, dict[str, float]] = {}
    rows: dict[str, dict[str, _Points]] = {}
    for grade in grades:
        student, lab = grade.result.student, grade.result.lab
        most = grade.most if grade.result.verdict == "graded" else None
        row = rows.setdefault(student, {})
        if lab in left_out:
            continue
        row[lab] = (grade.score, most)
        attainable[lab].take(grade)
        if grade.estimated:
            earned = sum(one.points for one in grade.estimated)
            guessed.setdefault(lab, {})[student] = earned
    labs = sorted(attainable)
    out = io.StringIO(newline="")
    writer = csv.writer(out)  # RFC 4180: CRLF, quotes where needed
    columns = [*labs, "total"]
    marked = sorted(guessed)
    about = {student: students.get(student, Student(student)) for student in rows}
    facts = [one for one in ("section", "group") if any(getattr(it, one) for it in about.values())]
    header = ["student", *facts, *columns, *(f"{name} max" for name in columns)]
    writer.writerow([*header, *(f"{lab} {ESTIMATED}" for lab in marked)])
    for student, by_lab in rows.items():
        scores = _cells([by_lab[lab][0] if lab in by_lab else None for lab in labs])
        maxima = _cells([_most(by_lab.get(lab), attainable[lab]) for lab in labs])
        told = [guessed[lab].get(student) for lab in marked]
        estimated = ["" if earned is None else points(earned) for earned in told]
        said = [getattr(about[student], one) for one in facts]
        writer.writerow([*map(guarded, (student, *said)), *scores, *maxima, *estimated])
    return out.getvalue()


def _most(row: _Points | None, attainable: Attainable) -> float | None:
    return row and (attainable.most if row[1] is None else row[1])


def _cells(values: Sequence[float | None]) -> list[str]:
    """The values and their sum. What is None is empty, and so is the sum."""
    known = [value for value in values if value is not None]
    total = points(sum(known)) if len(known) == len(values) else ""
    return ["" if value is None else points(value) for value in values] + [total]
