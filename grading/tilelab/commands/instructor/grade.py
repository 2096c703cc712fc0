"""`tilelab grade`: grades a class into a record, and writes its results."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from tilelab import backends
from tilelab.base.errors import UserError
from tilelab.base.files import work_folder
from tilelab.base.repository import REPO
from tilelab.commands import executors, options, record_files
from tilelab.commands.agreeing import agree
from tilelab.commands.console import MACHINE_ERROR, bars, console, suggest
from tilelab.commands.executors import Examine, Executor
from tilelab.exports import leaderboard
from tilelab.model.evidence import Evidence
from tilelab.model.grade import Grade
from tilelab.model.lab import Lab
from tilelab.pipeline import challenge, class_folder, intake
from tilelab.pipeline.batch import Done, Task
from tilelab.pipeline.session import Session
from tilelab.record import jobs as all_jobs
from tilelab.record import store
from tilelab.record.grading import Grading
from tilelab.record.jobs import Job
from tilelab.record.store import Store
from tilelab.screens.leaderboard import show_board
from tilelab.screens.results import show_class, show_machine

SAMPLE_CLASS = REPO / "grading" / "sample_class"


def grade(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="[DIR]", help="A folder with <student>/<lab>.cu.", show_default=False
        ),
    ] = SAMPLE_CLASS,
    out: Annotated[Path, typer.Option(help="The folder for the record and its exports.")] = Path(
        "results"
    ),
    course_file: options.CourseFile = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Submissions at a time. Default: one per processor.")
    ] = None,
    executor: executors.ExecutorName = Executor.LOCAL,
    slurm: executors.SlurmOptions = None,
    chunk: executors.ChunkSize = None,
    labs: options.LabNames = None,
    students: Annotated[
        list[str] | None,
        typer.Option("--student", help="Only this student. Can be repeated."),
    ] = None,
    release: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STUDENT/LAB", help="Count points that are under REVIEW. Can be repeated."
        ),
    ] = None,
    backend: options.Backend = None,
    seed: options.Seed = None,
    again: Annotated[
        bool, typer.Option("--again", help="Examine even files that the record knows.")
    ] = False,
    yes: options.Yes = False,
    without_seccomp: options.WithoutSeccomp = False,
    with_leaderboard: Annotated[
        bool, typer.Option("--leaderboard", help="Rank correct submissions by speed, ungraded.")
    ] = False,
) -> None:
    """Grades a class: the one in DIR, or the sample class."""
    for_slurm = executors.options_for_slurm(executor, slurm, chunk, jobs)
    if with_leaderboard and for_slurm:
        raise UserError("--leaderboard times on this machine: omit --executor slurm")
    if with_leaderboard:
        timing = backends.timing()
        if backend not in (None, timing.preset):
            raise UserError(f"--leaderboard needs times from a GPU: omit --backend {backend}")
    course = options.the_course(course_file)
    found = class_folder.read_class(folder)
    todo = all_jobs.of_class(folder, found, course, options.lab_names(labs), students or [])
    _make_folder(out)
    with store.alone(out), _shared_folder() as shared:
        record = Store(out)
        _assert_same_class(record, todo, folder, out)
        record.enroll(found.collected.students)
        _release(record, release or [], todo)
        used = _seed(record, seed, is_all=not (students or labs))
        if for_slurm:
            session, examine = executors.on_slurm(
                out,
                for_slurm,
                _labs(todo),
                backend,
                used,
                without_seccomp=without_seccomp,
                again=again,
            )
        else:
            session, examine = executors.here(
                _labs(todo), backend, used, jobs, without_seccomp=without_seccomp
            )
        session = session.sharing(shared) if shared else session
        show_machine(console, session.machine())
        for note in found.notes:
            console.print(note, style="dim", markup=False)
        settled: list[bool] = []  # whether there are points; a list of grades grows with the class
        run = Grading(
            record, course, session, lambda _, grade: settled.append(grade.result.score is not None)
        )
        tasks = run.plan(todo, new_seed=seed is not None, again=again)
        interrupted = _examine(run, tasks, examine, out / "grader.log")
        written = interrupted or agree(run.outcome, yes=yes)
        _show(record, todo)
        for note in run.outcome.kept:
            console.print(note, style="bold yellow", markup=False)
        record_files.write(record, out)
        if with_leaderboard and not interrupted:
            _challenge(todo, session, record, out / "leaderboard.csv")
    _finish(settled, len(todo), written=written)
    suggest("report", "--out", out)


@contextlib.contextmanager
def _shared_folder() -> Iterator[Path | None]:
    """A folder for what the judges of this run share. Without it, each file says what is wrong."""
    with contextlib.ExitStack() as stack:
        folder = None
        with contextlib.suppress(OSError):
            folder = stack.enter_context(work_folder())
        yield folder


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{out}: {error.strerror}") from error
    if not os.access(out, os.W_OK):
        raise UserError(f"{out}: you may not write to this folder")


def _assert_same_class(record: Store, todo: Sequence[Job], folder: Path, out: Path) -> None:
    known = record.graded_students()
    if known and not known & {job.student for job in todo}:
        raise UserError(
            f"{out} has the record of another class, with none of the students in {folder}: name "
            "another folder with --out"
        )


def _release(record: Store, names: Sequence[str], todo: Sequence[Job]) -> None:
    by_name = {job.name: job for job in todo}
    for name in names:
        if name not in by_name or not by_name[name].path.is_file():
            raise UserError(f"--release {name}: no such submission, write STUDENT/LAB")
        job = by_name[name]
        record.release(job.student, job.lab.name, intake.read(job.path).sha256)


def _seed(record: Store, seed: int | None, *, is_all: bool) -> int:
    """The seed, by default the record's own: files that come later meet the same inputs."""
    known = record.setting("seed")
    if seed is None:
        seed = int(known) if known else options.new_seed()
    if known is None or is_all:
        record.configure("seed", str(seed))
    return seed


def _examine(run: Grading, tasks: Sequence[Task], examine: Examine, log: Path) -> bool:
    """Examines what the record does not know, and says whether somebody interrupted that."""
    if run.known:
        console.print(
            f"The record knows {run.known} of the files. To examine them again, add --again.",
            style="dim",
        )
    log.unlink(missing_ok=True)
    try:
        if console.is_terminal:
            _with_a_bar(run, tasks, examine, log)
        else:
            if tasks:
                print(f"tilelab: grading {len(tasks)} files", file=sys.stderr, flush=True)
            examine(tasks, log, _saying(run, len(tasks)))
    except KeyboardInterrupt:
        return True
    return False


def _with_a_bar(run: Grading, tasks: Sequence[Task], examine: Examine, log: Path) -> None:
    with bars("Grading") as progress:
        bar = progress.add_task("", total=len(tasks))

        def done(task: Task, evidence: Evidence, seconds: float) -> None:
            run.done(task, evidence, seconds)
            progress.advance(bar)

        examine(tasks, log, done)


def _saying(run: Grading, total: int) -> Done:
    done = 0

    def say(task: Task, evidence: Evidence, seconds: float) -> None:
        nonlocal done
        run.done(task, evidence, seconds)
        done += 1
        console.print(f"[{done}/{total}] {task.name}: {evidence.verdict}", markup=False)

    return say


def _show(record: Store, todo: Sequence[Job]) -> None:
    show_class(console, _labs(todo), _grades_of(record, todo))


def _grades_of(record: Store, todo: Sequence[Job]) -> list[Grade]:
    """The grades of these jobs, each message but the first left out: the screen shows one."""
    asked = {(job.student, job.lab.name) for job in todo}
    return [
        _brief(one) for one in record.each_grade() if (one.result.student, one.result.lab) in asked
    ]


def _brief(grade: Grade) -> Grade:
    criteria = [replace(one, messages=one.messages[:1]) for one in grade.result.criteria]
    return replace(grade, result=replace(grade.result, criteria=criteria))


def _labs(todo: Sequence[Job]) -> list[Lab]:
    return list({job.lab.name: job.lab for job in todo}.values())


def _finish(settled: Sequence[bool], total: int, *, written: bool) -> None:
    """Says what is missing, and ends with the exit status for it."""
    ungraded = settled.count(False)
    if ungraded:
        console.print(
            f"{ungraded} submissions could not be graded: a machine error, not the students' "
            "fault. The same command tries again.",
            style="bold yellow",
        )
    if missing := total - len(settled):
        console.print(
            f"Interrupted: {missing} submissions were not graded. The same command goes on.",
            style="bold yellow",
        )
        raise typer.Exit(130)
    if ungraded:
        raise typer.Exit(MACHINE_ERROR)
    if not written:
        raise typer.Exit(1)


def _challenge(todo: Sequence[Job], session: Session, record: Store, path: Path) -> None:
    tool = next(one for one in session.toolchains if one.backend.measures_time)
    folders = {job.student: job.path.parent for job in todo}
    results = [grade.result for grade in _grades_of(record, todo)]
    with bars("Timing") as progress:
        bar = progress.add_task("", total=None)
        board = challenge.rank(
            results, folders, _labs(todo), tool, session.seed, lambda _: progress.advance(bar)
        )
    show_board(console, board)
    leaderboard.write(path, board)
    console.print(f"Wrote {path}", markup=False)
