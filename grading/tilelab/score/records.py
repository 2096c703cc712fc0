"""What a submission got: the rows of its score and the whole result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["pass", "partial", "fail", "not_run"]
Verdict = Literal["graded", "rejected", "compile_error", "missing", "infra_error"]


@dataclass(frozen=True)
class CriterionResult:
    """A row of the score. `patterns`, the ids of its failures, are for `hint`, not for records."""

    name: str
    status: Status
    points: float
    max: float
    messages: list[str] = field(default_factory=list)
    patterns: tuple[str, ...] = ()

    @property
    def falls_short(self) -> bool:
        """Whether it was judged and not passed; what was not run does neither."""
        return self.status in ("partial", "fail")

    def to_json(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key != "patterns"}


@dataclass(frozen=True)
class Result:
    """One student's one lab. `score` is None only where the machine failed: that is no grade."""

    student: str
    lab: str
    verdict: Verdict
    score: float | None
    max: float
    sha256: str | None = None
    criteria: list[CriterionResult] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    printed: str = ""  # by the submission; shown by `check`, never recorded

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
