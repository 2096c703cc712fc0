"""Estimates a file's time while its tests run."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tilelab import backends
from tilelab.base import process
from tilelab.base.errors import InfraError, Rejected
from tilelab.base.files import work_folder
from tilelab.estimate import figures
from tilelab.pipeline import intake, rules
from tilelab.pipeline.profiling import estimating, recording
from tilelab.pipeline.session import Session
from tilelab.score.lab import Lab

Json = dict[str, Any]


@contextlib.contextmanager
def estimated(path: Path, lab: Lab, session: Session) -> Iterator[Callable[[], Json | None]]:
    """Gives a function that waits for the estimate and returns what estimating.compare() does.

    It returns None where times are measured, and where this machine cannot estimate any. What
    nobody waits for is stopped.
    """
    gpu = figures.usual()
    if backends.device() or gpu is None or not lab.estimate or recording.missing():
        yield lambda: None
        return
    done = threading.Event()
    with process.stopped_by(done), ThreadPoolExecutor(1) as pool:
        future = process.submit(pool, _estimate, path, lab, session, gpu)
        try:
            yield future.result
        finally:
            done.set()


def _estimate(path: Path, lab: Lab, session: Session, gpu: figures.Figures) -> Json | None:
    try:
        text = intake.read(path).text
        if rules.check(text, lab.name):
            return None
        with work_folder() as work:
            return estimating.compare(text, lab, gpu, session.toolchains[0], work)
    except (OSError, Rejected):
        return None  # the tests say why
    except InfraError as error:
        return {"gpu": gpu.name, "problem": "this lab", "missing": str(error).rstrip(".")}
