"""Says what to do next, after a check and as a hint."""

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
from tilelab.tutor import progress, quiz, standing
from tilelab.tutor.progress import Progress

# Every unfinished kernel fails like this, so it does not tell which task is left.
_NOTHING_WRITTEN = "never_written"

_TODO = re.compile(r"//\s*TODO (\d+)\b")

_TIERS = ("a nudge", "an explanation", "nearly the code")


def note_check(result: Result, lab: Lab, path: Path) -> str:
    """Saves what a check of `path` found, and returns the last line of its output."""
    if result.verdict == "infra_error":
        return ""
    try:
        text = intake.read(path).text
    except (OSError, Rejected):
        text = ""
    before = progress.load(lab.name)
    state = after_check(result, lab, one_line(str(path)), text, before)
    progress.save(lab.name, standing.after_check(state, before, result, lab, path, todos(text)))
    return next_step(state, lab)


def after_check(result: Result, lab: Lab, file: str, text: str, before: Progress) -> Progress:
    """The progress after a check of `file`, whose text is `text`."""
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
    """The numbers of the TODOs left in a source file, in order of appearance."""
    return [int(match[1]) for match in _TODO.finditer(text)]


def task_of(patterns: Iterable[str], lab: Lab, left: Sequence[int]) -> Task | None:
    """The first task that a pattern points to. `left` are the TODOs left in the file."""
    seen = set(patterns)
    if _NOTHING_WRITTEN in seen and (first := _task(lab, min(left, default=None))):
        return first
    found = next((task for task in lab.tasks if seen & set(task.patterns)), None)
    if found is None or found.number in left:
        return found
    # Several tasks may share a failure, such as two barriers. Take one whose TODO is left.
    shared = seen & set(found.patterns)
    others = (task for task in lab.tasks if task.number in left and shared & set(task.patterns))
    return next(others, found)


def next_step(state: Progress, lab: Lab) -> str:
    """The last line of a check that failed. Empty if it passed."""
    if state.outcome == "unbuilt":
        return "Next: fix the first message above that names a line of yours, and check again."
    if state.outcome != "failed":
        return ""
    if task := _task(lab, state.task):
        return f"Next: TODO {task.number}, {task.title}. Stuck? ./tilelab hint {lab.name}"
    return f"Next: fix the first failure above. Stuck? ./tilelab hint {lab.name}"


def hint(lab: Lab, state: Progress) -> tuple[list[str], Progress]:
    """The lines of the next hint, and the progress after it."""
    if state.outcome == "passed":
        return _what_next(lab, state), state
    if state.outcome == "unbuilt":
        lines = [
            f"{state.file} could not be tested: it must compile and follow the rules first.",
            f"./tilelab check {lab.name} shows which line is the problem.",
        ]
        return lines, state
    if state.outcome == "failed" and _task(lab, state.task) is None:
        return _without_task(lab, state), state
    task = _task(lab, state.task) or _task(lab, 1)
    if task is None:
        return [f"{lab.name} has no hints. Its handout is labs/{lab.name}/README.md."], state
    return _of_task(lab, state, task)


def _of_task(lab: Lab, state: Progress, task: Task) -> tuple[list[str], Progress]:
    given = state.given.get(task.number, 0)
    tier = min(given, 2)
    lines = [f"TODO {task.number}, {task.title}: hint {tier + 1} of 3, {_TIERS[tier]}."]
    if state.outcome == "unchecked":
        lines.append(
            f"(You have not run a check yet: ./tilelab check {lab.name} shows where you are.)"
        )
    elif _NOTHING_WRITTEN in state.patterns:
        lines.append("(Delete the comment of each finished TODO. Hints go by the ones left.)")
    lines += ["", f"  {task.hints[tier]}"]
    if tier == 2:
        lines += ["", f"This is the last hint of TODO {task.number}. {_more(lab)}"]
    counted = state.given | {task.number: min(given + 1, 3)}
    return lines, dataclasses.replace(state, given=counted)


def _without_task(lab: Lab, state: Progress) -> list[str]:
    hints = [lab.hints[pattern] for pattern in state.patterns if pattern in lab.hints]
    if not hints:
        return [
            f"The failures of {state.file} do not point to one TODO. Start with the first message",
            f"of ./tilelab check {lab.name}. {_more(lab)}",
        ]
    return [f"The last check of {state.file} points to this:", "", f"  {hints[0]}", "", _more(lab)]


def _more(lab: Lab) -> str:
    handout = f"The handout labs/{lab.name}/README.md explains the idea"
    if (lab.solutions / "ladder").is_dir():
        return f"{handout}, and solutions/{lab.name}/ladder shows it step by step."
    return f"{handout}, and solutions/{lab.name}/{lab.name}.cu is a solution."


def _what_next(lab: Lab, state: Progress) -> list[str]:
    waiting = f" ({', '.join(state.waiting)} did not run here)" if state.waiting else ""
    lines = [f"{state.file} passes everything that was tested{waiting}. What to do next:"]
    if lab.tasks:
        lines.append(
            f"- get faster: labs/{lab.name}/README.md continues after task {len(lab.tasks)}, and "
            f"./tilelab profile {lab.name} shows what your kernels do with memory"
        )
    if quiz.path_of(lab).is_file():
        lines.append(f"- test what you understood: ./tilelab quiz {lab.name}")
    if following := _following(lab):
        lines.append(
            f"- start the next lab, {following.title}: read labs/{following.name}/README.md, "
            f"then run ./tilelab check {following.name}"
        )
    return lines


def _following(lab: Lab) -> Lab | None:
    """The next lab of the course that has not been passed."""
    labs = course(lab.repo)
    place = [one.name for one in labs].index(lab.name)
    others = labs[place + 1 :] + labs[:place]
    return next((one for one in others if progress.load(one.name).outcome != "passed"), None)


def _task(lab: Lab, number: int | None) -> Task | None:
    return next((task for task in lab.tasks if task.number == number), None)
