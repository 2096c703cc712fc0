"""Grades a class: DIR/<student>/<lab>.cu for every student and lab."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from tilelab.base import process
from tilelab.base.errors import Stopped, UserError
from tilelab.base.text import one_line
from tilelab.pipeline import submission
from tilelab.pipeline.session import Session
from tilelab.score.lab import Lab, all_labs
from tilelab.score.records import Result


@dataclass(frozen=True)
class ClassFolder:
    """The students' folders, and a note about every entry that was ignored."""

    students: list[Path]
    notes: list[str]


def read_class(folder: Path) -> ClassFolder:
    """Finds the students' folders. Raises UserError if there are none."""
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}") from error
    students, notes = [], []
    for entry in entries:
        if entry.name.startswith("."):
            notes.append(f"ignored {one_line(entry.name)}: hidden")
        elif entry.is_symlink() or not entry.is_dir():
            notes.append(f"ignored {one_line(entry.name)}: not a student's folder")
        else:
            students.append(entry)
    if not students:
        raise UserError(
            f"{folder} has no folders of students: put submissions at DIR/<student>/<lab>.cu"
        )
    return ClassFolder(students, notes)


def handed_in(students: Sequence[Path]) -> list[str]:
    """The labs that at least one student handed in. The others were probably not assigned."""
    return [
        lab
        for lab in all_labs()
        if any(os.path.lexists(student / f"{lab}.cu") for student in students)
    ]


def grade(
    students: Sequence[Path],
    labs: Sequence[Lab],
    session: Session,
    jobs: int,
    log: Path,
    finished: Callable[[Result], None],
) -> Iterator[Result]:
    """Grades everything, `jobs` submissions at a time, and yields results by student and lab.

    Ctrl-C stops what runs, and the results lack what was not finished. An error in the grader
    itself becomes an infra_error of that one submission, with details in `log`.
    """
    tasks = [(student, lab) for student in students for lab in labs]
    futures: list[Future[Result | None]] = []
    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(_one, student, lab, session, log) for student, lab in tasks]
        try:
            for future in as_completed(futures):
                if result := future.result():
                    finished(result)
        except KeyboardInterrupt:
            process.stop_all()
            pool.shutdown(wait=True, cancel_futures=True)
    for future in futures:
        if not future.cancelled() and (result := future.result()):
            yield result


def _one(student: Path, lab: Lab, session: Session, log: Path) -> Result | None:
    name = one_line(student.name)
    try:
        return submission.grade(student / f"{lab.name}.cu", lab, session, name)
    except Stopped:
        return None
    except Exception:
        # One submission never ends the batch, not even through a bug of ours.
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{name}/{lab.name}.cu\n{traceback.format_exc()}\n")
        text = f"Not the submission's fault: the grader failed. See {log}."
        return Result(name, lab.name, "infra_error", None, lab.max_points, messages=[text])
