"""`tilelab report`: writes a page about the class."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilelab.commands.console import console, suggest, working
from tilelab.commands.record_files import about_left_out
from tilelab.record.store import Store
from tilelab.report import class_report, course_noted, work


def report(
    out: Annotated[Path, typer.Option(help="The folder with the record.")] = Path("results"),
) -> None:
    """Writes a page about the class: points, speed, mistakes, everybody."""
    record = Store.existing(out)
    with working("Writing the report"):
        path = class_report.write(out, record)
    console.print(f"Wrote {path}", markup=False)
    _, unread = work.labs_of(record, course_noted.read(record))
    for line in (*about_left_out(course_noted.labs_left_out(record)), *unread):
        console.print(line, markup=False)
    suggest("feedback", "--out", out)
