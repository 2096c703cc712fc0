"""Tests a submission's workers for the criteria that are not timed."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from tilelab import backends
from tilelab.base import process
from tilelab.base.errors import InfraError, Stopped
from tilelab.model.evidence import CriterionEvidence
from tilelab.model.lab import Criterion, Lab
from tilelab.pipeline import judge
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.judge import Workers
from tilelab.pipeline.judge.events import Judgment, Tell
from tilelab.pipeline.records.stages import Inspected, Ruling, Worker
from tilelab.pipeline.texts import constants, narrow_counts
from tilelab.pipeline.workers import own
from tilelab.score import cases


@dataclass(frozen=True)
class Tested:
    """What the tests of each criterion found, and what the judge said of each.

    `note` says why nvcc was not heard, if it was not.
    """

    criteria: Mapping[str, CriterionEvidence]
    judged: Sequence[Judgment]
    note: str | None


def test(
    workers: Sequence[Worker],
    ruled: Future[Ruling],
    inspected: Inspected,
    session: Session,
    tell: Tell,
) -> Tested:
    """Tests all criteria that are not timed.

    Raises the CompileError of nvcc as soon as that is known.
    """
    refused = threading.Event()

    def stop_if_refused(future: Future[Ruling]) -> None:
        if future.cancelled() or future.exception() or future.result().error:
            refused.set()

    ruled.add_done_callback(stop_if_refused)
    criteria = [criterion for criterion in inspected.lab.criteria if criterion.curve is None]
    try:
        with process.stopped_by(refused):
            tested = _at_once(criteria, workers, inspected, session, tell)
    except (Stopped, InfraError):
        if error := ruled.result().error:
            raise error from None
        raise
    ruling = ruled.result()
    if ruling.error:
        raise ruling.error
    names = (criterion.name for criterion in criteria)
    return Tested(
        {name: one for name, (one, _) in zip(names, tested, strict=True)},
        [judgment for _, judgment in tested if judgment],
        ruling.note,
    )


def what_judges_know(inspected: Inspected) -> Workers:
    """What judges are told about a text, without its programs."""
    tokens = inspected.tokens
    return Workers(
        {},
        constants=constants.of(tokens),
        block_constants=constants.of_blocks(tokens),
        may_count_narrowly=narrow_counts.may_count(tokens),
    )


def _at_once(
    criteria: Sequence[Criterion],
    workers: Sequence[Worker],
    inspected: Inspected,
    session: Session,
    tell: Tell,
) -> list[tuple[CriterionEvidence, Judgment | None]]:
    """Tests several criteria at the same time. An error in one ends the others."""
    lab, told = inspected.lab, what_judges_know(inspected)
    failed = threading.Event()
    with process.stopped_by(failed), ThreadPoolExecutor(session.criteria_at_once) as pool:
        futures = [
            process.submit(pool, _test_one, criterion, workers, lab, told, session, tell)
            for criterion in criteria
        ]
        try:
            return [future.result() for future in futures]
        finally:
            failed.set()


def _test_one(
    criterion: Criterion,
    workers: Sequence[Worker],
    lab: Lab,
    told: Workers,
    session: Session,
    tell: Tell,
) -> tuple[CriterionEvidence, Judgment | None]:
    """The test cases of a criterion over all usable workers, and the judgment of the first."""
    found: list[Judgment] = []
    for one in (one for one in workers if one.toolchain.serves(criterion)):
        programs = {"submission": one.program}
        if criterion.needs == "checked":
            programs |= own.own_workers(lab, one.toolchain)
        started = replace(told, programs=programs, source=one.source)
        judgment = judge.run(
            lab, one.toolchain, criterion.name, started, session.seed, session.keeps_calls, tell
        )
        found.append(judgment)
        if not any(case.passed for case in judgment.cases):
            break  # no points are left to lose, and an endless loop takes long on a GPU
    if not found:
        return CriterionEvidence(not_run=why_not_run(criterion, session)), None
    merged = cases.merge([judgment.cases for judgment in found])
    return CriterionEvidence(tuple(merged)), found[0]


def why_not_run(criterion: Criterion, session: Session) -> str:
    if criterion.needs == "checked":
        return f"needs a checked build (the backend {session.presets} has none)."
    if backends.device() is None:
        return f"needs {backends.gpus()} (this machine has none)."
    return f"needs {backends.gpus()} (the backend {session.presets} runs on the CPU)."
