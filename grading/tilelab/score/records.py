"""The result of a submission, and its rows, one per criterion."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tilelab.score.cases import Case
from tilelab.score.scale import Rung

# A person has to look at what is under "review" before it earns points. What is "estimated" has
# points that a GPU's verdict will replace.
Status = Literal["pass", "partial", "fail", "not_run", "review", "estimated"]
ESTIMATED = "ESTIMATED"
Verdict = Literal["graded", "rejected", "compile_error", "missing", "infra_error"]


@dataclass(frozen=True)
class CriterionResult:
    """The result of one criterion.

    `patterns`, the ids of its failures, and `cases`, its tests, are for the student's screen only.
    `ladder` says where a timed submission stands.
    """

    name: str
    status: Status
    points: float
    max: float
    messages: list[str] = field(default_factory=list)
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

    def to_json(self) -> dict[str, Any]:
        on_screen = ("patterns", "cases")
        found = {key: value for key, value in vars(self).items() if key not in on_screen}
        return {**found, "ladder": [dataclasses.asdict(rung) for rung in self.ladder]}


@dataclass(frozen=True)
class Printed:
    """What the submission printed in one call, which `call` shows as "diff(int[9], int[9], 9)"."""

    test: str
    call: str
    text: str


@dataclass(frozen=True)
class Errors:
    """How far an output of floats was from what was expected, over all of its elements."""

    output: str
    elements: int
    rms: float
    largest: float


@dataclass(frozen=True)
class Result:
    """The result of one student in one lab. `score` is None only after a machine error."""

    student: str
    lab: str
    verdict: Verdict
    score: float | None
    max: float
    sha256: str | None = None
    criteria: list[CriterionResult] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    # What only `check` shows: the submission's own output, its rounding errors, a remark on its
    # text, the text, and an estimate that gave points.
    printed: tuple[Printed, ...] = ()
    errors: tuple[Errors, ...] = ()
    remark: str = ""
    source: str = ""
    estimate: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
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
