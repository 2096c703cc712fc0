"""Examines the files of a class, several at a time."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tilelab.base import process
from tilelab.base.errors import Stopped
from tilelab.model import evidence as evidences
from tilelab.model.evidence import Evidence
from tilelab.model.lab import Lab
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session


@dataclass(frozen=True)
class Task:
    """A file to examine. `name` is what people call it: "amber/diff.cu"."""

    name: str
    path: Path
    lab: Lab
    session: Session


# Hears of each task, what was found out, and how many seconds that took.
Done = Callable[[Task, Evidence, float], None]


def examine(tasks: Sequence[Task], jobs: int, log: Path, done: Done) -> None:
    """Examines everything, `jobs` files at a time, and calls `done` in the thread of each.

    Ctrl-C stops what runs. An error in the grader itself becomes an infra_error of that one file,
    with details in `log`. An error in `done` ends the batch.
    """
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for future in [pool.submit(_one, task, log, done) for task in tasks]:
                future.result()
        except BaseException:
            process.stop_all()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _one(task: Task, log: Path, done: Done) -> None:
    began = time.monotonic()
    try:
        evidence = submission.examine(task.path, task.lab, task.session)
    except Stopped:
        return
    except Exception:
        # One submission never ends the batch, not even through a bug of ours.
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{task.name}\n{traceback.format_exc()}\n")
        evidence = evidences.infra_error(f"the grader failed. See {log}.")
    done(task, evidence, time.monotonic() - began)
