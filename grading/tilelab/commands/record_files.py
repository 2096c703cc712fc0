"""The record of a class as files, which every command that changes it writes anew."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tilelab.base.text import listed
from tilelab.commands.console import console
from tilelab.exports import gradebook, results_json
from tilelab.record import store
from tilelab.record.store import Store
from tilelab.report import course_noted

EXPORTS = ("results.json", "gradebook.csv")


def write(record: Store, out: Path) -> None:
    """Writes results.json and gradebook.csv, and says so."""
    export(record, out)
    for name in (store.NAME, *EXPORTS):
        console.print(f"Wrote {out / name}", markup=False)
    for line in about_left_out(course_noted.labs_left_out(record)):
        console.print(line, markup=False)


def about_left_out(labs: Sequence[str]) -> list[str]:
    """The line about labs that count in no total, if there are any."""
    which = f"Not in the course, so in no total, though the record has their grades: {listed(labs)}"
    return [which] if labs else []


def export(record: Store, out: Path) -> None:
    """Writes results.json and gradebook.csv."""
    seed = int(record.setting("seed") or 0)
    results_json.write(out / "results.json", record.machines(), seed, record.each_grade())
    left_out = course_noted.labs_left_out(record)
    gradebook.write(out / "gradebook.csv", record.each_grade(), record.students(), left_out)
