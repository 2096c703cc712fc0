"""The grade that evidence about a file gives in a course. Nothing is run for that."""

from __future__ import annotations

import datetime

from tilelab.model.course import Course
from tilelab.model.evidence import Evidence
from tilelab.model.grade import Grade
from tilelab.model.lab import Lab
from tilelab.record import archive
from tilelab.record.store import Entry, Store
from tilelab.score import results


def of(
    evidence: Evidence, lab: Lab, student: str, submitted: str | None, course: Course, record: Store
) -> Grade:
    """The grade of a student who handed in the file then. The record says what is released."""
    released = record.is_released(student, lab.name, evidence.sha256)
    result = archive.bare(results.of(evidence, lab, student, released=released))
    moment = datetime.datetime.fromisoformat(submitted) if submitted else None
    days = course.days_late(student, lab.name, moment)
    return Grade(result, submitted, days, course.lost_share(days))


def evidence_of(entry: Entry, record: Store) -> Evidence:
    """The evidence behind a grade. Where no test could see a file, the grade says all of it."""
    if entry.evidence:
        return record.evidence(entry.evidence)
    result = entry.grade.result
    return Evidence(result.verdict, result.sha256, tuple(result.messages))
