"""Finds out which task could make a correct kernel faster."""

from __future__ import annotations

from collections.abc import Sequence

from tilelab.model.lab import Condition, Lab, SpeedTask
from tilelab.model.profile import Call
from tilelab.tutor import counts
from tilelab.tutor.code import Code


def next_task(lab: Lab, code: Code, calls: Sequence[Call]) -> SpeedTask | None:
    """The first task that is of use. `calls` are those of a profile, empty if there is none."""
    return next((task for task in lab.speed if is_of_use(task, code, calls)), None)


def is_of_use(when: Condition, code: Code, calls: Sequence[Call]) -> bool:
    if when.unless and code.has(when.unless):
        return False
    if not when.metric:
        return True
    metric = counts.find(when.metric, calls)
    if not calls or metric is None:
        return False
    value = metric.value(calls)
    return value < when.below or value > when.above
