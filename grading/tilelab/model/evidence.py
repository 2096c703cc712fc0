"""Evidence: what was found out about a file in one lab, before points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from tilelab.model.case import Case
from tilelab.model.estimate import EstimatedTime
from tilelab.model.measurement import Measurement
from tilelab.model.profile import Call

Verdict = Literal["graded", "rejected", "compile_error", "missing", "infra_error"]


class Printed(Struct, frozen=True):
    """What the submission printed in one call, which `call` shows as "diff(int[9], int[9], 9)"."""

    test: str
    call: str
    text: str


class Errors(Struct, frozen=True):
    """How far an output of floats was from what was expected, over all of its elements."""

    output: str
    elements: int
    rms: float
    largest: float


class CriterionEvidence(Struct, frozen=True):
    """What is known about a criterion: its tests and times, or why it was not run.

    `times` has the judge's measurements by problem.
    `estimate` is about the time where no GPU measured it, None if nobody asked.
    """

    cases: tuple[Case, ...] = ()
    times: Mapping[str, Measurement] = {}
    not_run: str = ""
    estimate: EstimatedTime | None = None

    @property
    def falls_short(self) -> bool:
        """Whether a test failed."""
        return any(not case.passed and not case.untested for case in self.cases)


class Evidence(Struct, frozen=True):
    """Everything that points are computed from, apart from the lab's points themselves.

    `tested` has the criteria by name. A timed criterion is missing there if one that it depends on
    falls short. Of a file that was not graded it has those that nothing could judge there.
    `printed`, `errors`, `remark` and `calls`, which are there if they were asked for,
    are what only `check` shows.
    """

    verdict: Verdict
    sha256: str | None = None
    messages: tuple[str, ...] = ()
    tested: Mapping[str, CriterionEvidence] = {}
    source: str = ""
    printed: tuple[Printed, ...] = ()
    errors: tuple[Errors, ...] = ()
    remark: str = ""
    calls: tuple[Call, ...] = ()


def infra_error(message: str, sha256: str | None = None) -> Evidence:
    """What is left of a submission that the machine kept from being graded."""
    return Evidence("infra_error", sha256, (f"Not the submission's fault: {message}",))
