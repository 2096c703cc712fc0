"""What to do next: after a check, and as a hint."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from tilelab.base.errors import Rejected
from tilelab.base.text import one_line
from tilelab.pipeline import intake
from tilelab.score.lab import Lab, Task, course
from tilelab.score.records import Result
from tilelab.tutor import progress, quiz
from tilelab.tutor.progress import Progress

# The failure of every kernel that is not finished: it says nothing about which task is left.
_NOTHING_WRITTEN = "never_written"

_TODO = re.compile(r"//\s*TODO (\d+)\b")

_TIERS = ("a nudge", "an explanation", "nearly the code")


def note_check(result: Result, lab: Lab, path: Path) -> str:
    """Keeps what a check of `path` found, and returns the line that ends the check."""
    if result.verdict == "infra_error":
        return ""
    try:
        text = intake.read(path).text
    except (OSError, Rejected):
        text = ""
    state = after_check(result, lab, one_line(str(path)), text, progress.load(lab.name))
    progress.save(lab.name, state)
    return next_step(state, lab)


def after_check(result: Result, lab: Lab, file: str, text: str, before: Progress) -> Progress:
    """What a check of `file`, whose text is `text`, leaves for the next hint."""
    given = before.given
    if result.verdict != "graded":
        return Progress("unbuilt", file, given=given)
    waiting = tuple(one.name for one in result.criteria if one.status == "not_run")
    if not any(one.falls_short for one in result.criteria):
        return Progress("passed", file, waiting=waiting)
    patterns = tuple(dict.fromkeys(id for one in result.criteria for id in one.patterns))
    task = task_of(patterns, lab, todos(text))
    number = task.number if task else None
    return Progress("failed", file, number, patterns, waiting, given)


def todos(text: str) -> list[int]:
    """The numbers of the TODOs that still stand in a source file, in its order."""
    return [int(match[1]) for match in _TODO.finditer(text)]


def task_of(patterns: Iterable[str], lab: Lab, left: Sequence[int]) -> Task | None:
    """The first task that one of the patterns points to; `left` are the TODOs still in the file."""
    seen = set(patterns)
    if _NOTHING_WRITTEN in seen and (first := _task(lab, min(left, default=None))):
        return first
    found = next((task for task in lab.tasks if seen & set(task.patterns)), None)
    if found is None or found.number in left:
        return found
    # Two barriers, for example: of tasks with the same failure, the one that is left.
    shared = seen & set(found.patterns)
    others = (task for task in lab.tasks if task.number in left and shared & set(task.patterns))
    return next(others, found)


def next_step(state: Progress, lab: Lab) -> str:
    """The line that ends a failing check; empty after one that passed."""
    if state.outcome == "unbuilt":
        return "Next: repair the first line above that names one of yours, and check again."
    if state.outcome != "failed":
        return ""
    if task := _task(lab, state.task):
        return f"Next: TODO {task.number}, {task.title}. For a hint: ./tilelab hint {lab.name}"
    return f"Next: the first failure above. For a hint: ./tilelab hint {lab.name}"


def hint(lab: Lab, state: Progress) -> tuple[list[str], Progress]:
    """The next hint's lines, and the state after it was given."""
    if state.outcome == "passed":
        return _what_next(lab, state), state
    if state.outcome == "unbuilt":
        lines = [
            f"{state.file} could not be tested: first it has to compile and keep the rules.",
            f"./tilelab check {lab.name} says which line stops it.",
        ]
        return lines, state
    if state.outcome == "failed" and _task(lab, state.task) is None:
        return _without_task(lab, state), state
    task = _task(lab, state.task) or _task(lab, 1)
    if task is None:
        return [f"{lab.name} has no hints: its handout is labs/{lab.name}/README.md."], state
    return _of_task(lab, state, task)


def _of_task(lab: Lab, state: Progress, task: Task) -> tuple[list[str], Progress]:
    given = state.given.get(task.number, 0)
    tier = min(given, 2)
    lines = [f"TODO {task.number}, {task.title}: hint {tier + 1} of 3, {_TIERS[tier]}."]
    if state.outcome == "unchecked":
        lines.append(f"(Nothing was checked yet: ./tilelab check {lab.name} tells where you are.)")
    elif _NOTHING_WRITTEN in state.patterns:
        lines.append("(Delete the comment of each TODO that is done: the hints go by those left.)")
    lines += ["", f"  {task.hints[tier]}"]
    if tier == 2:
        lines += ["", f"This is the last hint of TODO {task.number}. {_more(lab)}"]
    counted = state.given | {task.number: min(given + 1, 3)}
    return lines, dataclasses.replace(state, given=counted)


def _without_task(lab: Lab, state: Progress) -> list[str]:
    hints = [lab.hints[pattern] for pattern in state.patterns if pattern in lab.hints]
    if not hints:
        return [
            f"What failed in {state.file} belongs to no TODO of its own: begin with the first",
            f"message of ./tilelab check {lab.name}. {_more(lab)}",
        ]
    return [f"The last check of {state.file} points to this:", "", f"  {hints[0]}", "", _more(lab)]


def _more(lab: Lab) -> str:
    handout = f"The handout labs/{lab.name}/README.md explains the idea"
    if (lab.solutions / "ladder").is_dir():
        return f"{handout}, solutions/{lab.name}/ladder shows it step by step."
    return f"{handout}, solutions/{lab.name}/{lab.name}.cu shows it done."


def _what_next(lab: Lab, state: Progress) -> list[str]:
    waiting = f" ({', '.join(state.waiting)} did not run here)" if state.waiting else ""
    lines = [f"{state.file} passes everything that was tested{waiting}. What next:"]
    if lab.tasks:
        lines.append(
            f"- faster: labs/{lab.name}/README.md goes on after task {len(lab.tasks)}; "
            f"./tilelab profile {lab.name} shows what the kernels do with memory"
        )
    if quiz.path_of(lab).is_file():
        lines.append(f"- understand: ./tilelab quiz {lab.name}")
    if following := _following(lab):
        lines.append(
            f"- the next lab, {following.title}: labs/{following.name}/README.md, "
            f"then ./tilelab check {following.name}"
        )
    return lines


def _following(lab: Lab) -> Lab | None:
    """The next lab of the course that was not passed yet."""
    labs = course(lab.repo)
    place = [one.name for one in labs].index(lab.name)
    others = labs[place + 1 :] + labs[:place]
    return next((one for one in others if progress.load(one.name).outcome != "passed"), None)


def _task(lab: Lab, number: int | None) -> Task | None:
    return next((task for task in lab.tasks if task.number == number), None)
