"""`tilelab grade`: grades a class into a record, and writes its results."""

from __future__ import annotations

import dataclasses
import enum
import functools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Protocol

import typer

from tilelab import backends
from tilelab.base.errors import UserError
from tilelab.base.repository import REPO
from tilelab.base.text import one_line
from tilelab.cluster import options as cluster_options
from tilelab.cluster.executor import Cluster
from tilelab.commands import options, record_files
from tilelab.commands.agreeing import agree
from tilelab.commands.console import MACHINE_ERROR, bars, console
from tilelab.exports import leaderboard
from tilelab.pipeline import batch, challenge, class_folder, intake
from tilelab.pipeline.batch import Task
from tilelab.pipeline.class_folder import ClassFolder
from tilelab.pipeline.session import Session
from tilelab.record import grading, store
from tilelab.record.grading import Grading, Job
from tilelab.record.store import Store
from tilelab.score import course, lab
from tilelab.score.course import Course
from tilelab.score.evidence import Evidence
from tilelab.score.grades import Grade
from tilelab.score.lab import Lab
from tilelab.score.records import Result
from tilelab.screens.leaderboard import show_board
from tilelab.screens.results import show_class, show_machine

SAMPLE_CLASS = REPO / "grading" / "sample_class"


class Executor(enum.StrEnum):
    LOCAL = "local"
    SLURM = "slurm"


class Examine(Protocol):
    """Examines all tasks: pipeline.batch.examine() here, Cluster.examine() on other machines."""

    def __call__(self, tasks: Sequence[Task], *, log: Path, done: batch.Done) -> None: ...


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
    executor: Annotated[
        Executor, typer.Option(help="Where submissions run: here, or on a Slurm cluster.")
    ] = Executor.LOCAL,
    slurm: Annotated[
        list[str] | None,
        typer.Option(help='Options for sbatch: "--partition=gpu --gres=gpu:1". Can be repeated.'),
    ] = None,
    chunk: Annotated[
        int | None, typer.Option(min=1, help="Submissions per Slurm job. Default: 20.")
    ] = None,
    labs: Annotated[
        str | None,
        typer.Option("--lab", "--labs", help="For example diff,nbody. Default: all handed in."),
    ] = None,
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
    on_slurm = _slurm_options(executor, slurm, chunk, jobs, with_leaderboard=with_leaderboard)
    if with_leaderboard:
        timing = backends.timing()
        if backend not in (None, timing.preset):
            raise UserError(f"--leaderboard needs times from a GPU: omit --backend {backend}")
    the_course = course.load(course_file) if course_file else Course()
    found = class_folder.read_class(folder)
    people = _people(found, folder, students or [])
    names = _names(labs, the_course, found)
    if not names:
        raise UserError(
            f"{folder} has no submissions: put them at DIR/<student>/<lab>.cu, where <lab> is one "
            f"of {', '.join(lab.all_labs())}"
        )
    the_labs = [the_course.lab(name) for name in names]
    _make_folder(out)
    with store.alone(out):
        record = Store(out)
        _assert_same_class(record, people, folder, out)
        record.enroll(found.collected.students)
        submitted = {
            (one.student, one.lab): one.submitted for one in found.collected.files if one.submitted
        }
        todo = list(grading.jobs_of(people.items(), the_labs, submitted))
        _release(record, release or [], todo)
        used = _seed(record, seed, is_all=not (students or labs))
        examine: Examine
        if on_slurm:
            nodes = Cluster(out, on_slurm, _note, again=again)
            with console.status("Waiting for a node to build the tests..."):
                machine = nodes.prepare(backend, the_labs, without_seccomp)
            session, examine = Session((), used, elsewhere=machine), nodes.examine
        else:
            session = options.session(backend, used, without_seccomp=without_seccomp)
            # Several submissions at a time keep all processors busy.
            session = dataclasses.replace(session, criteria_at_once=1)
            examine = functools.partial(batch.examine, jobs=jobs or os.cpu_count() or 1)
        show_machine(console, session.machine())
        for note in found.notes:
            console.print(note, style="dim", markup=False)
        settled: list[Grade] = []
        run = Grading(record, the_course, session, lambda _, grade: settled.append(grade))
        tasks = run.plan(todo, new_seed=seed is not None, again=again)
        interrupted = _examine(tasks, examine, out, run)
        written = agree(run.outcome, yes=yes)
        _report(record, todo, the_labs, run)
        record_files.write(record, out)
        if with_leaderboard and not interrupted:
            ranked = [one.result for one in settled]
            _challenge(people, the_labs, session, ranked, out / "leaderboard.csv")
        _finish(settled, len(todo), written)


def _people(found: ClassFolder, folder: Path, chosen: Sequence[str]) -> dict[str, Path]:
    """The folder of each student, also of those on the roster who handed in nothing."""
    people = {one_line(student.name): student for student in found.students}
    for student in found.collected.students:
        people.setdefault(student.key, folder / student.key)
    for name in chosen:
        if name not in people:
            raise UserError(f"--student {one_line(name)}: {folder} has no such student")
    return {name: people[name] for name in sorted(people) if not chosen or name in chosen}


def _names(labs: str | None, the_course: Course, found: ClassFolder) -> list[str]:
    if labs:
        return list(dict.fromkeys(name.strip() for name in labs.split(",")))
    return list(the_course.assignments) or class_folder.handed_in(found.students)


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{out}: {error.strerror}") from error
    if not os.access(out, os.W_OK):
        raise UserError(f"{out}: you may not write to this folder")


def _assert_same_class(record: Store, people: dict[str, Path], folder: Path, out: Path) -> None:
    known = record.graded_students()
    if known and not known & set(people):
        raise UserError(
            f"{out} has the record of another class, with none of the students in {folder}: name "
            "another folder with --out"
        )


def _release(record: Store, names: Sequence[str], todo: Sequence[Job]) -> None:
    by_name = {f"{job.student}/{job.lab.name}": job for job in todo}
    for name in names:
        if name not in by_name or not by_name[name].path.is_file():
            raise UserError(f"--release {name}: no such submission, write STUDENT/LAB")
        job = by_name[name]
        record.release(job.student, job.lab.name, intake.read(job.path).sha256)


def _slurm_options(
    executor: Executor,
    texts: Sequence[str] | None,
    chunk: int | None,
    jobs: int | None,
    *,
    with_leaderboard: bool,
) -> cluster_options.Options | None:
    """What was chosen for Slurm, None for a grader that does it all itself."""
    if executor is Executor.LOCAL:
        if texts or chunk:
            raise UserError("--slurm and --chunk need --executor slurm")
        return None
    if with_leaderboard:
        raise UserError("--leaderboard times on this machine: omit --executor slurm")
    chosen = cluster_options.Options(cluster_options.sbatch_options(texts or []), at_once=jobs)
    return dataclasses.replace(chosen, chunk=chunk) if chunk else chosen


def _note(text: str) -> None:
    console.print(text, style="dim", markup=False)


def _seed(record: Store, seed: int | None, *, is_all: bool) -> int:
    """The seed, by default the record's own: files that come later meet the same inputs."""
    known = record.setting("seed")
    if seed is None:
        seed = int(known) if known else options.new_seed()
    if known is None or is_all:
        record.configure("seed", str(seed))
    return seed


def _examine(
    tasks: Sequence[Task],
    examine: Examine,
    out: Path,
    run: Grading,
) -> bool:
    """Examines the files, and says whether somebody interrupted that."""
    if known := run.known:
        console.print(
            f"The record knows {known} of the files. To examine them again, add --again.",
            style="dim",
        )
    log = out / "grader.log"
    log.unlink(missing_ok=True)
    try:
        if not console.is_terminal:
            examine(tasks, log=log, done=_saying(run, len(tasks)))
        else:
            with bars("Grading") as progress:
                bar = progress.add_task("", total=len(tasks))

                def done(task: Task, evidence: Evidence, seconds: float) -> None:
                    run.done(task, evidence, seconds)
                    progress.advance(bar)

                examine(tasks, log=log, done=done)
    except KeyboardInterrupt:
        return True
    return False


def _saying(run: Grading, total: int) -> batch.Done:
    done = 0

    def say(task: Task, evidence: Evidence, seconds: float) -> None:
        nonlocal done
        run.done(task, evidence, seconds)
        done += 1
        console.print(f"[{done}/{total}] {task.name}: {evidence.verdict}", markup=False)

    return say


def _report(record: Store, todo: Sequence[Job], labs: Sequence[Lab], run: Grading) -> None:
    asked = {(job.student, job.lab.name) for job in todo}
    grades = [one for one in record.grades() if (one.result.student, one.result.lab) in asked]
    show_class(console, labs, [one.result for one in grades])
    for note in run.outcome.kept:
        console.print(note, style="bold yellow", markup=False)


def _finish(settled: Sequence[Grade], total: int, written: bool) -> None:
    """Says what is missing, and ends with the exit status for it."""
    ungraded = sum(one.result.score is None for one in settled)
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


def _challenge(
    people: dict[str, Path],
    labs: list[Lab],
    session: Session,
    results: Sequence[Result],
    path: Path,
) -> None:
    tool = next(one for one in session.toolchains if one.backend.measures_time)
    with bars("Timing") as progress:
        bar = progress.add_task("", total=None)
        board = challenge.rank(
            results, people, labs, tool, session.seed, lambda _: progress.advance(bar)
        )
    show_board(console, board)
    leaderboard.write(path, board)
    console.print(f"Wrote {path}", markup=False)
