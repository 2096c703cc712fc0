"""Grades a class: DIR/<student>/<lab>.cu for every student and lab."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path

from tilelab.base import process
from tilelab.base.errors import Stopped
from tilelab.base.text import one_line
from tilelab.pipeline import submission
from tilelab.pipeline.session import Session
from tilelab.score.lab import Lab
from tilelab.score.records import Result


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
