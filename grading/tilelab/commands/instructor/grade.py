"""`tilelab grade`: grades a class into a record, and writes its results."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from tilelab import backends
from tilelab.base.errors import UserError
from tilelab.base.files import make_folder, work_folder
from tilelab.base.repository import REPO
from tilelab.base.text import counted, listed, listed_few, one_line
from tilelab.cluster.options import Options as SlurmChoice
from tilelab.collect import enrolled
from tilelab.commands import executors, options, record_files, sections
from tilelab.commands.agreeing import agree
from tilelab.commands.console import MACHINE_ERROR, bars, console, suggest
from tilelab.commands.executors import Examine, Executor
from tilelab.exports import leaderboard
from tilelab.model.course import Course
from tilelab.model.evidence import Evidence
from tilelab.model.grade import Grade
from tilelab.model.lab import Lab
from tilelab.pipeline import challenge, class_folder, intake
from tilelab.pipeline.batch import Done, Task
from tilelab.pipeline.class_folder import ClassFolder
from tilelab.pipeline.harness import missing
from tilelab.pipeline.harness.session import Session
from tilelab.record import jobs as all_jobs
from tilelab.record import store
from tilelab.record.grading import Grading
from tilelab.record.jobs import Job
from tilelab.record.store import Store
from tilelab.report import course_noted
from tilelab.screens.leaderboard import show_board
from tilelab.screens.results import show_class, show_machine, show_missing_estimates, show_mixed

SAMPLE_CLASS = REPO / "grading" / "sample_class"

_SHOWN = 8  # students with another name than before


@dataclass(frozen=True)
class Request:
    """What an instructor asked `grade` for."""

    folder: Path
    out: Path
    course: Course
    labs: list[str]
    students: list[str]
    section: str | None
    release: list[str]
    for_slurm: SlurmChoice | None
    jobs: int | None
    backend: str | None
    seed: int | None
    again: bool
    yes: bool
    without_seccomp: bool
    with_leaderboard: bool


@dataclass(frozen=True)
class Ended:
    """How grading ended: for each grade whether there are points, and whether all were written."""

    settled: list[bool]
    written: bool


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
    section: sections.SectionName = None,
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
    if with_leaderboard:
        _assert_can_time(for_slurm, backend)
    _run(
        Request(
            folder=folder,
            out=out,
            course=options.the_course(course_file),
            labs=options.lab_names(labs),
            students=students or [],
            section=section,
            release=release or [],
            for_slurm=for_slurm,
            jobs=jobs,
            backend=backend,
            seed=seed,
            again=again,
            yes=yes,
            without_seccomp=without_seccomp,
            with_leaderboard=with_leaderboard,
        )
    )


def _assert_can_time(for_slurm: SlurmChoice | None, backend: str | None) -> None:
    if for_slurm:
        raise UserError("--leaderboard times on this machine: omit --executor slurm")
    timing = backends.timing()
    if backend not in (None, timing.preset):
        raise UserError(f"--leaderboard needs times from a GPU: omit --backend {backend}")


def _run(asked: Request) -> None:
    found = enrolled.of_course(class_folder.read_class(asked.folder), asked.course)
    _assert_apart(asked.out, asked.folder, found.students)
    course = enrolled.for_class(asked.course, found)
    strangers = enrolled.strangers_with_extensions(found, course, asked.folder)
    enrolled_students = found.collected.students
    known = all_jobs.folders_of(asked.folder, found)
    asked = dataclasses.replace(
        asked,
        course=course,
        students=sections.narrowed(asked.students, asked.section, enrolled_students, known),
    )
    todo = all_jobs.of_class(asked.folder, found, asked.course, asked.labs, asked.students)
    _make_folder(asked.out)
    with store.alone(asked.out), _shared_folder() as shared:
        record = Store(asked.out)
        renamed = enrolled.renamed(record.students().values(), enrolled.people_of(found.collected))
        _assert_same_class(record, todo, asked, renamed)
        enrolled.assert_same_people(record.students().values(), enrolled.people_of(found.collected))
        record.enroll(found.collected.students)
        record.ask(found.collected.questions)
        if course_noted.is_left_out(record, asked.course):
            console.print(
                "This record was graded with a course. Without --course, no deadline and no points "
                "of it count.",
                style="bold yellow",
            )
        course_noted.write(record, asked.course)
        _release(record, asked.release, todo)
        session, examine = _executor(asked, _labs(todo), _seed(record, asked))
        session = session.sharing(shared) if shared else session
        machine = session.machine()
        show_machine(console, machine)
        if (lacking := missing.for_estimates()) and machine["gpu"] is None:
            show_missing_estimates(console, _labs(todo), lacking)
        for note in [
            *found.notes,
            *strangers,
            *_about_later(asked, found),
            *(job.remark for job in todo if job.remark),
        ]:
            console.print(note, style="dim", markup=False)
        ended = _grade(asked, todo, record, session, examine)
        in_class = {one.key for one in enrolled_students} or set(known)
        record.note_left(record.graded_students() - in_class)
        _name_others(record, known, asked.folder)
        _name_renamed(record, renamed)
    _finish(ended, len(todo))
    suggest("report", "--out", asked.out)


def _about_later(asked: Request, found: ClassFolder) -> list[str]:
    """A line about the labs of the course that are left out because they are not due yet."""
    later = [] if asked.labs else all_jobs.not_due(asked.course, found)
    why = "not due yet, and handed in by nobody, so left out. --lab grades it all the same"
    return [f"{listed(later)}: {why}"] if later else []


def _executor(asked: Request, labs: Sequence[Lab], seed: int) -> tuple[Session, Examine]:
    """Builds the harness where submissions are examined."""
    if asked.for_slurm:
        return executors.on_slurm(
            asked.out,
            asked.for_slurm,
            labs,
            asked.backend,
            seed,
            without_seccomp=asked.without_seccomp,
            again=asked.again,
        )
    return executors.here(
        labs, asked.backend, seed, asked.jobs, without_seccomp=asked.without_seccomp
    )


def _grade(
    asked: Request, todo: Sequence[Job], record: Store, session: Session, examine: Examine
) -> Ended:
    """Grades into the record, and writes and shows what it then says."""
    settled: list[bool] = []  # a list of grades would grow with the class
    run = Grading(
        record,
        asked.course,
        session,
        lambda _, grade: settled.append(grade.result.score is not None),
    )
    tasks = run.plan(todo, new_seed=asked.seed is not None, again=asked.again)
    interrupted = _examine(run, tasks, examine, asked.out / "grader.log")
    written = interrupted or agree(run.outcome, yes=asked.yes)
    _show(record, todo)
    for note in run.outcome.kept:
        console.print(note, style="bold yellow", markup=False)
    record_files.write(record, asked.out)
    if asked.with_leaderboard and not interrupted:
        _challenge(todo, session, record, asked.out / "leaderboard.csv")
    return Ended(settled, written)


@contextlib.contextmanager
def _shared_folder() -> Iterator[Path | None]:
    """A folder for what the judges of this run share. Without it, each file says what is wrong."""
    with contextlib.ExitStack() as stack:
        folder = None
        with contextlib.suppress(OSError):
            folder = stack.enter_context(work_folder())
        yield folder


def _assert_apart(out: Path, folder: Path, students: Sequence[Path]) -> None:
    """Raises UserError if the next run would take results for students, or lose one to them."""
    if out.resolve() == folder.resolve():
        raise UserError(
            f"--out {out} is the class itself, in which each folder is a student's: name another "
            f"folder, such as results, and move {store.NAME} there if the class has one"
        )
    for student in students:
        if out.resolve().is_relative_to(student.resolve()):
            raise UserError(
                f"--out {out}: {student} counts as a student's folder: name one that is not there "
                f"yet, or that is not in {folder}"
            )


def _make_folder(out: Path) -> None:
    make_folder(out)
    if not os.access(out, os.W_OK):
        raise UserError(f"{out}: you may not write to this folder")


def _assert_same_class(
    record: Store, todo: Sequence[Job], asked: Request, renamed: Mapping[str, str]
) -> None:
    known = record.graded_students()
    if known and not known & {job.student for job in todo}:
        if renamed:
            raise UserError(
                f"{asked.out} has none of the students under the names that they have now: "
                f"{_names(renamed)}. Give them back their names in the column `student` of the "
                "roster, or grade all of them into another folder with --out"
            )
        raise UserError(
            f"{asked.out} has the record of another class, with none of the students in "
            f"{asked.folder}: name another folder with --out"
        )


def _release(record: Store, names: Sequence[str], todo: Sequence[Job]) -> None:
    by_name = {job.name: job for job in todo}
    for name in names:
        if name not in by_name or not by_name[name].path.is_file():
            raise UserError(f"--release {name}: no such submission, write STUDENT/LAB")
        job = by_name[name]
        sha256 = intake.read(job.path).sha256
        for one in todo:
            if one.path == job.path:  # all of a group
                record.release(one.student, one.lab.name, sha256)


def _seed(record: Store, asked: Request) -> int:
    """The seed, by default the record's own: files that come later meet the same inputs."""
    known = record.setting("seed")
    seed = asked.seed
    if seed is None:
        seed = int(known) if known else options.new_seed()
    is_all = not (asked.students or asked.labs)
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
                print(
                    f"tilelab: grading {counted(len(tasks), 'file')}", file=sys.stderr, flush=True
                )
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
    shown = {job.lab.name for job in todo}
    show_mixed(console, (one for one in record.each_grade() if one.result.lab in shown))


def _name_others(record: Store, known: Collection[str], folder: Path) -> None:
    """Names students with grades who have left the class: they are in no table of this run."""
    if others := sorted(record.graded_students() - set(known)):
        console.print(
            f"The record also has grades of {listed(others)}, not in {one_line(str(folder))} now. "
            "They stay in the gradebook and the report; `./tilelab forget` removes them.",
            style="dim",
            markup=False,
        )


def _name_renamed(record: Store, renamed: Mapping[str, str]) -> None:
    """Names students whose grades are under another name than those from now on."""
    twice = {old: new for old, new in renamed.items() if old in record.graded_students()}
    if twice:
        console.print(
            f"Under another name than before: {_names(twice)}. What was graded, adjusted and said "
            "before stays under the name before. Give them back that name in the column `student` "
            "of the roster, and grade again; then remove the other one with `./tilelab forget`.",
            style="bold yellow",
            markup=False,
        )


def _names(renamed: Mapping[str, str]) -> str:
    shown = [f"{one_line(old)} is {one_line(new)} now" for old, new in renamed.items()]
    return listed_few(shown, _SHOWN)


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


def _finish(ended: Ended, total: int) -> None:
    """Says what is missing, and ends with the exit status for it."""
    ungraded = ended.settled.count(False)
    if ungraded:
        console.print(
            f"{counted(ungraded, 'submission')} could not be graded: a machine error, not the "
            "students' fault. The same command tries again.",
            style="bold yellow",
        )
    if missing := total - len(ended.settled):
        console.print(
            f"Interrupted: {missing} of {total} submissions were not graded. The same command "
            "goes on.",
            style="bold yellow",
        )
        raise typer.Exit(130)
    if ungraded:
        raise typer.Exit(MACHINE_ERROR)
    if not ended.written:
        raise typer.Exit(1)


def _challenge(todo: Sequence[Job], session: Session, record: Store, path: Path) -> None:
    tool = next(one for one in session.toolchains if one.backend.measures_time)
    files = {(job.student, job.lab.name): job.path for job in todo}
    results = [grade.result for grade in _grades_of(record, todo)]
    with bars("Timing") as progress:
        bar = progress.add_task("", total=None)
        board = challenge.rank(
            results, files, _labs(todo), tool, session.seed, lambda _: progress.advance(bar)
        )
    show_board(console, board)
    leaderboard.write(path, board)
    console.print(f"Wrote {path}", markup=False)
