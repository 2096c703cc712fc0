"""What an instructor should know after collecting, as data."""

from __future__ import annotations

import datetime
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tilelab.base.text import counted, listed, one_line, shorten
from tilelab.collect import group_files
from tilelab.collect.choosing import Choice
from tilelab.collect.gathering import Gathered
from tilelab.collect.questions import Question, about_left, about_passed
from tilelab.collect.writing import Changes
from tilelab.model.course import Course
from tilelab.pipeline.class_folder import Collected
from tilelab.pipeline.groups import Groups

_SHOWN_CHARACTERS = 100
_SHARE_AT_HAND = 0.1  # of those who handed in something


@dataclass(frozen=True)
class Report:
    """Files per lab, and lines for whatever needs a look."""

    labs: list[str]
    students: int
    files: Counter[str]
    missing_files: Counter[str]  # of how many there is none, of their own or of the group
    late: dict[str, list[str]]
    timeless: int  # files that have a deadline and no time
    marked_late: list[str]  # by Canvas, which does not say when
    replaced: list[str]
    missing: list[str]
    skeletons: list[str]
    strangers: list[str]  # who are not in the roster
    guessed: list[str]  # files that are not named like their labs
    unsure: list[str]
    asked: list[str]  # by students about their grades
    questions: list[Question]
    refused: list[str]
    roster_remarks: list[str]


def make(
    gathered: Gathered,
    changes: Changes,
    collected: Collected,
    course: Course,
    remarks: list[str],
    folder: Path,
) -> Report:
    """Looks at the whole class, of which labs that nobody has handed in yet are no part.

    The copies of the sources' files must be there.
    """
    taken = [choice for choice in gathered.choices if choice not in changes.passed]
    gathered = replace(gathered, choices=taken)
    files = Counter(one.lab for one in collected.files)
    labs = [lab for lab in course.assignments if files[lab]]
    labs += sorted(set(files) - set(labs))
    has = {(one.student, one.lab) for one in collected.files}
    enrolled = [student.key for student in collected.students]
    everybody = sorted({*enrolled, *gathered.students, *(student for student, _ in has)})
    groups = Groups(collected.students)
    has = group_files.shared(has, groups)
    lacking = _lacking(everybody, gathered, _at_hand(gathered, course), has)
    return Report(
        labs=labs,
        students=len(everybody),
        files=files,
        missing_files=Counter(
            lab for lab in labs for student in everybody if (student, lab) not in has
        ),
        late={lab: _late(lab, collected, course) for lab in labs},
        timeless=sum(
            one.submitted is None and course.deadline(one.student, one.lab) is not None
            for one in collected.files
        ),
        marked_late=[
            f"{one.found.student}/{one.found.lab}.cu"
            for one in gathered.choices
            if one.found.marked_late
            and one.found.when is None
            and (one.found.student, one.found.lab) not in course.submitted
        ],
        replaced=changes.updated,
        missing=_missing(lacking, gathered, {student for student, _ in has}),
        skeletons=_skeletons(gathered),
        strangers=[key for key in everybody if enrolled and key not in enrolled],
        guessed=_guessed(gathered.choices),
        unsure=gathered.unsure,
        asked=[
            f"{one.student}: {one.lab}{f', line {one.line}' if one.line else ''}: "
            f"{shorten(one_line(' '.join(one.text.split())), _SHOWN_CHARACTERS)}"
            for one in gathered.asked
        ],
        questions=[
            *_left_over(gathered, collected, folder),
            *gathered.questions,
            *(
                about_passed(choice.found)
                for choice in changes.passed
                if not choice.found.is_skeleton
            ),
            *group_files.differing(gathered.choices, collected, groups, folder),
            *(
                about_left(student, lacked, gathered.left[student])
                for student, lacked in lacking.items()
                if gathered.left.get(student)
            ),
        ],
        refused=gathered.refused,
        roster_remarks=remarks,
    )


def _at_hand(gathered: Gathered, course: Course) -> set[str]:
    """The labs of the course that these sources are about.

    Somebody may hand in a file for another lab, and clones have the skeletons of all labs.
    """
    worked = [choice.found for choice in gathered.choices if not choice.found.is_skeleton]
    files = Counter(one.lab for one in worked)
    enough = _SHARE_AT_HAND * len({one.student for one in worked})
    ours = course.assignments or files
    return {lab for lab, count in files.items() if count >= enough and lab in ours}


def _lacking(
    everybody: Sequence[str], gathered: Gathered, at_hand: set[str], has: set[tuple[str, str]]
) -> dict[str, list[str]]:
    """The labs that each student has not handed in, of those at hand.

    So is one that a text of the student seems to be for.
    """
    lacking = {}
    for student in everybody:
        left = gathered.left.get(student, [])
        meant = {one.lab for one in left if one.lab and one.member.copy is not None}
        labs = sorted(lab for lab in at_hand | meant if (student, lab) not in has)
        if labs:
            lacking[student] = labs
    return lacking


def _missing(lacking: Mapping[str, list[str]], gathered: Gathered, busy: set[str]) -> list[str]:
    """A line for all students who lack the same labs, apart from those who are asked about."""
    groups: dict[str, list[str]] = {}
    for student, labs in lacking.items():
        if not gathered.left.get(student):
            files = ", ".join(f"no {lab}.cu" for lab in labs)
            what = files if student in busy else "no file to judge"
            groups.setdefault(what, []).append(student)
    return [f"{what} ({len(keys)}): {listed(keys)}" for what, keys in groups.items()]


def _guessed(choices: Sequence[Choice]) -> list[str]:
    """A line for all whose files are for one lab, because the same says so."""
    why = {"function": "it defines its functions", "word": "its name has that word"}
    whose: dict[tuple[str, str], list[str]] = {}
    for found in (choice.found for choice in choices):
        if found.by in why:
            file = f"{found.student} ({found.member.name})"
            whose.setdefault((found.lab, found.by), []).append(file)
    return [
        f"{lab}, because {why[by]} ({len(files)}): {listed(files)}"
        for (lab, by), files in sorted(whose.items())
    ]


def _left_over(gathered: Gathered, collected: Collected, folder: Path) -> Iterator[Question]:
    """Files of an earlier time that are somebody else's now, or for another lab, or nothing."""
    mine = {(choice.found.student, choice.found.lab) for choice in gathered.choices}
    old: dict[str, list[str]] = {}
    for one in collected.files:
        if (one.student, one.lab) not in mine and one.source in gathered.seen:
            path = folder / one.student / f"{one.lab}.cu"
            data = path.read_bytes() if path.is_file() else None
            if any(member.data() == data for member in gathered.seen[one.source]):
                old.setdefault(one.student, []).append(f"{one.lab}.cu")
    for student, names in old.items():
        there = {path.name for path in (folder / student).iterdir()}
        files = [str(folder / student / name) for name in names]
        remove = ["rm", "-r", str(folder / student)] if there <= set(names) else ["rm", *files]
        shown = listed(f"{student}/{name}" for name in names)
        yield Question(f"{shown}: taken before, and not now. Remove it", (shlex.join(remove),))


def _late(lab: str, collected: Collected, course: Course) -> list[str]:
    lines = []
    for one in collected.files:
        if one.lab != lab or one.submitted is None:
            continue
        when = datetime.datetime.fromisoformat(one.submitted)
        if days := course.days_late(one.student, lab, when):
            lines.append(f"{one.student}/{lab}.cu: {counted(days, 'day')} late")
    return lines


def _skeletons(gathered: Gathered) -> list[str]:
    """A line per lab: clones have the skeletons of all labs that nobody has begun."""
    by_lab: dict[str, list[str]] = {}
    for choice in gathered.choices:
        if choice.found.is_skeleton:
            by_lab.setdefault(choice.found.lab, []).append(choice.found.student)
    return [f"{lab}.cu: {listed(students)}" for lab, students in by_lab.items()]
