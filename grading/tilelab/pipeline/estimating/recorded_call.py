"""A call that was recorded, and is recorded again while blocks of its launches run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.pipeline.estimating import recording
from tilelab.pipeline.estimating.launches import Recording
from tilelab.pipeline.estimating.recording import Recorder, Trial

OTHER_LAUNCHES = "the host code launches something else once kernels run"
OTHER_STORES = "the host code changes other things on the device once kernels run"


@dataclass(frozen=True)
class RecordedCall:
    """A call whose time is estimated, as it was recorded for that."""

    recorder: Recorder
    number: int
    text: str
    recorded: Recording
    multiprocessors: float
    work: Path

    def tried(self, what: Trial) -> Recording:
        """The same with a trial. Raises UserError if the host code does something else then."""
        return record(self.recorder, self.number, self.multiprocessors, self.recorded, what)

    def job(self, name: str) -> Path:
        return self.work / f"{name}{self.number}.jsonl"


def record(
    recorder: Recorder, call: int, multiprocessors: float, recorded: Recording, what: Trial
) -> Recording:
    """The same call with a trial. Raises UserError if the host code does something else then."""
    made = recording.record(recorder, call, multiprocessors, what)
    if (made.arrays, made.launches) != (recorded.arrays, recorded.launches):
        raise UserError(OTHER_LAUNCHES)
    if made.moved != recorded.moved:
        raise UserError(OTHER_STORES)
    by_host = [[one.by_host for one in it.trials] for it in (made, recorded)]
    if recorded.trials and by_host[0] != by_host[1]:
        raise UserError(OTHER_STORES)
    return made
