"""The record of a class as files, which every command that changes it writes anew."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tilelab.base.text import listed, listed_few, points
from tilelab.commands.console import console
from tilelab.exports import gradebook, results_json
from tilelab.model.grade import Grade
from tilelab.record import store
from tilelab.record.store import Store
from tilelab.report import course_noted

_SHOWN = 8  # students whose grades are out of other points

EXPORTS = ("results.json", "gradebook.csv")


def write(record: Store, out: Path) -> None:
    """Writes results.json and gradebook.csv, and says so."""
    export(record, out)
    for name in (store.NAME, *EXPORTS):
        console.print(f"Wrote {out / name}", markup=False)
    for line in about_left_out(course_noted.labs_left_out(record)):
        console.print(line, markup=False)
    for line in _about_points(record.each_grade()):
        console.print(line, style="bold yellow", markup=False)


def _about_points(grades: Iterable[Grade]) -> Iterator[str]:
    """A line about each lab whose points are not the same for all, by the course of each grade."""
    students: dict[str, dict[float, list[str]]] = defaultdict(lambda: defaultdict(list))
    for grade in grades:
        if grade.result.verdict == "graded":
            students[grade.result.lab][grade.result.max].append(grade.result.student)
    for lab, by_points in students.items():
        (most, _), *others = sorted(by_points.items(), key=lambda one: -len(one[1]))
        for other, few in others:
            shown, are = listed_few(few, _SHOWN), "is" if len(few) == 1 else "are"
            yield (
                f"{lab}: {shown} {are} out of {points(other)} points, and others out of "
                f"{points(most)}. To give all the same, grade all with one --course."
            )


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
