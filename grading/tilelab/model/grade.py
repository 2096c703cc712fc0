"""Grades: results, with what lateness takes and what a person adds."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from msgspec import Struct

from tilelab.model.result import CriterionResult, Result


class Adjustment(Struct, frozen=True):
    """What a person changed: `points` are added after everything else, and may be negative."""

    points: float
    comment: str
    by: str
    at: str  # ISO 8601, UTC


class Remark(Struct, frozen=True):
    """What a person says about a line of a file, or about all of it if `line` is 0.

    `points` are added, and may be negative.
    """

    line: int
    text: str
    points: float
    by: str
    at: str  # ISO 8601, UTC


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """What a student asks about a grade, and about a line of the file if `line` is not 0.

    `at` is when that was handed in, as ISO 8601 in UTC, if that is known.
    """

    student: str
    lab: str
    line: int
    text: str
    at: str | None = None

    @property
    def id(self) -> str:
        """The same for the same question, on every machine."""
        what = "\0".join((self.student, self.lab, str(self.line), self.text))
        return hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()[:8]


class Answer(Struct, frozen=True):
    """What a person says to a question."""

    text: str
    by: str
    at: str  # ISO 8601, UTC


class Grade(Struct, frozen=True):
    """The grade of one student in one lab.

    `submitted` is when the file was handed in, as ISO 8601 in UTC, if that is known. `remarks` are
    about this very file.
    """

    result: Result
    submitted: str | None = None
    days_late: int = 0
    lost_share: float = 0.0
    adjustment: Adjustment | None = None
    remarks: tuple[Remark, ...] = ()

    @property
    def by_hand(self) -> float | None:
        """What people have added, None if they added nothing."""
        given = [one.points for one in self.remarks if one.points]
        given += [self.adjustment.points] if self.adjustment else []
        return sum(given) if given else None

    @property
    def score(self) -> float | None:
        """The points that count. None if there is no grade because of a machine error.

        A person's points count even then: they may be the only ones.
        """
        added = self.by_hand
        if self.result.score is None:
            return None if added is None else round(max(0.0, added), 2)
        earned = self.result.score * (1 - self.lost_share) + (added or 0.0)
        return round(max(0.0, earned), 2)

    @property
    def not_run(self) -> float:
        """The points of criteria that were not run, such as speed without a GPU."""
        return sum(one.max for one in self.result.criteria if one.status == "not_run")

    @property
    def estimated(self) -> list[CriterionResult]:
        """The criteria whose points come from an estimate."""
        return [one for one in self.result.criteria if one.status == "estimated"]

    @property
    def most(self) -> float:
        """The points that there were to get: without those of criteria that were not run."""
        return self.result.max - self.not_run


@dataclass
class Attainable:
    """The points that there were to get in a lab, by its grades.

    A file that no test has seen does not say what was run, so the others do, if there are any.
    """

    by_tested: float | None = None
    by_others: float = 0.0

    def take(self, grade: Grade) -> None:
        if grade.result.verdict == "graded":
            self.by_tested = max(grade.most, self.by_tested or 0.0)
        else:
            self.by_others = max(grade.most, self.by_others)

    @property
    def most(self) -> float:
        return self.by_others if self.by_tested is None else self.by_tested
