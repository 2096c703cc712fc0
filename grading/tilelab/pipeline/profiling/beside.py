"""Estimates a file's time while its tests run."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

from tilelab import backends
from tilelab.base import process
from tilelab.base.errors import InfraError
from tilelab.base.files import work_folder
from tilelab.estimate import figures
from tilelab.estimate.figures import Figures
from tilelab.model.estimate import EstimatedTime
from tilelab.model.lab import Lab
from tilelab.pipeline import estimating
from tilelab.pipeline.compiler import referee
from tilelab.pipeline.harness import missing
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.records.stages import Inspected
from tilelab.pipeline.records.toolchain import Toolchain


class Estimate:
    """An estimate that begins as soon as the text is known."""

    def __init__(self, session: Session, stack: contextlib.ExitStack) -> None:
        self._session = session
        self._gpu = figures.usual()
        self._compiling = stack.enter_context(contextlib.ExitStack())
        self._pool = stack.enter_context(ThreadPoolExecutor(1))
        self._future: Future[EstimatedTime] | None = None

    def begin(self, inspected: Inspected) -> None:
        """Begins, unless times are measured or estimated for points, or cannot be estimated."""
        if self._gpu is None or not _is_wanted(inspected.lab) or missing.for_estimates():
            return
        self._compiling.enter_context(referee.compiled_elsewhere(inspected))
        tool = self._session.toolchains[0]
        self._future = process.submit(self._pool, _estimate, inspected, self._gpu, tool)
        self._future.add_done_callback(lambda _: self._compiling.close())

    @property
    def has_begun(self) -> bool:
        return self._future is not None

    def result(self) -> EstimatedTime | None:
        """Waits for what estimating.compare() returns. None if nothing has begun."""
        return self._future.result() if self._future else None


@contextlib.contextmanager
def estimate(session: Session) -> Iterator[Estimate]:
    """Gives an estimate that runs alongside the body. What nobody waits for is stopped."""
    done = threading.Event()
    with process.stopped_by(done), contextlib.ExitStack() as stack:
        try:
            yield Estimate(session, stack)
        finally:
            done.set()


def _is_wanted(lab: Lab) -> bool:
    return lab.estimate is not None and not lab.is_estimated and not backends.device()


def _estimate(inspected: Inspected, gpu: Figures, toolchain: Toolchain) -> EstimatedTime:
    try:
        with work_folder() as work:
            return estimating.compare(inspected, gpu, toolchain, work)
    except InfraError as error:
        why = str(error).rstrip(".")
        return EstimatedTime(gpu=gpu.name, problem="this lab", missing=why)
