"""Asks the estimator about launches, as long as there is time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct

from tilelab.base import process
from tilelab.base.errors import InfraError
from tilelab.base.text import shorten
from tilelab.estimate import simulation
from tilelab.estimate.figures import Figures
from tilelab.model import stream
from tilelab.model.simulation import Constant, Simulated
from tilelab.programs import jobs
from tilelab.programs.jobs import Program
from tilelab.programs.machine_code import Code

_SECONDS = 60.0  # for one launch
_TOO_LONG = "simulating it takes too long"
_NO_TIME = "there was no time left"

Answer = Simulated | str


@dataclass(frozen=True)
class Question:
    """A launch: the machine code that it means, and the events that describe it."""

    code: Code
    events: Sequence[Struct]


@dataclass(frozen=True)
class Asker:
    """Asks about the launches of a program until a moment of time.monotonic()."""

    ran: Program
    figures: Figures
    estimator: Path
    job: Path
    deadline: float

    def answers(
        self, questions: Mapping[int, Question], changed: Iterable[Constant] = ()
    ) -> dict[int, Answer]:
        """What the estimator says of each, on a GPU of which some constants may have changed.

        A sentence says why there is no estimate. Raises InfraError if the estimator fails.
        """
        made: dict[int, Answer] = dict.fromkeys(questions, _NO_TIME)
        for code in self.ran.codes:
            of_code = {number: one for number, one in questions.items() if one.code is code}
            made.update(self._of_code(code, of_code, tuple(changed)))
        return made

    def _of_code(
        self, code: Code, questions: Mapping[int, Question], changed: Sequence[Constant]
    ) -> Iterator[tuple[int, Answer]]:
        left = list(questions)
        while left and (seconds := self.deadline - time.monotonic()) > 0:
            events = [event for number in left for event in questions[number].events]
            job = (*jobs.begin(code, self.ran, self.figures), *changed, *events)
            said, timed_out = self._ask(code, job, min(seconds, _SECONDS))
            if len(said) < len(left) and not timed_out:
                raise InfraError("the estimator ended early.")
            yield from zip(left, said, strict=False)
            left = left[len(said) :]
            if timed_out and not said:
                yield left.pop(0), _TOO_LONG

    def _ask(
        self, code: Code, job: Iterable[Struct], seconds: float
    ) -> tuple[Sequence[Answer], bool]:
        """What it says of the first launches, and whether there was no time for the others."""
        self.job.write_text(stream.text_of(job), encoding="utf-8")
        argv = [self.estimator, code.text, self.job]
        finished = process.run(argv, seconds=seconds, keep=1 << 22)
        try:
            return simulation.each(finished.output), finished.timed_out
        except ValueError as error:
            raise InfraError(f"the estimator failed: {shorten(str(error), 200)}") from error
