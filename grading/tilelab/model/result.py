"""The result of a submission, and its rows, one per criterion."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, structs

from tilelab.base.fields import Number
from tilelab.model.case import Case
from tilelab.model.estimate import EstimatedTime
from tilelab.model.evidence import Errors, Printed, Verdict
from tilelab.model.profile import Call

# A person has to look at what is under "review" before it earns points. What is "estimated" has
# points that a GPU's verdict will replace.
Status = Literal["pass", "partial", "fail", "not_run", "review", "estimated"]
ESTIMATED = "ESTIMATED"


class Rung(Struct, frozen=True):
    """A kernel on the ladder, or a mark on the scale: "2.36  all points"."""

    speedup: Number
    name: str
    is_own: bool = False


class CriterionResult(Struct, frozen=True):
    """The result of one criterion.

    `patterns`, the ids of its failures, and `cases`, its tests, are for the student's screen only.
    `ladder` says where a timed submission stands.
    """

    name: str
    status: Status
    points: Number
    max: Number
    messages: list[str] = []
    patterns: tuple[str, ...] = ()
    cases: tuple[Case, ...] = ()
    ladder: tuple[Rung, ...] = ()

    @property
    def title(self) -> str:
        """Its name, and a word if its points come from an estimate."""
        return f"{self.name} ({ESTIMATED})" if self.status == "estimated" else self.name

    @property
    def falls_short(self) -> bool:
        """Whether it was graded and did not get all points."""
        is_lacking = self.status == "estimated" and self.points < self.max
        return is_lacking or self.status in ("partial", "fail", "review")

    def to_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "status": self.status,
            "points": self.points,
            "max": self.max,
            "messages": self.messages,
            "ladder": [structs.asdict(rung) for rung in self.ladder],
        }


class Result(Struct, frozen=True):
    """The result of one student in one lab. `score` is None only after a machine error.

    The `max` of a file that was not graded is without what nothing could judge there. Of a graded
    file, rows say what was not run.
    """

    student: str
    lab: str
    verdict: Verdict
    score: Number | None
    max: Number
    sha256: str | None = None
    criteria: list[CriterionResult] = []
    messages: list[str] = []
    # What only `check` shows: the submission's own output, its rounding errors, a remark on its
    # text, the text, an estimate that gave points, and what was counted of its calls, if anybody
    # asked.
    printed: tuple[Printed, ...] = ()
    errors: tuple[Errors, ...] = ()
    remark: str = ""
    source: str = ""
    estimate: EstimatedTime | None = None
    calls: tuple[Call, ...] = ()

    def to_json(self) -> dict[str, object]:
        return {
            "student": self.student,
            "lab": self.lab,
            "verdict": self.verdict,
            "score": self.score,
            "max": self.max,
            "sha256": self.sha256,
            "criteria": [criterion.to_json() for criterion in self.criteria],
            "messages": self.messages,
        }
