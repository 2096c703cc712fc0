"""What an instructor should know after collecting, as data."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tilelab.collect.gathering import Gathered
from tilelab.collect.writing import Changes
from tilelab.model.course import Course
from tilelab.pipeline.class_folder import Collected

_SHOWN_FILES = 4


@dataclass(frozen=True)
class Report:
    """Files per lab, and lines for whatever needs a look."""

    labs: list[str]
    students: int
    files: Counter[str]
    late: dict[str, list[str]]
    timeless: int  # files that have a deadline and no time
    marked_late: list[str]  # by Canvas, which does not say when
    replaced: list[str]
    without_files: list[str]
    incomplete: list[str]
    skeletons: list[str]
    strangers: list[str]  # who are not in the roster
    unsure: list[str]
    unmatched: list[str]
    refused: list[str]
    roster_remarks: list[str]


def make(
    gathered: Gathered, changes: Changes, collected: Collected, course: Course, remarks: list[str]
) -> Report:
    """Looks at the whole class, not only at what was collected now."""
    files = Counter(one.lab for one in collected.files)
    labs = list(course.assignments) + sorted(set(files) - set(course.assignments))
    has = {(one.student, one.lab) for one in collected.files}
    enrolled = [student.key for student in collected.students]
    everybody = sorted({*enrolled, *gathered.students, *(student for student, _ in has)})
    empty = [key for key in enrolled if not any((key, lab) in has for lab in labs)]
    lacking = [key for key in everybody if any((key, lab) not in has for lab in labs)]
    return Report(
        labs=labs,
        students=len(everybody),
        files=files,
        late={lab: _late(lab, collected, course) for lab in labs},
        timeless=sum(
            one.submitted is None and course.deadline(one.student, one.lab) is not None
            for one in collected.files
        ),
        marked_late=[
            f"{one.found.student}/{one.found.lab}.cu"
            for one in gathered.choices
            if one.found.marked_late and one.found.when is None
        ],
        replaced=changes.updated,
        without_files=[key for key in empty if not gathered.left.get(key)],
        incomplete=[
            _incomplete(key, [lab for lab in labs if (key, lab) not in has], gathered)
            for key in lacking
            if key not in empty or gathered.left.get(key)
        ],
        skeletons=_skeletons(gathered),
        strangers=[key for key in everybody if enrolled and key not in enrolled],
        unsure=gathered.unsure,
        unmatched=gathered.unmatched,
        refused=gathered.refused,
        roster_remarks=remarks,
    )


def _late(lab: str, collected: Collected, course: Course) -> list[str]:
    lines = []
    for one in collected.files:
        if one.lab != lab or one.submitted is None:
            continue
        when = datetime.datetime.fromisoformat(one.submitted)
        if days := course.days_late(one.student, lab, when):
            lines.append(f"{one.student}/{lab}.cu: {days} {'day' if days == 1 else 'days'} late")
    return lines


def _skeletons(gathered: Gathered) -> list[str]:
    """A line per lab: clones have the skeletons of all labs that nobody has begun."""
    by_lab: dict[str, list[str]] = {}
    for choice in gathered.choices:
        if choice.found.is_skeleton:
            by_lab.setdefault(choice.found.lab, []).append(choice.found.student)
    return [f"{lab}.cu: {', '.join(students)}" for lab, students in by_lab.items()]


def _incomplete(student: str, labs: Sequence[str], gathered: Gathered) -> str:
    """For example `amber: no diff.cu, but Diff.txt`."""
    line = f"{student}: no " + ", no ".join(f"{lab}.cu" for lab in labs)
    left = gathered.left.get(student, [])
    names = list(dict.fromkeys(left))
    if not names:
        return line
    more = f" and {len(names) - _SHOWN_FILES} more" if len(names) > _SHOWN_FILES else ""
    return f"{line}, but {', '.join(names[:_SHOWN_FILES])}{more}"
