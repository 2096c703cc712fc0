"""Finds the tasks that the failures of a submission point to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from tilelab.model.failure import Causes, Failure
from tilelab.model.lab import HandoutTask, Lab, Task, hint_key
from tilelab.model.result import Result
from tilelab.score.failures import NEVER_WRITTEN, failures
from tilelab.tutor.code import Code, code_of

# Unfinished kernels fail like this, so it does not tell which task is left.
_VAGUE = (NEVER_WRITTEN, "all_wrong")

# The variant of a failure that the third number of a launch decides.
_BY_LAUNCH = "dynamic"

_LAUNCH = "<<<"

# How kinds of repairs end that add something to a line of another task.
_LACKING = "missing"

_TODO = re.compile(r"//\s*TODO (\d+)\b")


def todos(text: str) -> list[int]:
    """The numbers of the TODOs left in a source file, in order of appearance."""
    return [int(match[1]) for match in _TODO.finditer(text)]


def tasks_for(result: Result, lab: Lab, text: str) -> list[Task]:
    """The tasks that may be the cause of the first failure, the most plausible one first.

    `text` is the submission. The list is empty if the first failure has a hint of its own, which
    belongs to no task, or if nothing points to a task.
    """
    failing = [case.name for row in result.criteria for case in row.cases if not case.passed]
    if not failing:
        return []
    file = _file(lab, text)
    found = _of_causes(failures(result), file)
    own = [task for task in lab.tasks if task.tests and all(task.tests in one for one in failing)]
    likely = [task for task in found if task in own]
    tasks = [*likely, *own, *found]
    if tasks and tasks[0] in file.undone:
        earlier = file.undone[: file.undone.index(tasks[0])]
        tasks = [*(task for task in earlier if _has_own(task, failing)), *tasks]
    if tasks:
        # What is not begun often shows in the code of later tasks.
        first = tasks[0]
        before = [one for one in file.unbegun if one.number < first.number]
        tasks = [*(one for one in before if one.tests == first.tests), *tasks]
    return list(dict.fromkeys(tasks))


def next_task(
    result: Result, lab: Lab, text: str, causes: Causes, found: Sequence[Task]
) -> Task | None:
    """Of those that tasks_for() found, the one that is next. None if that is not sure."""
    file, failing = _file(lab, text), failures(result)
    if not found or not failing:
        return None
    if _is_of_launch(failing[0]) or found[0] in file.unbegun:
        return found[0]
    if causes.found:
        return _of_lines(found, {one.line for one in causes.found}, causes, file)
    lines = _lines_of(failing[0])
    # What has no pattern points to no task, so the first one that is tested comes next.
    is_open = not failing[0].pattern or bool(todos(text))
    is_sure = not lines or len(found) == 1 or is_open or file.knows(lines)
    return found[0] if is_sure else None


def _of_lines(
    found: Sequence[Task], lines: AbstractSet[int], causes: Causes, file: _File
) -> Task | None:
    """The task whose code has the cause, or which lacks what the cause is without."""
    if likely := [task for task in found if file.is_at_any(task, lines)]:
        return likely[0]
    if file.lacks(found[0]) and file.knows(lines):
        return found[0]
    if any(one.kind.endswith(_LACKING) for one in causes.found):
        return None  # What is missing belongs to a task of its own.
    return next((task for task in file.lab.tasks if file.is_at_any(task, lines)), None)


def _is_of_launch(failure: Failure) -> bool:
    return failure.details.variant == _BY_LAUNCH


def _lines_of(failure: Failure) -> frozenset[int]:
    """The lines of a failure. Where a call was stopped counts only if nothing tells more."""
    stops = frozenset(place.line for place in failure.details.places)
    return failure.details.telling_lines or stops


def _has_own(task: Task, tests: Sequence[str]) -> bool:
    """Whether some of these tests are about the function of this task."""
    return bool(task.tests) and any(task.tests in test for test in tests)


def is_undone(task: HandoutTask, lab: Lab, text: str) -> bool:
    """Whether the submission lacks the code of a task."""
    return task in _file(lab, text).undone


def _of_causes(found: Sequence[Failure], file: _File) -> list[Task]:
    lab = file.lab
    launches = frozenset(file.launches)
    for failure in found:
        lines = failure.details.telling_lines
        tasks = [task for task in lab.tasks if task.tests in failure.test]
        launching = [task for task in tasks if file.is_at_any(task, launches)]
        if _is_of_launch(failure) and launching:
            return launching
        undone = [task for task in tasks if task in file.undone]
        if failure.pattern in _VAGUE and undone and not file.hides(undone, tasks, failure.pattern):
            return undone
        key = hint_key(failure.pattern, failure.details.variant)
        # The hint for a variant says that the tasks of the pattern are not to blame.
        names = {key} if key in lab.hints else {key, failure.pattern}
        if named := [task for task in tasks if file.is_named(task, names)]:
            return sorted(named, key=lambda task: file.rank(task, lines))
        if key in lab.hints:
            return []
        if guessed := [task for task in tasks if file.has_all(task, lines)]:
            return guessed
        # Where a call failed tells less, and what is undone before that line may be why.
        stops = frozenset(place.line for place in failure.details.places)
        if left := [task for task in tasks if task in undone or file.has_all(task, stops)]:
            return left
    return []


@dataclass(frozen=True)
class _File:
    """A submission, and the tasks whose code it lacks.

    Those that are not begun also have their comments.
    """

    lab: Lab
    code: Code
    undone: list[Task]
    unbegun: list[Task]

    def is_named(self, task: Task, patterns: AbstractSet[str]) -> bool:
        named = [*task.patterns, *(task.undone if self.lacks(task) else ())]
        return not patterns.isdisjoint(named)

    def lacks(self, task: Task) -> bool:
        """Whether the code of the task is not there, even if the student deleted its comment."""
        return not self.code.has(task.code[0]) if task.code else task in self.undone

    def hides(self, undone: Sequence[Task], tasks: Sequence[Task], pattern: str) -> bool:
        """Whether no task that seems undone has this pattern, but one without code and comment."""
        named = [task for task in tasks if self.is_named(task, {pattern})]
        return any(map(self.lacks, named)) and not any(task in undone for task in named)

    def rank(self, task: Task, lines: AbstractSet[int]) -> tuple[bool, bool, bool]:
        """Sorts the most plausible task to the front."""
        return (
            not self.lacks(task),
            not self.has_all(task, lines),
            not self.has_any(task, lines),
        )

    def has_all(self, task: Task, lines: AbstractSet[int]) -> bool:
        """Whether the code in each of the lines is the task's, or comes after it."""
        return bool(lines) and all(task in self._owners(line) for line in lines)

    def has_any(self, task: Task, lines: AbstractSet[int]) -> bool:
        """The same for one of the lines."""
        return any(task in self._owners(line) for line in lines)

    @property
    def launches(self) -> list[int]:
        """The lines with a launch."""
        return [lines.start for lines in self.code.lines_of(_LAUNCH)]

    def is_at_any(self, task: Task, lines: AbstractSet[int]) -> bool:
        """Whether code of the task is in one of the lines."""
        return any(self._is_at(task, line) for line in lines)

    def knows(self, lines: AbstractSet[int]) -> bool:
        """Whether some task's code is in one of the lines, so that names are as in the handout."""
        return any(self.is_at_any(task, lines) for task in self.lab.tasks)

    def _is_at(self, task: Task, line: int) -> bool:
        return any(line in found for found in self._places(task))

    def _owners(self, line: int) -> list[Task]:
        """The tasks whose code is in a line, or whose code is the last one before it."""
        if here := [task for task in self.lab.tasks if self._is_at(task, line)]:
            return here
        starts = [(found.start, task) for task in self.lab.tasks for found in self._places(task)]
        last = max((start for start, _ in starts if start < line), default=None)
        return [task for start, task in starts if start == last]

    def _places(self, task: Task) -> list[range]:
        return [lines for pattern in task.code for lines in self.code.lines_of(pattern)]


def _file(lab: Lab, text: str) -> _File:
    code, left = code_of(text), todos(text)
    code.look_for([_LAUNCH, *(pattern for task in lab.tasks for pattern in task.code)])

    def is_done(task: Task) -> bool:
        if not task.code:
            return task.number not in left
        # Students delete the comments of finished tasks, one by one or all at once.
        return code.has(task.code[0]) or (bool(left) and task.number not in left)

    undone = [task for task in lab.tasks if not is_done(task)]
    return _File(lab, code, undone, [task for task in undone if task.number in left])
