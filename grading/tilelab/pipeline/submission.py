"""The life of a submission: intake, compile, check, link, judge, score.

`tilelab check` and `tilelab grade` both come here, so a student sees the score that the instructor
will see.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path

from tilelab import backends
from tilelab.base.errors import CompileError, InfraError, Rejected
from tilelab.base.files import work_folder
from tilelab.base.text import printable
from tilelab.pipeline import intake, judge, speed, workers
from tilelab.pipeline.events import Judgment
from tilelab.pipeline.intake import Source
from tilelab.pipeline.judge import Workers
from tilelab.pipeline.program import doubles
from tilelab.pipeline.session import Session
from tilelab.pipeline.workers import Built
from tilelab.score import cases, scoring
from tilelab.score.cases import Case
from tilelab.score.lab import Criterion, Lab
from tilelab.score.records import CriterionResult, Result, Verdict


def grade(path: Path, lab: Lab, session: Session, student: str = "") -> Result:
    """Grades one file. Every file gets a result, and only Stopped is raised.

    A machine error is a result too, with the verdict infra_error and no score.
    """
    try:
        source = intake.read(path)
    except FileNotFoundError:
        return _without_tests(student, lab, "missing", [f"There is no {path.name}."])
    except Rejected as error:
        return _without_tests(student, lab, "rejected", error.messages)
    except OSError as error:
        return _infra_error(student, lab, f"{path.name} cannot be read: {error.strerror}.", None)
    return dataclasses.replace(_grade(source, lab, session, student), source=source.text)


def _grade(source: Source, lab: Lab, session: Session, student: str) -> Result:
    try:
        return _grade_source(source, lab, session, student)
    except Rejected as error:
        return _without_tests(student, lab, "rejected", error.messages, source.sha256)
    except InfraError as error:
        return _infra_error(student, lab, str(error), source.sha256)
    except OSError as error:  # a full disk, for example
        return _infra_error(student, lab, f"{type(error).__name__}: {error}", source.sha256)


def _grade_source(source: Source, lab: Lab, session: Session, student: str) -> Result:
    with work_folder() as work:
        try:
            built, ruling = workers.make(source.text, lab, session.toolchains, work)
        except CompileError as error:
            return _without_tests(student, lab, "compile_error", error.messages, source.sha256)
        criteria, judged = _judge(built, lab, session, f"{student}/{lab.name}")
    messages = [ruling.note] if ruling.note else []
    if intake.checksum(source.text) == lab.skeleton_sha256:
        messages.append(f"This is the unchanged skeleton: start with TODO 1 in {lab.name}.cu.")
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


def _judge(
    built: Sequence[Built], lab: Lab, session: Session, name: str
) -> tuple[list[CriterionResult], list[Judgment]]:
    """The results of all criteria, and what the judge said of those that it tested."""
    results: dict[str, CriterionResult] = {}
    judged: list[Judgment] = []
    # What is timed comes last, because it counts only if everything else is right.
    for criterion in sorted(lab.criteria, key=lambda c: c.curve is not None):
        usable = [one for one in built if one.serves(criterion)]
        if not usable:
            results[criterion.name] = scoring.not_run(criterion, _why_not_run(criterion, session))
        elif criterion.curve is None:
            merged, judgment = _test(criterion, usable, lab, session.seed)
            results[criterion.name] = scoring.from_cases(criterion, merged, lab)
            judged.append(judgment)
        elif missed := _missed(criterion, results):
            results[criterion.name] = scoring.failed(
                criterion, f"Counts only after every test of {missed} passes."
            )
        else:
            released = name in session.released
            timed = speed.grade(criterion, usable[0], lab, session.seed, released=released)
            results[criterion.name] = timed.result
    return [results[criterion.name] for criterion in lab.criteria], judged


def _missed(criterion: Criterion, results: Mapping[str, CriterionResult]) -> str | None:
    """The first criterion that this one depends on and that has not been passed."""
    before = (results[name] for name in criterion.after)
    return next((result.name for result in before if result.falls_short), None)


def _test(
    criterion: Criterion, usable: Sequence[Built], lab: Lab, seed: int
) -> tuple[list[Case], Judgment]:
    """The test cases of a criterion over all usable workers, and the judgment of the first."""
    found: list[Judgment] = []
    for one in usable:
        programs = {"submission": one.worker}
        if criterion.needs == "checked":
            programs |= workers.own_workers(one, lab)
        started = Workers(programs, one.source)
        found.append(judge.run(lab, one.toolchain, criterion.name, started, seed))
        if not any(case.passed for case in found[-1].cases):
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
