"""The whole way of one file: intake, compile, check, link, judge, score.

`tilelab check` and `tilelab grade` both come here, so a student sees the score that the instructor
will see.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tilelab.backends import machine
from tilelab.base import locks
from tilelab.base.errors import CompileError, InfraError, Rejected, SubmissionFailed
from tilelab.base.text import printable
from tilelab.pipeline import build, intake, judge
from tilelab.pipeline.build import Workers
from tilelab.pipeline.intake import Source
from tilelab.pipeline.judge import Case
from tilelab.pipeline.toolchain import Build, Toolchain
from tilelab.sandbox import jail
from tilelab.score import measurement, scoring
from tilelab.score.lab import Criterion, Lab
from tilelab.score.measurement import Measurement
from tilelab.score.records import CriterionResult, Result, Verdict


@dataclass(frozen=True)
class Built:
    """The submission's worker, as one build of one toolchain made it."""

    toolchain: Toolchain
    how: Build
    worker: Path
    source: Path

    def serves(self, criterion: Criterion) -> bool:
        if criterion.needs == "gpu":
            return self.toolchain.needs_gpu
        return self.how.name == ("checked" if criterion.needs == "emulator" else "fast")


@dataclass(frozen=True)
class Timed:
    """What a criterion of speed gets, and the speed-up that was measured for it."""

    result: CriterionResult
    speedup: float | None  # None where it was not measured to the end


@dataclass(frozen=True)
class Session:
    """What all submissions of a command share.

    With several toolchains a test passes if it passes on each: so a GPU takes away no points that
    the emulator gives, and gives none that the emulator does not.
    """

    toolchains: Sequence[Toolchain]
    seed: int

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
            built = _make_workers(source.text, lab, session, work)
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


def race(path: Path, lab: Lab, toolchain: Toolchain, seed: int) -> dict[str, Measurement]:
    """What the lab's challenge measures of a file, by problem.

    The reference solution is timed beside it under the name "baseline". Raises Rejected,
    CompileError or InfraError, and SubmissionFailed with what went wrong while it was timed.
    """
    source = intake.read(path)
    with tempfile.TemporaryDirectory(prefix="tilelab-") as name:
        work = Path(os.path.realpath(name))
        programs = {
            "submission": build.make_worker(source.text, lab, toolchain, work),
            "baseline": own_worker(lab.reference, lab, toolchain, toolchain.fast),
            "control": toolchain.control,
        }
        verdict = judge.run(lab, toolchain, "challenge", Workers(programs), seed)
    if failed := [case for case in verdict.cases if not case.passed]:
        raise SubmissionFailed(*failed[0].messages)
    return {title: measurement.read(verdict.metrics, title) for title in verdict.metrics}


def time_own(path: Path, lab: Lab, toolchain: Toolchain, seed: int) -> Timed:
    """What grade() gives a file of the lab's own for speed, but its worker is built only once.

    Raises InfraError.
    """
    (criterion,) = (one for one in lab.criteria if one.curve)
    worker = own_worker(path, lab, toolchain, toolchain.fast)
    return _time(criterion, Built(toolchain, toolchain.fast, worker, path), lab, seed)


def _make_workers(text: str, lab: Lab, session: Session, work: Path) -> list[Built]:
    needed = [(tool, tool.fast) for tool in session.toolchains]
    if any(criterion.needs == "emulator" for criterion in lab.criteria):
        needed += [(tool, tool.checked) for tool in session.toolchains if tool.checked]
    # Side by side: a student waits for it.
    with ThreadPoolExecutor(len(needed)) as pool:
        made = [pool.submit(_make_worker, text, lab, *pair, work) for pair in needed]
        return [future.result() for future in made]


def _make_worker(text: str, lab: Lab, toolchain: Toolchain, how: Build, work: Path) -> Built:
    folder = work / f"{toolchain.preset}-{how.name}"
    folder.mkdir()
    try:
        worker = build.make_worker(text, lab, toolchain, folder, how)
    except CompileError as error:
        if not error.located:
            _assert_compiler_works(lab, toolchain)
        raise
    return Built(toolchain, how, worker, build.source_in(folder, lab))


def _assert_compiler_works(lab: Lab, toolchain: Toolchain) -> None:
    """Raises InfraError if what is known to be right does not compile either."""
    with tempfile.TemporaryDirectory(prefix="tilelab-") as name:
        try:
            text = intake.read(lab.baseline).text
            build.make_worker(text, lab, toolchain, Path(os.path.realpath(name)))
        except (CompileError, Rejected) as error:
            raise InfraError(f"nothing can be compiled here: {error}") from error


def _judge(built: Sequence[Built], lab: Lab, session: Session) -> tuple[list[CriterionResult], str]:
    results: dict[str, CriterionResult] = {}
    printed = ""
    # What is timed comes last, because it only counts if all else is right.
    for criterion in sorted(lab.criteria, key=lambda c: c.curve is not None):
        usable = [one for one in built if one.serves(criterion)]
        if not usable:
            results[criterion.name] = scoring.not_run(criterion, _why_not_run(criterion, session))
        elif criterion.curve is None:
            cases, output = _test(criterion, usable, lab, session.seed)
            results[criterion.name] = scoring.from_cases(criterion, cases, lab)
            printed = printed or output
        elif missed := _missed(criterion, results):
            results[criterion.name] = scoring.failed(
                criterion, f"Counts once every test of {missed} passes."
            )
        else:
            results[criterion.name] = _time(criterion, usable[0], lab, session.seed).result
    return [results[criterion.name] for criterion in lab.criteria], printed


def _missed(criterion: Criterion, results: Mapping[str, CriterionResult]) -> str | None:
    """The first criterion that has to be passed before this one and was not."""
    before = (results[name] for name in criterion.after)
    return next((result.name for result in before if result.falls_short), None)


def _test(
    criterion: Criterion, usable: Sequence[Built], lab: Lab, seed: int
) -> tuple[list[Case], str]:
    """The test cases of a criterion over all workers that serve it, and what was printed."""
    verdicts: list[judge.Verdict] = []
    for one in usable:
        programs = {"submission": one.worker}
        if criterion.needs == "emulator":
            programs |= _own_workers(one, lab)
        workers = Workers(programs, one.source)
        verdicts.append(judge.run(lab, one.toolchain, criterion.name, workers, seed))
        if not any(case.passed for case in verdicts[-1].cases):
            break  # there is nothing left to lose, and an endless loop takes long on a GPU
    return judge.merge([verdict.cases for verdict in verdicts]), verdicts[0].student_output


def _time(criterion: Criterion, one: Built, lab: Lab, seed: int) -> Timed:
    """Times once more where the first time leaves the points open."""
    timed = _time_once(criterion, one, lab, seed)
    return _time_once(criterion, one, lab, seed) if timed.result.status == "not_run" else timed


def _time_once(criterion: Criterion, one: Built, lab: Lab, seed: int) -> Timed:
    assert criterion.curve is not None
    tool = one.toolchain
    programs = {"submission": one.worker, "control": tool.control} | _own_workers(one, lab)
    verdict = judge.run(lab, tool, criterion.name, Workers(programs), seed)
    if not all(case.passed for case in verdict.cases):
        return Timed(scoring.from_cases(criterion, verdict.cases, lab), None)
    notes = [note for case in verdict.cases for note in case.messages]
    speed = measurement.read(verdict.metrics, "speed")
    result = scoring.from_speed(criterion, criterion.curve, speed, notes)
    return Timed(result, speed.timings["submission"].speedup.value)


def _own_workers(one: Built, lab: Lab) -> dict[str, Path]:
    """The lab's own baseline and reference solution, made in the same way."""
    return {
        "baseline": own_worker(lab.baseline, lab, one.toolchain, one.how),
        "reference": own_worker(lab.reference, lab, one.toolchain, one.how),
    }


def own_worker(path: Path, lab: Lab, toolchain: Toolchain, how: Build) -> Path:
    """The worker of a file of the lab's own, built once per toolchain and build."""
    try:
        source = intake.read(path)
    except (OSError, Rejected) as error:
        raise InfraError(f"{path} cannot be read: {error}") from error
    made_of = f"{source.sha256[:16]}-{toolchain.fingerprint(lab.name)[:16]}"
    key = f"{lab.name}-{path.stem}-{how.name}-{made_of}"
    folder = toolchain.folder / "workers" / key
    worker = folder / "worker" / "worker"
    finished = folder / "finished"
    with locks.exclusive(folder.with_name(f"{key}.lock")):
        if not finished.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            try:
                build.make_worker(source.text, lab, toolchain, folder, how)
            except (Rejected, CompileError) as error:
                raise InfraError(f"the lab's own {path} cannot be built: {error}") from error
            finished.touch()
        build.write_jail(worker, toolchain)  # the sandbox may have come or gone since
    return worker


def _why_not_run(criterion: Criterion, session: Session) -> str:
    presets = " and ".join(toolchain.preset for toolchain in session.toolchains)
    if criterion.needs == "emulator":
        return f"needs the emulator (the backend {presets} does not watch memory)."
    if machine.gpu() is None:
        return "needs an NVIDIA GPU (this machine has none)."
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
