"""Asks the estimator about the launches of a recording."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from tilelab.base import process
from tilelab.base.errors import InfraError
from tilelab.base.text import shorten
from tilelab.model import stream
from tilelab.pipeline.estimating import launches
from tilelab.pipeline.estimating.launches import Recording
from tilelab.pipeline.estimating.recording import Recorder

SECONDS = 60

Answer = TypeVar("Answer")


def ask(
    recorder: Recorder,
    first: Iterable[Struct],
    recorded: Recording,
    job: Path,
    read: Callable[[str], Answer],
) -> Answer | None:
    """What `read` makes of the estimator's output, None if that takes longer than SECONDS.

    The job has the events `first` and then the launches. Raises UserError if nvcc has no such
    kernel, or InfraError if the estimator fails.
    """
    events = launches.for_estimator(recorded, recorder.symbols, recorder.machine.kernels)
    job.write_text(stream.text_of((*first, *events)), encoding="utf-8")
    argv = [recorder.toolchain.estimator, recorder.machine.text, job]
    finished = process.run(argv, seconds=SECONDS, keep=1 << 20)
    if finished.timed_out:
        return None
    try:
        return read(finished.output)
    except ValueError as error:
        raise InfraError(f"the estimator failed: {shorten(str(error), 200)}") from error
