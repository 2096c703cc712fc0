"""A class whose files no compiler sees: a test says what examining each of them finds."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from support import unbuilt
from tilelab.labs import lab
from tilelab.labs.course import lab_of
from tilelab.model.case import Case
from tilelab.model.course import Course
from tilelab.model.evidence import CriterionEvidence, Evidence
from tilelab.model.lab import Lab
from tilelab.pipeline.harness.session import Session
from tilelab.record.grading import Grading
from tilelab.record.jobs import Job
from tilelab.record.outcome import Outcome
from tilelab.record.store import Store

DIFF = lab.load("diff")


class Class:
    """A class in a folder, its record, and a machine that finds what `finds` says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.record = Store(folder)
        self.session = Session([unbuilt("emulator", folder)], seed=7)
        self.course = Course()
        self.finds: dict[str, Evidence] = {}  # by the text of the file
        self.examined: list[tuple[str, int]] = []

    def hand_in(self, student: str, text: str) -> Job:
        path = self.folder / f"{student}.cu"
        path.write_text(text)
        return Job(student, lab_of(self.course, "diff"), path)

    def job(self, student: str, lab: Lab = DIFF) -> Job:
        return Job(student, lab, self.folder / f"{student}.cu")

    def grade(self, jobs: Sequence[Job], *, new_seed: bool = False, again: bool = False) -> Outcome:
        run = Grading(self.record, self.course, self.session, lambda _job, _grade: None)
        for task in run.plan(jobs, new_seed=new_seed, again=again):
            text = task.path.read_text()
            self.examined.append((task.name, task.session.seed))
            found = self.finds.get(text, passed(1))
            sha256 = hashlib.sha256(text.encode()).hexdigest()
            run.done(task, replace(found, sha256=sha256, source=text), 0.5)
        return run.outcome

    def scores(self) -> dict[str, float | None]:
        return {one.result.student: one.score for one in self.record.grades()}


def passed(share: float) -> Evidence:
    """Evidence of a file of which this share of all tests passed."""
    cases = tuple(Case(f"test {i}", i < 4 * share, []) for i in range(4))
    untimed = [one.name for one in DIFF.criteria if one.curve is None]
    tested = {name: CriterionEvidence(cases) for name in untimed}
    return Evidence("graded", "", (), tested | {"speed": CriterionEvidence(not_run="no GPU.")})
