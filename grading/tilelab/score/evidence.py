"""Evidence: what was found out about a file in one lab, before points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tilelab.score.cases import Case
from tilelab.score.records import Errors, Printed, Verdict


@dataclass(frozen=True)
class CriterionEvidence:
    """What is known about a criterion: its tests and times, or why it was not run.

    `times` has the judge's measurements by problem, in the form that score.measurement reads.
    `estimate` is what pipeline.profiling.estimating says about the time where no GPU measured it,
    empty if nobody asked.
    """

    cases: tuple[Case, ...] = ()
    times: Mapping[str, Any] = field(default_factory=dict)
    not_run: str = ""
    estimate: Mapping[str, Any] = field(default_factory=dict)

    @property
    def falls_short(self) -> bool:
        """Whether a test failed."""
        return any(not case.passed and not case.untested for case in self.cases)


@dataclass(frozen=True)
class Evidence:
    """Everything that points are computed from, apart from the lab's points themselves.

    `tested` has the criteria by name. A timed criterion is missing there if one that it depends on
    falls short. `printed`, `errors` and `remark` are what only `check` shows.
    """

    verdict: Verdict
    sha256: str | None = None
    messages: tuple[str, ...] = ()
    tested: Mapping[str, CriterionEvidence] = field(default_factory=dict)
    source: str = ""
    printed: tuple[Printed, ...] = ()
    errors: tuple[Errors, ...] = ()
    remark: str = ""


def infra_error(message: str, sha256: str | None = None) -> Evidence:
    """What is left of a submission that the machine kept from being graded."""
    return Evidence("infra_error", sha256, (f"Not the submission's fault: {message}",))
