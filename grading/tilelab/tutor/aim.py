"""Finds the tasks that the failures of a submission point to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tilelab.score.failures import Failure
from tilelab.score.lab import Lab, Task
from tilelab.tutor.code import Code, code_of

# Unfinished kernels fail like this, so it does not tell which task is left.
NOTHING_WRITTEN = "never_written"
_VAGUE = (NOTHING_WRITTEN, "all_wrong")

_TODO = re.compile(r"//\s*TODO (\d+)\b")


def todos(text: str) -> list[int]:
    """The numbers of the TODOs left in a source file, in order of appearance."""
    return [int(match[1]) for match in _TODO.finditer(text)]


def tasks_for(found: Sequence[Failure], lab: Lab, text: str) -> list[Task]:
    """The tasks that may be the cause of the first failure, the most plausible one first.

    `text` is the submission. The list is empty if the first failure has a hint of its own, which
    belongs to no task, or if nothing points to a task.
    """
    code = code_of(text)
    unfinished = _unfinished(lab, code, todos(text))
    for failure in found:
        if failure.pattern in _VAGUE and unfinished:
            return unfinished
        if named := [task for task in lab.tasks if failure.pattern in task.patterns]:
            here = [task for task in named if _is_at(task, failure, lab, code)]
            return sorted(named, key=lambda task: (task not in unfinished, task not in here))
        if failure.pattern in lab.hints:
            return []
        if placed := [task for task in lab.tasks if _is_at(task, failure, lab, code)]:
            return placed
        if unfinished:
            return unfinished
    return []


def _unfinished(lab: Lab, code: Code, left: Sequence[int]) -> list[Task]:
    """The tasks whose code is not in the file."""

    def is_done(task: Task) -> bool:
        if not task.code:
            return task.number not in left
        # Students delete the comments of finished tasks, one by one or all at once.
        return code.has(task.code[0]) or (bool(left) and task.number not in left)

    return [task for task in lab.tasks if not is_done(task)]


def _is_at(task: Task, failure: Failure, lab: Lab, code: Code) -> bool:
    """Whether all lines of the failure belong to the task."""
    lines = {place.line for place in failure.details.places}
    return bool(lines) and all(task in _owners(line, lab, code) for line in lines)


def _owners(line: int, lab: Lab, code: Code) -> list[Task]:
    """The tasks whose code is in a line, or whose code is the last one before it."""
    found = [
        (lines, task)
        for task in lab.tasks
        for pattern in task.code
        for lines in code.lines_of(pattern)
    ]
    here = [task for lines, task in found if line in lines]
    last = max((lines.start for lines, _ in found if lines.start < line), default=None)
    return here or [task for lines, task in found if lines.start == last]
