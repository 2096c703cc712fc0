"""What a student reads about one lab."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tilelab.base.text import one_line, points, printable
from tilelab.model import grade as grades
from tilelab.model.case import Case, Message, Place, located
from tilelab.model.course import Course
from tilelab.model.failure import Failure
from tilelab.model.lab import Lab
from tilelab.model.measurement import Interval
from tilelab.model.result import CriterionResult, Rung
from tilelab.report import memory, source, words
from tilelab.report.memory import Count
from tilelab.report.source import Line
from tilelab.report.work import Work
from tilelab.score import hints
from tilelab.score.failures import SKIPPED, failures
from tilelab.score.scoring import SLOW
from tilelab.tutor.code import Code, code_of

# How many inputs with the same failure are listed.
_MOST_INPUTS = 12


@dataclass(frozen=True)
class Wrong:
    """A failure: what is wrong, for which inputs, and with which values."""

    says: str
    inputs: list[str]
    more_inputs: int = 0
    element: str = ""
    expected: str = ""
    got: str = ""
    lines: list[int] = field(default_factory=list)
    hint: str = ""
    tests: int = 1  # how many fail for this cause


@dataclass(frozen=True)
class Test:
    """A test, with its failures, or with notes if it passed."""

    name: str
    passed: bool
    wrong: list[Wrong]
    notes: list[str]


@dataclass(frozen=True)
class Part:
    """A criterion, with its tests. `messages` say why there are none."""

    name: str
    status: str
    sign: str
    word: str
    points: str
    messages: list[str]
    tests: list[Test]


@dataclass(frozen=True)
class Asked:
    """A student's question: what it is about, its text, and what people answer."""

    about: str
    text: str
    answers: list[str]


@dataclass(frozen=True)
class Bar:
    """A kernel on the ladder of speed. `share` is its part of the longest bar."""

    speedup: str
    name: str
    is_own: bool
    share: float


@dataclass(frozen=True)
class Feedback:
    """All of it, as text. None of it is escaped for a page."""

    lab: str
    title: str
    course: str
    student: str
    facts: list[tuple[str, str]]
    score: str
    sum: list[words.Step]
    not_run: str
    estimated: str
    happened: str
    messages: list[str]
    causes: list[Wrong]
    parts: list[Part]
    remarks: list[str]  # about the whole file
    questions: list[Asked]
    source: list[Line]
    counts: list[Count]
    speed: Interval | None
    ladder: list[Bar]

    @property
    def listing(self) -> str:
        """The file as a terminal shows it, with carets under what was found."""
        return "\n".join(text for line in self.source for text in _listed(line))


def of(work: Work, course: Course, *, hints: bool) -> Feedback:
    """The feedback about a lab. `hints` adds those of the lab."""
    grade, result = work.grade, work.result
    # What is only slow has a section of its own.
    causes = [one for one in failures(result) if one.pattern != SLOW]
    teller = _Teller(work.lab, code_of(work.source) if hints else None)
    return Feedback(
        lab=work.lab.name,
        title=work.lab.title,
        course=one_line(course.title),
        student=words.name_of(work.student),
        facts=_facts(work, course),
        score=words.score_of(grade),
        sum=words.sum_of(grade),
        not_run=words.not_run_text(grade),
        estimated=words.estimated_text(grade),
        happened=words.HAPPENED[result.verdict],
        messages=[printable(one) for one in result.messages],
        causes=[teller.cause(one) for one in causes],
        parts=[teller.part(one) for one in result.criteria],
        remarks=[one_line(one.text) for one in grade.remarks if not one.line],
        questions=[
            Asked(
                _about(asked, work.lab.name),
                printable(asked.text),
                [printable(one.text) for one in answers],
            )
            for asked, answers in work.questions
        ],
        source=source.lines(work.source, _places(causes, result.messages), grade.remarks),
        counts=memory.counts(result),
        speed=work.speed.timing("submission").speedup if work.speed else None,
        ladder=_bars([rung for one in result.criteria for rung in one.ladder]),
    )


class _Teller:
    """Tells failures. `code` is the student's, None if no hints are wanted."""

    def __init__(self, lab: Lab, code: Code | None) -> None:
        self._lab, self._code = lab, code

    def cause(self, failure: Failure) -> Wrong:
        told = self._wrong([failure.details], self._hint(failure.details))
        return Wrong(**{**vars(told), "tests": failure.count})

    def part(self, criterion: CriterionResult) -> Part:
        sign, word = words.STATUS[criterion.status]
        is_timed = any(one.curve and one.name == criterion.name for one in self._lab.criteria)
        shown = is_timed or not criterion.cases
        return Part(
            criterion.name,
            criterion.status,
            sign,
            word,
            f"{points(criterion.points)} / {points(criterion.max)}",
            [printable(one) for one in criterion.messages] if shown else [],
            [] if shown else [self._test(one) for one in criterion.cases],
        )

    def _test(self, case: Case) -> Test:
        if case.passed:
            return Test(case.name, True, [], [printable(one) for one in case.texts])
        wrong = [self._wrong(group) for group in _alike(case.messages)]
        return Test(case.name, False, wrong or [Wrong("It failed.", [])], [])

    def _wrong(self, group: Sequence[Message], hint: str = "") -> Wrong:
        """One failure for messages that differ in their inputs only."""
        first = group[0]
        says = first.summary or first.text
        inputs = [", ".join(one.inputs) for one in group if one.inputs]
        return Wrong(
            printable(says),
            [one_line(text) for text in inputs[:_MOST_INPUTS]],
            max(0, len(inputs) - _MOST_INPUTS),
            one_line(first.element),
            one_line(first.expected),
            one_line(first.got),
            list(dict.fromkeys(place.line for place in first.shown_places)),
            hint,
        )

    def _hint(self, message: Message) -> str:
        hint = hints.of(message, self._lab)
        return hint if self._code and not self._code.shows(hint) else ""


def _about(asked: grades.Asked, lab: str) -> str:
    line = f"Line {asked.line}" if asked.line else ""
    if asked.lab == lab:
        return line or "Your file"
    return f"{asked.lab}, {line.lower()}" if line else asked.lab


def _listed(line: Line) -> Iterator[str]:
    yield f"{line.number:>4} | {line.text}".rstrip()
    if line.notes:
        yield f"     | {line.carets}"
        yield from (f"     | {text}" for note in line.notes for text in note.splitlines())


def _facts(work: Work, course: Course) -> list[tuple[str, str]]:
    key, name, grade = work.student.key, work.lab.name, work.grade
    deadline = course.deadline(key, name)
    submitted = datetime.datetime.fromisoformat(grade.submitted) if grade.submitted else None
    handed = words.moment_text(submitted, course.time_zone)
    late = words.late_text(grade)
    # With another deadline than that of the course, lateness and date would contradict each other.
    is_of_course = course.days_late(key, name, submitted) == grade.days_late
    if is_of_course and submitted and deadline and submitted > deadline and not late:
        late = "within the grace period"
    facts = [
        ("Handed in", f"{handed} ({late})" if handed and late else handed),
        ("Group", one_line(work.student.group)),
        ("Due", words.moment_text(deadline, course.time_zone) if is_of_course else ""),
        ("SHA-256 of the file", work.result.sha256 or ""),
    ]
    return [(name, text) for name, text in facts if text]


def _alike(messages: Sequence[Message]) -> list[list[Message]]:
    """Messages with the same pattern, which say the same about several inputs.

    That an input was skipped needs no line, unless nothing else says why the test failed.
    """
    groups: dict[str, list[Message]] = {}
    for message in [one for one in messages if one.pattern != SKIPPED] or messages:
        groups.setdefault(message.pattern or message.summary or message.text, []).append(message)
    return list(groups.values())


def _places(causes: Sequence[Failure], messages: Sequence[str]) -> Iterator[Place]:
    """Where in the file something was found: by the tests, or by the compiler."""
    for cause in causes:
        yield from cause.details.shown_places
    for message in messages:
        if place := located(message):
            yield place


def _bars(rungs: Sequence[Rung]) -> list[Bar]:
    longest = max((rung.speedup for rung in rungs), default=1.0)
    return [Bar(f"{one.speedup:.2f}", one.name, one.is_own, one.speedup / longest) for one in rungs]
