"""Writes the report about a class."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path

from tilelab.base.files import write_atomically
from tilelab.base.text import one_line
from tilelab.model.course import Course
from tilelab.pipeline.harness.session import Machine
from tilelab.record.store import Store
from tilelab.report import charts, course_noted, names, pages, sending, words
from tilelab.report.overview import Overview
from tilelab.report.work import labs_of, works

FOLDER = "report"


def write(out: Path, record: Store) -> Path:
    """Writes index.html, and returns where."""
    course = course_noted.read(record)
    known, _ = labs_of(record, course)
    labs = sorted(known.values(), key=lambda lab: lab.order)
    overview = Overview(labs, _feedback(out, record), course_noted.labs_left_out(record))
    overview.questions = [asked for asked, answers in record.questions().values() if not answers]
    for work in works(record, course):
        overview.take(work)
    path = out / FOLDER / "index.html"
    path.parent.mkdir(exist_ok=True)
    write_atomically(path, page(overview, record.machines(), course))
    return path


def page(overview: Overview, machines: Sequence[Machine], course: Course) -> str:
    return pages.html(
        "report",
        course=one_line(course.title),
        overview=overview,
        size=charts,
        machines=machines,
        written=words.moment_text(datetime.datetime.now(datetime.UTC), course.time_zone),
    )


def _feedback(out: Path, record: Store) -> dict[tuple[str, str], str]:
    """Where the feedback is, as far as it was written, from the report's folder."""
    found = {}
    for key, name in names.folder_names(sorted(record.graded_students())).items():
        for path in (out / sending.FOLDER / name).glob("*.html"):
            found[key, path.stem] = f"../{sending.FOLDER}/{name}/{path.name}"
    return found
