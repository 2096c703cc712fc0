"""Grades files into a record: examines what is new, and never loses what is there."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable

from tilelab.base.errors import Rejected
from tilelab.model import evidence as evidences
from tilelab.model.course import Course
from tilelab.model.evidence import Evidence
from tilelab.model.grade import Grade
from tilelab.model.lab import Lab
from tilelab.pipeline import intake, submission
from tilelab.pipeline.batch import Task
from tilelab.pipeline.harness.session import Machine, Session
from tilelab.record import fingerprint, scored
from tilelab.record.fingerprint import Inputs
from tilelab.record.jobs import Job
from tilelab.record.outcome import Outcome
from tilelab.record.store import Entry, Store

# Hears of each job that is settled.
Settled = Callable[[Job, Grade], None]


class Grading:
    """One run of a grader over some files, into one record.

    Evidence goes into the record as soon as it is complete. `outcome` says what became of grades.
    """

    def __init__(self, store: Store, course: Course, session: Session, settled: Settled) -> None:
        self._store = store
        self._course = course
        self._session = session
        self._settled = settled
        self._machine = session.machine()
        self._bare: dict[str, Inputs] = {}  # by lab: without the file's checksum
        self._waiting: dict[str, tuple[Inputs, list[Job]]] = {}  # by the task's name
        self.outcome = Outcome(store)
        self.known = 0  # files that the record knew

    def plan(self, jobs: Iterable[Job], *, new_seed: bool, again: bool) -> list[Task]:
        """The files to examine: each content once, and nothing that the record knows.

        With `new_seed`, all get the session's inputs. Otherwise a file that was graded before gets
        the same ones again. `again` examines even what the record knows.
        """
        tasks: dict[str, Task] = {}
        for job in jobs:
            try:
                sha256 = intake.read(job.path).sha256
            except (OSError, Rejected):  # no text to examine
                evidence = submission.examine(job.path, job.lab, self._session)
                self._settle(job, None, evidence)
                continue
            before = self._evidence_of(job)
            seed = self._session.seed
            if before and not new_seed:
                seed = self._store.inputs(before).seed
            inputs = dataclasses.replace(self._inputs(job.lab), submission=sha256, seed=seed)
            known = None if again else self._known(before, inputs)
            if inputs.key in tasks:
                self._waiting[tasks[inputs.key].name][1].append(job)
            elif known:
                self.known += 1
                self._settle(job, known, self._store.evidence(known))
            else:
                session = dataclasses.replace(self._session, seed=seed)
                task = Task(f"{job.name}.cu", job.path, job.lab, session)
                tasks[inputs.key] = task
                self._waiting[task.name] = (inputs, [job])
        return list(tasks.values())

    def done(self, task: Task, evidence: Evidence, seconds: float) -> None:
        """Takes in what was found out. May be called from any thread.

        The task's session tells if another machine than expected has examined the file.
        """
        inputs, jobs = self._waiting[task.name]
        machine = task.session.elsewhere or self._machine
        if machine != self._machine:
            inputs = dataclasses.replace(inputs, tools=fingerprint.of_tools(machine, task.lab))
        if evidence.sha256 != inputs.submission:
            evidence = evidences.infra_error("the file changed while it was graded.")
        key = None
        if evidence.verdict != "infra_error":
            key = inputs.key
            self._store.keep(task.lab.name, inputs, evidence, machine, seconds)
        for job in jobs:
            self._settle(job, key, evidence, examined=True)

    def _inputs(self, lab: Lab) -> Inputs:
        if lab.name not in self._bare:
            self._bare[lab.name] = fingerprint.of(lab, self._session)
        return self._bare[lab.name]

    def _evidence_of(self, job: Job) -> str | None:
        """The key of the evidence behind the grade that counts."""
        entry = self._store.entry(job.student, job.lab.name)
        return entry.evidence if entry else None

    def _known(self, before: str | None, inputs: Inputs) -> str | None:
        """The key of evidence that the record has, if need be with more from another machine."""
        if before and self._suffices(before, inputs):
            return before
        return inputs.key if self._store.has(inputs.key) else None

    def _suffices(self, key: str, inputs: Inputs) -> bool:
        has = self._store.inputs(key)
        if has.include(inputs):
            return True
        # Nodes of a cluster may have several kinds of GPU: which one a file meets is luck.
        return (
            self._session.elsewhere is not None
            and has.is_but_for_tools(inputs)
            and inputs.estimators <= has.estimators
            and _but_for_gpu(self._store.machine_of(key)) == _but_for_gpu(self._machine)
        )

    def _settle(
        self, job: Job, key: str | None, evidence: Evidence, *, examined: bool = False
    ) -> None:
        entry = Entry(self._grade(job, evidence), key)
        self.outcome.settle(entry, examined=examined)
        if key is None and evidence.verdict in ("missing", "infra_error"):
            self._score_kept(job)
        self._settled(job, entry.grade)

    def _score_kept(self, job: Job) -> None:
        """Gives the grade that stays the points and the deadline of the course."""
        before = self._store.entry(job.student, job.lab.name)
        if before and before.grade.result.verdict not in ("missing", "infra_error"):
            evidence, submitted = scored.evidence_of(before, self._store), before.grade.submitted
            grade = scored.of(evidence, job.lab, job.student, submitted, self._course, self._store)
            self.outcome.settle(Entry(grade, before.evidence))

    def _grade(self, job: Job, evidence: Evidence) -> Grade:
        # A time without a file is noted by hand, or is that of a file that is gone.
        submitted = None if evidence.verdict == "missing" else job.submitted
        return scored.of(evidence, job.lab, job.student, submitted, self._course, self._store)


def _but_for_gpu(machine: Machine) -> list[str | None]:
    parts = [machine[name] for name in ("backend", "compiler", "referee")]
    return [*parts, "a GPU" if machine["gpu"] else None]
