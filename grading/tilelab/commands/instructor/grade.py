"""`tilelab grade`: grades a class and writes its results."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Annotated

import typer

from tilelab import backends
from tilelab.base.errors import UserError
from tilelab.base.repository import REPO
from tilelab.base.text import one_line
from tilelab.commands import options
from tilelab.commands.console import MACHINE_ERROR, bars, console
from tilelab.exports import gradebook, leaderboard, results_json
from tilelab.pipeline import batch, challenge, class_folder
from tilelab.pipeline.session import Session
from tilelab.score import lab
from tilelab.score.grades import Grade
from tilelab.score.lab import Lab
from tilelab.score.records import Result
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
    out: Annotated[
        Path, typer.Option(help="The folder for results.json and gradebook.csv.")
    ] = Path("results"),
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Submissions at a time. Default: one per processor.")
    ] = None,
    labs: Annotated[
        str | None, typer.Option(help="For example diff,nbody. Default: every lab handed in.")
    ] = None,
    release: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STUDENT/LAB", help="Count points that are under REVIEW. Can be repeated."
        ),
    ] = None,
    backend: options.Backend = None,
    seed: options.Seed = None,
    without_seccomp: options.WithoutSeccomp = False,
    with_leaderboard: Annotated[
        bool, typer.Option("--leaderboard", help="Rank correct submissions by speed, ungraded.")
    ] = False,
) -> None:
    """Grades a class: the one in DIR, or the sample class."""
    if with_leaderboard:
        timing = backends.timing()
        if backend not in (None, timing.preset):
            raise UserError(f"--leaderboard needs times from a GPU: omit --backend {backend}")
    found = class_folder.read_class(folder)
    names = _names(labs) if labs else class_folder.handed_in(found.students)
    if not names:
        raise UserError(
            f"{folder} has no submissions: put them at DIR/<student>/<lab>.cu, where <lab> is one "
            f"of {', '.join(lab.all_labs())}"
        )
    the_labs = [lab.load(name) for name in names]
    released = _released(release or [], found.students, names)
    _make_folder(out)
    session = options.session(backend, seed, without_seccomp=without_seccomp)
    # Several submissions at a time keep all processors busy.
    session = dataclasses.replace(session, released=released, criteria_at_once=1)
    show_machine(console, session.machine())
    for note in found.notes:
        console.print(note, style="dim", markup=False)
    results = _grade_all(found.students, the_labs, session, jobs or os.cpu_count() or 1, out)
    grades = [Grade(result) for result in results]
    results_json.write(out / "results.json", [session.machine()], session.seed, grades)
    gradebook.write(out / "gradebook.csv", grades)
    show_class(console, the_labs, results)
    for name in ("results.json", "gradebook.csv"):
        console.print(f"Wrote {out / name}", markup=False)
    if with_leaderboard:
        _challenge(found.students, the_labs, session, results, out / "leaderboard.csv")
    if ungraded := sum(result.score is None for result in results):
        console.print(
            f"{ungraded} submissions could not be graded: a machine error, not the students' "
            "fault.",
            style="bold yellow",
        )
    missing = len(found.students) * len(the_labs) - len(results)
    if missing:
        console.print(f"Interrupted: {missing} submissions were not graded.", style="bold yellow")
        raise typer.Exit(130)
    if ungraded:
        raise typer.Exit(MACHINE_ERROR)


def _names(labs: str) -> list[str]:
    return list(dict.fromkeys(name.strip() for name in labs.split(",")))


def _released(names: list[str], students: list[Path], labs: list[str]) -> frozenset[str]:
    known = {f"{one_line(student.name)}/{name}" for student in students for name in labs}
    for name in names:
        if name not in known:
            raise UserError(f"--release {name}: no such submission, write STUDENT/LAB")
    return frozenset(names)


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{out}: {error.strerror}") from error
    if not os.access(out, os.W_OK):
        raise UserError(f"{out}: you may not write to this folder")


def _grade_all(
    students: list[Path], labs: list[Lab], session: Session, jobs: int, out: Path
) -> list[Result]:
    total = len(students) * len(labs)
    log = out / "grader.log"
    log.unlink(missing_ok=True)
    if not console.is_terminal:
        done: list[Result] = []

        def say(result: Result) -> None:
            done.append(result)
            console.print(
                f"[{len(done)}/{total}] {result.student}/{result.lab}.cu: {result.verdict}",
                markup=False,
            )

        return list(batch.grade(students, labs, session, jobs, log, say))
    with bars("Grading") as progress:
        bar = progress.add_task("", total=total)
        return list(
            batch.grade(students, labs, session, jobs, log, lambda _: progress.advance(bar))
        )


def _challenge(
    students: list[Path], labs: list[Lab], session: Session, results: list[Result], path: Path
) -> None:
    tool = next(one for one in session.toolchains if one.backend.measures_time)
    folders = {one_line(student.name): student for student in students}
    with bars("Timing") as progress:
        bar = progress.add_task("", total=None)
        board = challenge.rank(
            results, folders, labs, tool, session.seed, lambda _: progress.advance(bar)
        )
    show_board(console, board)
    leaderboard.write(path, board)
    console.print(f"Wrote {path}", markup=False)
