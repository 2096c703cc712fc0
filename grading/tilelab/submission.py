"""The whole way of one file: intake, compile, check, link, judge, score.

`tilelab check` and `tilelab grade` both come here, so a student sees the score that the instructor
will see.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab import build, intake, jail, judge, locks, machine, scoring
from tilelab.build import Workers
from tilelab.errors import CompileError, InfraError, Rejected
from tilelab.intake import Source
from tilelab.judge import Case
from tilelab.lab import Criterion, Lab
from tilelab.records import CriterionResult, Result, Verdict
from tilelab.text import printable
from tilelab.toolchain import Toolchain

Built = Sequence[tuple[Toolchain, Path]]  # with the worker that each made of the submission


@dataclass(frozen=True)
class Session:
    """What all submissions of a command share.

    With several toolchains a test passes if it passes on each: so a GPU takes away no points that
    the emulator gives, and gives none that the emulator does not.
    """

    toolchains: Sequence[Toolchain]
    seed: int

    @property
    def gpu(self) -> Toolchain | None:
        """The toolchain for what only a GPU can show."""
        return next((toolchain for toolchain in self.toolchains if toolchain.needs_gpu), None)

    def machine(self) -> dict[str, str | None]:
        """The machine, as the records describe it."""
        gpu = machine.gpu()
        return {
            "gpu": gpu.name if gpu else None,
            "backend": " and ".join(toolchain.preset for toolchain in self.toolchains),
            "compiler": "; ".join(toolchain.compiler for toolchain in self.toolchains),
            "sandbox": jail.name(),
            "host os": machine.os_name(),
        }


def grade(path: Path, lab: Lab, session: Session, student: str = "") -> Result:
    """Grades one file. Whatever the file holds becomes a result; only Stopped is raised.

    A failure of the machine is a result too, with the verdict infra_error and no score.
    """
    try:
        source = intake.read(path)
    except FileNotFoundError:
        return _without_tests(student, lab, "missing", [f"There is no {path.name}."])
    except Rejected as error:
        return _without_tests(student, lab, "rejected", error.messages)
    except OSError as error:
        return _infra_error(student, lab, f"{path.name} cannot be read: {error.strerror}.", None)
    try:
        return _grade_source(source, lab, session, student)
    except Rejected as error:
        return _without_tests(student, lab, "rejected", error.messages, source.sha256)
    except InfraError as error:
        return _infra_error(student, lab, str(error), source.sha256)
    except OSError as error:  # a full disk, for example
        return _infra_error(student, lab, f"{type(error).__name__}: {error}", source.sha256)


def _grade_source(source: Source, lab: Lab, session: Session, student: str) -> Result:
    with tempfile.TemporaryDirectory(prefix="tilelab-") as name:
        work = Path(os.path.realpath(name))
        try:
            built = [
                (tool, _make_worker(source.text, lab, tool, work)) for tool in session.toolchains
            ]
        except CompileError as error:
            return _without_tests(student, lab, "compile_error", error.messages, source.sha256)
        criteria, printed = _judge(built, lab, session)
    messages = []
    if _is_skeleton(source, lab):
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
        printable(printed),
    )


def _make_worker(text: str, lab: Lab, toolchain: Toolchain, work: Path) -> Path:
    folder = work / toolchain.preset
    folder.mkdir()
    try:
        return build.make_worker(text, lab, toolchain, folder)
    except CompileError as error:
        if not error.located:
            _assert_compiler_works(lab, toolchain)
        raise


def _assert_compiler_works(lab: Lab, toolchain: Toolchain) -> None:
    """Raises InfraError if what is known to be right does not compile either."""
    with tempfile.TemporaryDirectory(prefix="tilelab-") as name:
        try:
            text = intake.read(lab.baseline).text
            build.make_worker(text, lab, toolchain, Path(os.path.realpath(name)))
        except (CompileError, Rejected) as error:
            raise InfraError(f"nothing can be compiled here: {error}") from error


def _judge(built: Built, lab: Lab, session: Session) -> tuple[list[CriterionResult], str]:
    results: dict[str, CriterionResult] = {}
    printed = ""
    # What is timed comes last, because it only counts if all else is right.
    for criterion in sorted(lab.criteria, key=lambda c: c.curve is not None):
        if criterion.needs_gpu and session.gpu is None:
            results[criterion.name] = scoring.not_run(criterion, _why_no_gpu(session))
        elif criterion.curve is None:
            cases, output = _test(criterion, built, lab, session.seed)
            results[criterion.name] = scoring.from_cases(criterion, cases, lab)
            printed += output
        elif any(result.status in ("partial", "fail") for result in results.values()):
            results[criterion.name] = scoring.failed(criterion, scoring.SPEED_NEEDS_CORRECTNESS)
        else:
            results[criterion.name] = _time(criterion, built, lab, session.seed)
    return [results[criterion.name] for criterion in lab.criteria], printed


def _test(criterion: Criterion, built: Built, lab: Lab, seed: int) -> tuple[list[Case], str]:
    """The test cases of a criterion over all toolchains that it asks for, and what was printed."""
    verdicts: list[judge.Verdict] = []
    for toolchain, worker in built:
        if criterion.needs_gpu and not toolchain.needs_gpu:
            continue
        verdicts.append(judge.run(lab, toolchain, criterion.name, Workers(worker), seed))
        if not any(case.passed for case in verdicts[-1].cases):
            break  # there is nothing left to lose, and an endless loop takes long on a GPU
    return judge.merge([verdict.cases for verdict in verdicts]), verdicts[0].student_output


def _time(criterion: Criterion, built: Built, lab: Lab, seed: int) -> CriterionResult:
    assert criterion.curve is not None
    toolchain, worker = next(pair for pair in built if pair[0].needs_gpu)
    workers = Workers(
        worker,
        baseline=_own_worker(lab.baseline, lab, toolchain),
        reference=_own_worker(lab.reference, lab, toolchain),
    )
    verdict = judge.run(lab, toolchain, criterion.name, workers, seed)
    if not all(case.passed for case in verdict.cases):
        return scoring.from_cases(criterion, verdict.cases, lab)
    notes = [note for case in verdict.cases for note in case.messages]
    return scoring.from_speed(criterion, criterion.curve, verdict.metrics, notes)


def _own_worker(path: Path, lab: Lab, toolchain: Toolchain) -> Path:
    """The worker of the lab's own baseline or reference, built once per toolchain."""
    try:
        source = intake.read(path)
    except (OSError, Rejected) as error:
        raise InfraError(f"{path} cannot be read: {error}") from error
    key = f"{lab.name}-{path.stem}-{source.sha256[:16]}-{toolchain.fingerprint(lab.name)[:16]}"
    folder = toolchain.folder / "workers" / key
    worker = folder / "worker" / "worker"
    finished = folder / "finished"
    with locks.exclusive(toolchain.folder / "workers" / "lock"):
        if not finished.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            try:
                build.make_worker(source.text, lab, toolchain, folder)
            except (Rejected, CompileError) as error:
                raise InfraError(f"the lab's own {path} cannot be built: {error}") from error
            finished.touch()
        build.write_jail(worker, toolchain)  # the sandbox may have come or gone since
    return worker


def _why_no_gpu(session: Session) -> str:
    if machine.gpu() is None:
        return "needs an NVIDIA GPU (this machine has none)."
    presets = " and ".join(toolchain.preset for toolchain in session.toolchains)
    return f"needs an NVIDIA GPU (the backend {presets} runs on the CPU)."


def _is_skeleton(source: Source, lab: Lab) -> bool:
    try:
        return intake.read(lab.skeleton).text == source.text
    except (OSError, Rejected):
        return False


def _without_tests(
    student: str, lab: Lab, verdict: Verdict, messages: list[str], sha256: str | None = None
) -> Result:
    return Result(student, lab.name, verdict, 0.0, lab.max_points, sha256, [], messages)


def _infra_error(student: str, lab: Lab, message: str, sha256: str | None) -> Result:
    text = f"Not the submission's fault: {printable(message)}"
    return Result(student, lab.name, "infra_error", None, lab.max_points, sha256, [], [text])
