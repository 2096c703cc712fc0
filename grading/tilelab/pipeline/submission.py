"""The life of a submission: intake, compile, check, link, judge, score.

`tilelab check` and `tilelab grade` both come here, so a student sees the score that the instructor
will see.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from tilelab import backends
from tilelab.base import process
from tilelab.base.errors import CompileError, InfraError, Rejected, Stopped
from tilelab.base.files import work_folder
from tilelab.base.text import printable
from tilelab.pipeline import events, intake, judge, speed, workers
from tilelab.pipeline.events import Judgment, Tell
from tilelab.pipeline.intake import Source
from tilelab.pipeline.judge import Workers
from tilelab.pipeline.program import doubles
from tilelab.pipeline.referee import Ruling
from tilelab.pipeline.session import Session
from tilelab.pipeline.workers import Built
from tilelab.score import cases, scoring
from tilelab.score.cases import Case
from tilelab.score.lab import Criterion, Lab
from tilelab.score.records import CriterionResult, Result, Verdict


def grade(
    path: Path, lab: Lab, session: Session, student: str = "", tell: Tell = events.nobody
) -> Result:
    """Grades one file. Every file gets a result, and only Stopped is raised.

    `tell` hears of each test that ends, before the result is certain. A machine error is a result
    too, with the verdict infra_error and no score.
    """
    try:
        source = intake.read(path)
    except FileNotFoundError:
        return _without_tests(student, lab, "missing", [f"There is no {path.name}."])
    except Rejected as error:
        return _without_tests(student, lab, "rejected", error.messages)
    except OSError as error:
        return _infra_error(student, lab, f"{path.name} cannot be read: {error.strerror}.", None)
    return dataclasses.replace(_grade(source, lab, session, student, tell), source=source.text)


def _grade(source: Source, lab: Lab, session: Session, student: str, tell: Tell) -> Result:
    try:
        return _grade_source(source, lab, session, student, tell)
    except Rejected as error:
        return _without_tests(student, lab, "rejected", error.messages, source.sha256)
    except InfraError as error:
        return _infra_error(student, lab, str(error), source.sha256)
    except OSError as error:  # a full disk, for example
        return _infra_error(student, lab, f"{type(error).__name__}: {error}", source.sha256)


def _grade_source(source: Source, lab: Lab, session: Session, student: str, tell: Tell) -> Result:
    with work_folder() as work:
        try:
            with workers.make(source.text, lab, session.toolchains, work) as (built, ruled):
                tested, judged = _test_all(built, ruled, lab, session, tell)
                ruling = ruled.result()
        except CompileError as error:
            return _without_tests(student, lab, "compile_error", error.messages, source.sha256)
        # What is timed comes last: it counts only if everything else is right, and nvcc must not
        # run beside it.
        criteria = _time(tested, built, lab, session, f"{student}/{lab.name}")
    messages = [ruling.note] if ruling.note else []
    if intake.checksum(source.text) == lab.skeleton_sha256:
        messages.append(f"The file is as you got it: start with TODO 1 in {lab.name}.cu.")
    score = round(sum(criterion.points for criterion in criteria), 2)
    return Result(
        student,
        lab.name,
        "graded",
        score,
        lab.max_points,
        source.sha256,
        criteria,
        messages,
        printed=tuple(next((one.printed for one in judged if one.printed), ())),
        remark=doubles.remark(source.text, lab.header.read_text(encoding="utf-8")),
        errors=tuple(next((one.errors for one in judged if one.errors), ())),
    )


def _test_all(
    built: Sequence[Built], ruled: Future[Ruling], lab: Lab, session: Session, tell: Tell
) -> tuple[dict[str, CriterionResult], list[Judgment]]:
    """The results of all criteria that are not timed, and what the judge said of each.

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
    return {result.name: result for result, _ in tested}, judged


def _at_once(
    criteria: Sequence[Criterion], built: Sequence[Built], lab: Lab, session: Session, tell: Tell
) -> list[tuple[CriterionResult, Judgment | None]]:
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
) -> tuple[CriterionResult, Judgment | None]:
    usable = [one for one in built if one.serves(criterion)]
    if not usable:
        return scoring.not_run(criterion, _why_not_run(criterion, session)), None
    merged, judgment = _test(criterion, usable, lab, session.seed, tell)
    return scoring.from_cases(criterion, merged, lab), judgment


def _time(
    tested: Mapping[str, CriterionResult],
    built: Sequence[Built],
    lab: Lab,
    session: Session,
    name: str,
) -> list[CriterionResult]:
    """The results of all criteria, with those that are timed."""
    results = []
    for criterion in lab.criteria:
        usable = [one for one in built if one.serves(criterion)]
        if criterion.curve is None:
            results.append(tested[criterion.name])
        elif not usable:
            results.append(scoring.not_run(criterion, _why_not_run(criterion, session)))
        elif missed := _missed(criterion, tested):
            why = f"Counts only after every test of {missed} passes."
            results.append(scoring.failed(criterion, why))
        else:
            released = name in session.released
            timed = speed.grade(criterion, usable[0], lab, session.seed, released=released)
            results.append(timed.result)
    return results


def _missed(criterion: Criterion, results: Mapping[str, CriterionResult]) -> str | None:
    """The first criterion that this one depends on and that has not been passed."""
    before = (results[name] for name in criterion.after)
    return next((result.name for result in before if result.falls_short), None)


def _test(
    criterion: Criterion, usable: Sequence[Built], lab: Lab, seed: int, tell: Tell
) -> tuple[list[Case], Judgment]:
    """The test cases of a criterion over all usable workers, and the judgment of the first."""
    found: list[Judgment] = []
    for one in usable:
        programs = {"submission": one.worker}
        if criterion.needs == "checked":
            programs |= workers.own_workers(one, lab)
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


def _without_tests(
    student: str, lab: Lab, verdict: Verdict, messages: list[str], sha256: str | None = None
) -> Result:
    return Result(student, lab.name, verdict, 0.0, lab.max_points, sha256, [], messages)


def _infra_error(student: str, lab: Lab, message: str, sha256: str | None) -> Result:
    text = f"Not the submission's fault: {printable(message)}"
    return Result(student, lab.name, "infra_error", None, lab.max_points, sha256, [], [text])
