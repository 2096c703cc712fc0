"""Writes gradebook.csv, for people."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from tilelab.base.files import write_atomically
from tilelab.base.text import points
from tilelab.exports.cells import guarded
from tilelab.score.records import Result


def write(path: Path, labs: Sequence[str], results: Sequence[Result]) -> None:
    """Writes a row per student, with a column per lab and the total.

    If a machine error left no grade, the cell and the total of its row are empty.
    """
    rows: dict[str, dict[str, Result]] = {}
    for result in results:
        rows.setdefault(result.student, {})[result.lab] = result
    out = io.StringIO(newline="")
    writer = csv.writer(out)  # RFC 4180: CRLF, quotes where needed
    writer.writerow(["student", *labs, "total"])
    for student, by_lab in rows.items():
        scores = [by_lab[lab].score if lab in by_lab else None for lab in labs]
        total = "" if None in scores else points(sum(score or 0 for score in scores))
        cells = ["" if score is None else points(score) for score in scores]
        writer.writerow([guarded(student), *cells, total])
    write_atomically(path, out.getvalue())
