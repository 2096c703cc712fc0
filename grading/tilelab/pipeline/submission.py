"""The life of a submission: intake, compile, check, link, judge, score.

`tilelab check` and `tilelab grade` both come here, so a student sees the score that the instructor
will see.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from msgspec.structs import replace

from tilelab import backends
from tilelab.base import process
from tilelab.base.errors import CompileError, InfraError, Rejected, Stopped
from tilelab.base.files import work_folder
from tilelab.base.text import printable
from tilelab.model import evidence as evidences
from tilelab.model.case import Case
from tilelab.model.evidence import CriterionEvidence, Evidence
from tilelab.model.lab import Criterion, Lab
from tilelab.model.result import Result
from tilelab.pipeline import intake, judge
from tilelab.pipeline.compiler.referee import Ruling
from tilelab.pipeline.evidence import estimated_speed, speed
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.intake import Source
from tilelab.pipeline.judge import Workers, events
from tilelab.pipeline.judge.events import Judgment, Tell
from tilelab.pipeline.texts import doubles
from tilelab.pipeline.workers import own
from tilelab.pipeline.workers.own import Built
from tilelab.score import cases, results


def grade(
    path: Path, lab: Lab, session: Session, student: str = "", tell: Tell = events.nobody
) -> Result:
    """Grades one file, by the lab's points. Only Stopped is raised."""
    return results.of(examine(path, lab, session, tell), lab, student)


def examine(path: Path, lab: Lab, session: Session, tell: Tell = events.nobody) -> Evidence:
    """Finds out everything about one file. Only Stopped is raised.

    `tell` hears of each test that ends, before the result is certain. A machine error is evidence
    too, with the verdict infra_error.
    """
    try:
        source = intake.read(path)
    except FileNotFoundError:
        return Evidence("missing", messages=(f"There is no {path.name}.",))
    except Rejected as error:
        return Evidence("rejected", messages=tuple(error.messages))
    except OSError as error:
        return evidences.infra_error(f"{path.name} cannot be read: {error.strerror}.")
    return replace(_examine(source, lab, session, tell), source=source.text)


def _examine(source: Source, lab: Lab, session: Session, tell: Tell) -> Evidence:
    try:
        return _examine_source(source, lab, session, tell)
    except Rejected as error:
        return Evidence("rejected", source.sha256, tuple(error.messages))
    except InfraError as error:
        return evidences.infra_error(printable(str(error)), source.sha256)
    except OSError as error:  # a full disk, for example
        text = printable(f"{type(error).__name__}: {error}")
        return evidences.infra_error(text, source.sha256)


def _examine_source(source: Source, lab: Lab, session: Session, tell: Tell) -> Evidence:
    with work_folder() as work:
        try:
            with own.make(source.text, lab, session.toolchains, work) as (built, ruled):
                tested, judged = _test_all(built, ruled, lab, session, tell)
                ruling = ruled.result()
        except CompileError as error:
            return Evidence("compile_error", source.sha256, tuple(error.messages))
        # What is timed comes last: it counts only if everything else is right, and nvcc must not
        # run beside it.
        tested |= _time(tested, source.text, built, lab, session)
    messages = [ruling.note] if ruling.note else []
    if intake.checksum(source.text) == lab.skeleton_sha256:
        messages.append(f"The file is as you got it: start with TODO 1 in {lab.name}.cu.")
    return Evidence(
        "graded",
        source.sha256,
        tuple(messages),
        tested,
        printed=tuple(next((one.printed for one in judged if one.printed), ())),
        remark=doubles.remark(source.text, lab.header.read_text(encoding="utf-8")),
        errors=tuple(next((one.errors for one in judged if one.errors), ())),
    )


def _test_all(
    built: Sequence[Built], ruled: Future[Ruling], lab: Lab, session: Session, tell: Tell
) -> tuple[dict[str, CriterionEvidence], list[Judgment]]:
    """What the tests of all criteria that are not timed found, and what the judge said of each.

    Raises the CompileError of nvcc as soon as that is known.
    """
    refused = threading.Event()

    def stop_if_refused(future: Future[Ruling]) -> None:
        if future.cancelled() or future.exception() or future.result().error:
            refused.set()

    ruled.add_done_callback(stop_if_refused)
    criteria = [criterion for criterion in lab.criteria if criterion.curve is None]
    try:
        with process.stopped_by(refused):
            tested = _at_once(criteria, built, lab, session, tell)
    except (Stopped, InfraError):
        if error := ruled.result().error:
            raise error from None
        raise
    if error := ruled.result().error:
        raise error
    judged = [judgment for _, judgment in tested if judgment]
    names = (criterion.name for criterion in criteria)
    return {name: one for name, (one, _) in zip(names, tested, strict=True)}, judged


def _at_once(
    criteria: Sequence[Criterion], built: Sequence[Built], lab: Lab, session: Session, tell: Tell
) -> list[tuple[CriterionEvidence, Judgment | None]]:
    """Tests several criteria at the same time. An error in one ends the others."""
    failed = threading.Event()
    with process.stopped_by(failed), ThreadPoolExecutor(session.criteria_at_once) as pool:
        futures = [
            process.submit(pool, _test_one, criterion, built, lab, session, tell)
            for criterion in criteria
        ]
        try:
            return [future.result() for future in futures]
        finally:
            failed.set()


def _test_one(
    criterion: Criterion, built: Sequence[Built], lab: Lab, session: Session, tell: Tell
) -> tuple[CriterionEvidence, Judgment | None]:
    usable = [one for one in built if one.toolchain.serves(criterion)]
    if not usable:
        return CriterionEvidence(not_run=_why_not_run(criterion, session)), None
    merged, judgment = _test(criterion, usable, lab, session.seed, tell)
    return CriterionEvidence(tuple(merged)), judgment


def _time(
    tested: Mapping[str, CriterionEvidence],
    text: str,
    built: Sequence[Built],
    lab: Lab,
    session: Session,
) -> dict[str, CriterionEvidence]:
    """The times of the criteria that are timed, as far as they count, or estimates of them."""
    timed = {}
    for criterion in (one for one in lab.criteria if one.curve):
        usable = [one for one in built if one.toolchain.serves(criterion)]
        why = _why_not_run(criterion, session)
        if not usable and not (criterion.estimated and estimated_speed.is_possible()):
            timed[criterion.name] = CriterionEvidence(not_run=why)
        elif results.first_missed(criterion, tested) is not None:
            continue
        elif usable:
            timed[criterion.name] = speed.measure(
                criterion, usable[0].worker, lab, usable[0].toolchain, session.seed
            )
        else:
            timed[criterion.name] = estimated_speed.estimate(text, built, lab, session.seed, why)
    return timed


def _test(
    criterion: Criterion, usable: Sequence[Built], lab: Lab, seed: int, tell: Tell
) -> tuple[list[Case], Judgment]:
    """The test cases of a criterion over all usable workers, and the judgment of the first."""
    found: list[Judgment] = []
    for one in usable:
        programs = {"submission": one.worker}
        if criterion.needs == "checked":
            programs |= own.own_workers(lab, one.toolchain)
        started = Workers(programs, one.source)
        judgment = judge.run(lab, one.toolchain, criterion.name, started, seed, tell=tell)
        found.append(judgment)
        if not any(case.passed for case in judgment.cases):
            break  # no points are left to lose, and an endless loop takes long on a GPU
    return cases.merge([judgment.cases for judgment in found]), found[0]


def _why_not_run(criterion: Criterion, session: Session) -> str:
    if criterion.needs == "checked":
        return f"needs a checked build (the backend {session.presets} has none)."
    if backends.device() is None:
        return f"needs {backends.gpus()} (this machine has none)."
    return f"needs {backends.gpus()} (the backend {session.presets} runs on the CPU)."
