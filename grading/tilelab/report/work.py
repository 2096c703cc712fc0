"""What the record has about one student in one lab."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from tilelab.base.errors import InfraError, UserError
from tilelab.labs.course import lab_of
from tilelab.model.course import Course
from tilelab.model.evidence import Evidence
from tilelab.model.grade import Answer, Asked, Grade
from tilelab.model.lab import Lab
from tilelab.model.measurement import Measurement
from tilelab.model.result import Result
from tilelab.model.student import Student
from tilelab.record.store import Store
from tilelab.score import measurement, results


@dataclass(frozen=True)
class Work:
    """A grade, and what it is made of.

    `result` is that of the grade, with the tests. `source` is the text that was graded, "" if there
    is none. `examined` names what was found out about the text, which several students can share,
    and that took `seconds`. `questions` are the student's about this lab, and about labs without a
    grade, with all answers.
    """

    student: Student
    lab: Lab
    grade: Grade
    result: Result
    source: str = ""
    evidence: Evidence | None = None
    examined: str | None = None
    seconds: float | None = None
    questions: Sequence[tuple[Asked, Sequence[Answer]]] = ()

    @functools.cached_property
    def speed(self) -> Measurement | None:
        """The times of the submission and of the lab's own kernels, if they can be used."""
        for criterion in self.lab.criteria:
            tested = self.evidence.tested.get(criterion.name) if self.evidence else None
            if criterion.curve and tested and tested.times:
                return _measured(tested.times)
        return None

    @property
    def is_doubtful(self) -> bool:
        """Whether a person has to look at it before all of its points count."""
        return any(one.status == "review" for one in self.grade.result.criteria)


def labs_of(record: Store, course: Course) -> tuple[dict[str, Lab], list[str]]:
    """The labs with grades, and a line about each that cannot be read.

    Of such a lab only the name is known: it has no criteria and no hints.
    """
    labs, lines = {}, []
    for name in record.labs():
        try:
            labs[name] = lab_of(course, name)
        except UserError as error:
            labs[name] = Lab(name=name, title=name, criteria=())
            lines.append(f"{name} has no tests and no hints here, only what is in a grade: {error}")
    return labs, lines


def works(record: Store, course: Course, only: Container[str] | None = None) -> Iterator[Work]:
    """One for each grade of the record, or of `only` these students, by student and lab."""
    students, seconds = record.students(), record.seconds()
    labs, _ = labs_of(record, course)
    graded = record.graded()
    questions, homeless = defaultdict(list), defaultdict(list)
    for asked, answers in record.questions().values():
        if (asked.student, asked.lab) in graded:
            questions[asked.student, asked.lab].append((asked, answers))
        else:
            homeless[asked.student].append((asked, answers))
    for entry in record.each_adjusted():
        grade, key = entry.grade, entry.evidence
        result = grade.result
        if only is not None and result.student not in only:
            continue
        student = students.get(result.student, Student(result.student))
        lab = labs[result.lab]
        about = questions[result.student, result.lab] + homeless[result.student]
        if key is None:
            yield Work(student, lab, grade, result, questions=about)
            continue
        evidence = record.evidence(key)
        released = record.is_released(result.student, result.lab, result.sha256)
        tested = _with_tests(result, results.of(evidence, lab, released=released))
        yield Work(student, lab, grade, tested, evidence.source, evidence, key, seconds[key], about)


def _measured(times: Mapping[str, Measurement]) -> Measurement | None:
    try:
        found = measurement.of(times, "speed")
        for name in ("submission", "reference"):
            found.timing(name)
    except InfraError:
        return None
    return found


def _with_tests(graded: Result, computed: Result) -> Result:
    """The result with its tests, which results of the record do not have."""
    found = {one.name: one for one in computed.criteria}
    criteria = [
        replace(
            one,
            cases=found[one.name].cases,
            patterns=found[one.name].patterns,
        )
        if one.name in found
        else one
        for one in graded.criteria
    ]
    return replace(graded, criteria=criteria)
