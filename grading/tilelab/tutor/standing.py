"""How far a student is: what a check adds to the progress in a lab, and the progress in the course.

Everything follows from the last check of each lab, so it costs nothing to ask.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from tilelab.labs.lab import course
from tilelab.model.lab import Lab, Task
from tilelab.model.result import Result
from tilelab.tutor import progress
from tilelab.tutor.progress import Progress


@dataclass(frozen=True)
class Standing:
    """The progress in one lab of the course."""

    lab: Lab
    state: Progress

    @property
    def earned(self) -> float:
        return sum(earned for earned, _ in self.state.points.values())

    @property
    def possible(self) -> float:
        """The points that the last check could give."""
        return sum(possible for _, possible in self.state.points.values())

    @property
    def task(self) -> Task | None:
        """The task that the last check points to."""
        return next((task for task in self.lab.tasks if task.number == self.state.task), None)


def of_course(labs: Sequence[Lab] | None = None) -> list[Standing]:
    """The standing in each lab, in the order of the course."""
    return [Standing(lab, progress.load(lab.name)) for lab in labs or course()]


def current(standings: Sequence[Standing]) -> Standing | None:
    """The first lab whose kernels are not right yet. None if all are."""
    return next((one for one in standings if not one.state.is_right), None)


def after_check(
    state: Progress, before: Progress, result: Result, lab: Lab, path: Path, left: Sequence[int]
) -> Progress:
    """Adds points and finished tasks to `state`. `left` are the TODOs left in the file."""
    if result.verdict != "graded":
        return replace(state, done=before.done, points=before.points, solved=before.solved)
    graded = [one for one in result.criteria if one.status != "not_run"]
    is_right = _is_right(result, lab)
    return replace(
        state,
        done=_done(state, lab, () if is_right else left),
        points={one.name: (one.points, one.max) for one in graded},
        solved=before.solved or (is_right and not _is_ours(path, lab)),
    )


def missing(state: Progress, lab: Lab) -> list[str]:
    """The criteria that ask for right results and lack points, as "correctness (16 of 40)"."""
    return [
        f"{name} ({earned:g} of {possible:g} points)"
        for name in _about_results(lab)
        for earned, possible in [state.points.get(name, (0.0, 0.0))]
        if earned < possible
    ]


def _about_results(lab: Lab) -> list[str]:
    """The criteria that need nothing but results."""
    return [one.name for one in lab.criteria if one.needs is None]


def _is_right(result: Result, lab: Lab) -> bool:
    about_results = _about_results(lab)
    return all(one.status == "pass" for one in result.criteria if one.name in about_results)


def _done(state: Progress, lab: Lab, left: Sequence[int]) -> int:
    """The tasks whose TODO is gone and which the failures do not point to."""
    if state.is_right:
        return len(lab.tasks)
    pointed = state.task if state.task is not None else next(iter(state.others), None)
    return sum(task.number not in (*left, pointed) for task in lab.tasks)


def _is_ours(path: Path, lab: Lab) -> bool:
    """Whether the file came with the lab, so that its success is nobody's."""
    real = path.resolve()
    return real == lab.baseline.resolve() or real.is_relative_to(lab.solutions.resolve())
