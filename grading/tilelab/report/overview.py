"""What an instructor wants to know about a class, gathered from one grade after the other."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from tilelab.base.text import one_line, points
from tilelab.model.grade import Asked, Grade
from tilelab.model.lab import Lab
from tilelab.model.result import ESTIMATED
from tilelab.model.student import Student
from tilelab.report import words
from tilelab.report.charts import Chart, shares, speedups
from tilelab.report.work import Work
from tilelab.score.failures import failures
from tilelab.score.scoring import SLOW
from tilelab.similar.public import public_file

# How many of the tests that fail most are listed.
_MOST_TESTS = 12

_PUBLIC = "public"


@dataclass(frozen=True)
class Cell:
    """One student's grade in one lab, for the table.

    `adjusted` are the points that a person added, `why` what that person said. `page` is the
    feedback, if it is there, and `public` the lab's own file that was handed in, if it was one.
    """

    score: str
    order: float  # to sort by; a grade that is not there comes last
    verdict: str
    late: str
    adjusted: str
    why: str
    review: bool
    estimated: bool
    page: str
    public: str

    @property
    def marks(self) -> list[str]:
        """What can be filtered by."""
        flags = (
            "late" * bool(self.late),
            "adjusted" * bool(self.adjusted),
            "REVIEW" * self.review,
            ESTIMATED * self.estimated,
            _PUBLIC * bool(self.public),
        )
        return [self.verdict, *filter(None, flags)]


@dataclass(frozen=True)
class Row:
    """A student with all grades, one for each lab of the class, None where there is none.

    `about` has the section and the group.
    """

    name: str
    key: str
    about: str
    sections: list[str]
    cells: list[Cell | None]
    total: str
    order: float


@dataclass(frozen=True)
class FailedTest:
    """How many of those who took a test failed it."""

    lab: str
    criterion: str
    test: str
    failed: int
    of: int


@dataclass(frozen=True)
class Mistake:
    """A pattern that was recognized in this many files, and the lab's hint for it."""

    pattern: str
    count: int
    hint: str


@dataclass(frozen=True)
class Times:
    """How long it took to examine the files of a lab, each content once."""

    lab: str
    files: int
    median: str
    longest: str
    all: str


@dataclass
class LabFacts:
    """What is known about a lab so far."""

    lab: Lab
    verdicts: Counter[str] = field(default_factory=Counter)
    shares: list[float] = field(default_factory=list)
    speedups: list[float] = field(default_factory=list)
    references: list[float] = field(default_factory=list)
    taken: Counter[tuple[str, str]] = field(default_factory=Counter)
    failed: Counter[tuple[str, str]] = field(default_factory=Counter)
    patterns: Counter[str] = field(default_factory=Counter)
    unknown: int = 0  # files with failures, none of which has a pattern
    seconds: dict[str, float] = field(default_factory=dict)

    def take(self, work: Work) -> None:
        self.verdicts[words.VERDICT[work.result.verdict]] += 1
        if work.examined is not None and work.seconds is not None:
            self.seconds[work.examined] = work.seconds
        if work.result.verdict not in ("missing", "infra_error") and work.grade.most:
            self.shares.append((work.grade.score or 0.0) / work.grade.most)
        if work.speed and not work.is_doubtful:
            self.speedups.append(work.speed.timing("submission").speedup.value)
            self.references.append(work.speed.timing("reference").speedup.value)
        self._take_tests(work)

    def _take_tests(self, work: Work) -> None:
        timed = {one.name for one in self.lab.criteria if one.curve}
        for criterion in work.result.criteria:
            if criterion.name not in timed:
                for case in criterion.cases:
                    self.taken[criterion.name, case.name] += 1
                    self.failed[criterion.name, case.name] += not case.passed
        causes = [one for one in failures(work.result) if one.pattern != SLOW]
        known = {one.pattern for one in causes if one.pattern}
        self.patterns.update(known)
        self.unknown += bool(causes) and not known

    @property
    def title(self) -> str:
        return self.lab.title

    @property
    def summary(self) -> str:
        counted = [f"{count} {word}" for word, count in self.verdicts.most_common() if count]
        return ", ".join(counted)

    @property
    def mistakes(self) -> list[Mistake]:
        """The most frequent first."""
        return [
            Mistake(name.replace("_", " "), count, self.lab.hints.get(name, ""))
            for name, count in self.patterns.most_common()
        ]

    @property
    def scores(self) -> Chart:
        return shares(self.shares)

    @property
    def speeds(self) -> Chart | None:
        return (
            speedups(self.speedups, statistics.median(self.references)) if self.speedups else None
        )

    @property
    def times(self) -> Times:
        taken = sorted(self.seconds.values())
        median = statistics.median(taken) if taken else 0.0
        return Times(
            *(self.lab.name, len(taken), f"{median:.1f}"),
            *(f"{taken[-1] if taken else 0:.1f}", f"{sum(taken) / 60:.1f}"),
        )


class Overview:
    """The class so far. `pages` has the address of the feedback by student and lab.

    Labs that are `left_out` of the course are in no total.
    """

    def __init__(
        self,
        labs: Iterable[Lab],
        pages: dict[tuple[str, str], str],
        left_out: Collection[str] = (),
    ) -> None:
        self._left_out = left_out
        self.labs = {lab.name: LabFacts(lab) for lab in labs}
        self._pages = pages
        self._students: dict[str, Student] = {}
        self._cells: dict[str, dict[str, Cell]] = {}
        self._scores: dict[str, list[float | None]] = {}
        self.counts: Counter[str] = Counter()
        self.questions: list[Asked] = []  # that nobody has answered

    def take(self, work: Work) -> None:
        key, lab = work.student.key, work.lab.name
        self.labs[lab].take(work)
        cell = _cell(work, self._pages.get((key, lab), ""))
        self._students[key] = work.student
        self._cells.setdefault(key, {})[lab] = cell
        scores = self._scores.setdefault(key, [])
        if lab not in self._left_out:
            scores.append(work.grade.score)
        self.counts.update(cell.marks)

    @property
    def marks(self) -> list[str]:
        """What occurs of all that can be filtered by."""
        order = [*words.VERDICT.values(), "REVIEW", ESTIMATED, "late", "adjusted", _PUBLIC]
        return [mark for mark in order if self.counts[mark]]

    @property
    def sections(self) -> list[str]:
        return sorted({name for one in self._students.values() for name in one.sections})

    @property
    def grades(self) -> int:
        return sum(len(cells) for cells in self._cells.values())

    @property
    def rows(self) -> list[Row]:
        """By name."""
        found = [self._row(student) for student in self._students.values()]
        return sorted(found, key=lambda row: (row.name.casefold(), row.key))

    @property
    def failed(self) -> list[FailedTest]:
        """The tests that most students fail, of all labs."""
        found = [
            FailedTest(facts.lab.name, criterion, test, count, facts.taken[criterion, test])
            for facts in self.labs.values()
            for (criterion, test), count in facts.failed.items()
            if count
        ]
        return sorted(found, key=lambda one: (-one.failed, -one.failed / one.of))[:_MOST_TESTS]

    @property
    def is_timed(self) -> bool:
        return any(facts.speedups for facts in self.labs.values())

    @property
    def has_mistakes(self) -> bool:
        return any(facts.patterns for facts in self.labs.values())

    def _row(self, student: Student) -> Row:
        cells, scores = self._cells[student.key], self._scores[student.key]
        known = [score for score in scores if score is not None]
        is_whole = len(known) == len(scores)
        return Row(
            words.name_of(student),
            one_line(student.key) if student.name else "",
            ", ".join(filter(None, (student.section, student.group and f"group {student.group}"))),
            student.sections,
            [cells.get(lab) for lab in self.labs],
            points(sum(known)) if is_whole else "",
            sum(known) if is_whole else -1.0,
        )


def _cell(work: Work, page: str) -> Cell:
    grade = work.grade
    return Cell(
        words.score_of(grade),
        -1.0 if grade.score is None else grade.score,
        words.VERDICT[work.result.verdict],
        words.late_text(grade),
        "" if grade.by_hand is None else words.signed(grade.by_hand),
        "; ".join(_reasons(grade)),
        work.is_doubtful,
        bool(grade.estimated),
        page,
        public_file(work.source, work.lab),
    )


def _reasons(grade: Grade) -> Iterator[str]:
    """Who changed the points by hand, and why."""
    if grade.adjustment:
        yield f"{one_line(grade.adjustment.by)}: {one_line(grade.adjustment.comment)}"
    for one in grade.remarks:
        if one.points:
            yield f"{one_line(one.by)}: {one_line(one.text)}"
