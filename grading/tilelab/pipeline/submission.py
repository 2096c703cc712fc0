"""The life of a submission: from one stage to the next.

`tilelab check` and `tilelab grade` both come here, so a student sees the score that the instructor
will see.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from tilelab.base.errors import CompileError, InfraError, Rejected
from tilelab.base.files import work_folder
from tilelab.base.text import printable
from tilelab.model import evidence as evidences
from tilelab.model.evidence import Evidence
from tilelab.model.lab import Lab
from tilelab.model.result import Result
from tilelab.pipeline import evidence, intake, texts
from tilelab.pipeline.evidence import testing
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.judge import events
from tilelab.pipeline.judge.events import Tell
from tilelab.pipeline.records.stages import Inspected, Source
from tilelab.pipeline.workers import making
from tilelab.score import results

# Hears of the text before it is compiled.
Hear = Callable[[Inspected], None]


def grade(
    path: Path,
    lab: Lab,
    session: Session,
    student: str = "",
    tell: Tell = events.nobody,
    hear: Hear = lambda _: None,
) -> Result:
    """Grades one file, by the lab's points. Only Stopped is raised."""
    return results.of(examine(path, lab, session, tell, hear), lab, student)


def examine(
    path: Path,
    lab: Lab,
    session: Session,
    tell: Tell = events.nobody,
    hear: Hear = lambda _: None,
) -> Evidence:
    """Finds out everything about one file. Only Stopped is raised.

    `tell` hears of each test that ends, before the result is certain, and `hear` of the text once
    it is known to break no rule. A machine error is evidence too, with the verdict infra_error.
    """
    found = _read_and_examine(path, lab, session, tell, hear)
    is_done = found.verdict in ("graded", "infra_error")
    if is_done or session.elsewhere is not None:  # this machine does not know what others can judge
        return found
    return replace(found, tested=evidence.unjudged(lab, session))


def _read_and_examine(path: Path, lab: Lab, session: Session, tell: Tell, hear: Hear) -> Evidence:
    try:
        source = intake.read(path)
    except FileNotFoundError:
        return Evidence("missing", messages=(f"There is no {path.name}.",))
    except Rejected as error:
        return Evidence("rejected", error.sha256, tuple(error.messages))
    except OSError as error:
        return evidences.infra_error(f"{path.name} cannot be read: {error.strerror}.")
    found = _examine(source, lab, session, tell, hear)
    messages = (*found.messages, source.note) if source.note else found.messages
    return replace(found, sha256=source.sha256, source=source.text, messages=messages)


def _examine(source: Source, lab: Lab, session: Session, tell: Tell, hear: Hear) -> Evidence:
    try:
        for tool in session.toolchains:
            # Else a contract that does not compile would seem to be the submission's fault.
            tool.judge_program(lab.name)
        inspected = texts.inspect(source, lab)
        hear(inspected)
        with work_folder() as work:
            return _build_and_judge(inspected, session, tell, work)
    except Rejected as error:
        return Evidence("rejected", messages=tuple(error.messages))
    except InfraError as error:
        return evidences.infra_error(printable(str(error)))
    except OSError as error:  # a full disk, for example
        return evidences.infra_error(printable(f"{type(error).__name__}: {error}"))


def _build_and_judge(inspected: Inspected, session: Session, tell: Tell, work: Path) -> Evidence:
    try:
        with making.make(inspected, session.toolchains, work) as (workers, ruled):
            tested = testing.test(workers, ruled, inspected, session, tell)
    except CompileError as error:
        return Evidence("compile_error", messages=tuple(error.messages))
    return evidence.complete(tested, inspected, workers, session)
