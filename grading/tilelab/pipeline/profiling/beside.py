"""Estimates a file's time while its tests run."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tilelab import backends
from tilelab.base import process
from tilelab.base.errors import InfraError, Rejected
from tilelab.base.files import work_folder
from tilelab.estimate import figures
from tilelab.model.estimate import EstimatedTime
from tilelab.model.lab import Lab
from tilelab.pipeline import estimating, intake
from tilelab.pipeline.compiler import referee
from tilelab.pipeline.harness import missing
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.texts import rules


@contextlib.contextmanager
def estimated(
    path: Path, lab: Lab, session: Session
) -> Iterator[Callable[[], EstimatedTime | None]]:
    """Gives a function that waits for the estimate and returns what estimating.compare() does.

    It returns None where times are measured or estimated for points, and where this machine cannot
    estimate any. What nobody waits for is stopped.
    """
    gpu, text = figures.usual(), _allowed_text(path, lab)
    is_wanted = lab.estimate and not any(one.estimated for one in lab.criteria)
    is_possible = is_wanted and not backends.device() and not missing.for_estimates()
    if gpu is None or text is None or not is_possible:
        yield lambda: None
        return
    done = threading.Event()
    with (
        process.stopped_by(done),
        ThreadPoolExecutor(1) as pool,
        contextlib.ExitStack() as compiling,
    ):
        compiling.enter_context(referee.compiled_elsewhere(text, lab))
        future = process.submit(pool, _estimate, text, lab, session, gpu)
        future.add_done_callback(lambda _: compiling.close())
        try:
            yield future.result
        finally:
            done.set()


def _allowed_text(path: Path, lab: Lab) -> str | None:
    """The file's text. None if the tests have something to say about it."""
    try:
        text = intake.read(path).text
    except (OSError, Rejected):
        return None
    return None if rules.check(text, lab.name) else text


def _estimate(text: str, lab: Lab, session: Session, gpu: figures.Figures) -> EstimatedTime:
    try:
        with work_folder() as work:
            return estimating.compare(text, lab, gpu, session.toolchains[0], work)
    except InfraError as error:
        why = str(error).rstrip(".")
        return EstimatedTime(gpu=gpu.name, problem="this lab", missing=why)
