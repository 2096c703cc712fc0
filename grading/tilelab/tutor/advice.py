"""Says what to do next, after a check and as a hint."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from tilelab.base.errors import Rejected
from tilelab.base.files import from_here
from tilelab.base.text import one_line
from tilelab.labs.lab import course
from tilelab.model.case import located
from tilelab.model.failure import Causes, Failure
from tilelab.model.lab import HandoutTask, Lab, SpeedTask, Task, hint_key
from tilelab.model.profile import Call
from tilelab.model.result import Result
from tilelab.pipeline import intake
from tilelab.score.failures import NEVER_WRITTEN, failures
from tilelab.tutor import aim, cause_hints, counts, fitting, progress, quiz, speed, standing
from tilelab.tutor.code import Code, code_of
from tilelab.tutor.progress import Progress

_NONE = Causes()

_TIERS = ("a nudge", "an explanation", "nearly the code")

# Below this share of a multiprocessor's threads, latency is hard to hide.
_LOW_OCCUPANCY = 0.5


def note_check(result: Result, lab: Lab, path: Path, causes: Causes = _NONE) -> str:
    """Saves what a check of `path` found, and returns the last line of its output."""
    if result.verdict == "infra_error":
        return "Next: check again. If that does not help, run ./tilelab doctor."
    file, text, before = one_line(str(path)), text_of(path), progress.load(lab.name)
    state = after_check(result, lab, file, text, before, causes)
    state = cause_hints.after_check(state, before, causes)
    left = aim.todos(text)
    progress.save(lab.name, standing.after_check(state, before, result, lab, path, left))
    if state.outcome == "unbuilt" and not any(map(located, result.messages)):
        return "Next: fix what the first message above says, and check again."
    return next_step(state, lab)


def note_causes(lab: Lab, before: Progress, causes: Causes) -> None:
    """Saves what was found after a check was noted. `before` is the progress before the check."""
    state = progress.load(lab.name)
    progress.save(lab.name, cause_hints.after_check(state, before, causes))


def text_of(path: Path) -> str:
    """The text of a submission, empty if it cannot be read."""
    try:
        return intake.read(path).text
    except (OSError, Rejected):
        return ""


def after_check(
    result: Result, lab: Lab, file: str, text: str, before: Progress, causes: Causes = _NONE
) -> Progress:
    """The progress after a check of `file`, whose text is `text`."""
    given = before.given
    if result.verdict != "graded":
        return Progress("unbuilt", file, given=given)
    waiting = tuple(one.name for one in result.criteria if one.status == "not_run")
    short = [one for one in result.criteria if one.falls_short]
    timed = {one.name for one in lab.criteria if one.curve is not None}
    of_speed = {task.number for task in lab.speed}
    given_of_speed = {number: count for number, count in given.items() if number in of_speed}
    if not short:
        return Progress("passed", file, waiting=waiting, given=given_of_speed)
    patterns = tuple(dict.fromkeys(id for one in short for id in one.patterns))
    if all(one.name in timed and one.status != "review" for one in short):
        return Progress("slow", file, None, patterns, waiting, given_of_speed)
    found = failures(result)
    tasks = aim.tasks_for(result, lab, text)
    numbers = [task.number for task in tasks]
    # What the first failure points to comes first.
    keys = [hint_key(one.pattern, one.details.variant) for one in found if one.pattern]
    if keys:
        patterns = tuple(dict.fromkeys([keys[0], *patterns] if numbers else keys))
    patterns = _without_misfits(patterns, found, lab, text)
    next_one = aim.next_task(result, lab, text, causes, tasks)
    first = next_one.number if next_one is not None else None
    others = tuple(number for number in numbers if number != first)
    return Progress("failed", file, first, patterns, waiting, given, others=others)


def _without_misfits(
    patterns: Sequence[str], found: Sequence[Failure], lab: Lab, text: str
) -> tuple[str, ...]:
    """The patterns without those whose hints are about something else than what failed."""
    keys = {hint_key(one.pattern, one.details.variant): one for one in found}
    with_hint = {key: one for key, one in keys.items() if key in lab.hints}
    misfits = {key for key, one in with_hint.items() if not fitting.hint(one, lab, text)}
    return tuple(one for one in patterns if one not in misfits)


def next_step(state: Progress, lab: Lab) -> str:
    """The last line of a check. Empty if everything passed."""
    if state.outcome == "unbuilt":
        return "Next: fix the first message above that names a line of yours, and check again."
    if state.outcome == "slow":
        return f"Next: make it faster. What could help: ./tilelab hint {lab.name}"
    if state.outcome != "failed":
        return ""
    if task := _task(lab, state.task):
        return f"Next: TODO {task.number}, {task.title}. Stuck? ./tilelab hint {lab.name}"
    return f"Next: fix the first failure above. Stuck? ./tilelab hint {lab.name}"


def hint(
    lab: Lab, state: Progress, text: str = "", calls: Sequence[Call] = ()
) -> tuple[list[str], Progress]:
    """The lines of the next hint, and the progress after it.

    `text` is the submission as it is now: no hint shows code that it already has. `calls` are those
    of its profile, which hints about speed go by.
    """
    if wants_speed(lab, state):
        return _about_speed(lab, state, code_of(text), calls)
    if state.outcome == "passed":
        return [_verdict(state), *_what_next(lab)], state
    if state.outcome == "unbuilt":
        lines = [
            f"{_name(state)} could not be tested: it must compile and follow the rules first.",
            f"./tilelab check {lab.name} shows which line is the problem.",
        ]
        return lines, state
    if state.outcome == "failed" and state.causes:
        return cause_hints.hint(state)
    if not lab.tasks:
        return [f"{lab.name} has no hints. Its handout is labs/{lab.name}/README.md."], state
    code = code_of(text)
    numbers = (1,) if state.outcome == "unchecked" else (state.task, *state.others)
    tasks = [task for number in numbers if (task := _task(lab, number))]
    for task in tasks:
        if (tier := _tier(task, state.given.get(task.number, 0), code)) is not None:
            return _of_task(lab, state, task, tier, text)
    return _without_task(lab, state, text), state


def wants_speed(lab: Lab, state: Progress) -> bool:
    """Whether the submission is right, and its speed is not known or could be better."""
    timed = {one.name for one in lab.criteria if one.curve is not None}
    return state.outcome == "slow" or (
        state.outcome == "passed" and not timed.isdisjoint(state.waiting)
    )


def _tier(task: HandoutTask, given: int, code: Code) -> int | None:
    """The next tier with something new. If all have been given, the last one comes again."""
    tiers = range(min(given, 2), 3)
    return next((tier for tier in tiers if code.news_of(task.hints[tier])), None)


def _spelled_out(hint: str, code: Code) -> list[str]:
    """The lines of a hint as they are printed. A line that is all code needs no quotes."""
    lines = [re.sub(r"^`([^`]*)`$", r"  \1", line) for line in code.news_of(hint)]
    return [f"  {line}" for line in lines]


def _of_task(
    lab: Lab, state: Progress, task: Task, tier: int, text: str
) -> tuple[list[str], Progress]:
    lines = [f"TODO {task.number}, {task.title}: hint {tier + 1} of 3, {_TIERS[tier]}."]
    if state.outcome == "unchecked":
        lines.append(
            f"(You have not run a check yet: ./tilelab check {lab.name} shows where you are.)"
        )
    elif NEVER_WRITTEN in state.patterns and aim.is_undone(task, lab, text):
        lines.append("(Your file does not seem to do this task yet.)")
    lines += ["", *_spelled_out(_says(lab, state, task, tier, text), code_of(text))]
    if tier == 2:
        lines += ["", f"This is the last hint of TODO {task.number}. {_more(lab)}"]
    return lines, _counted(state, task.number, tier)


def _says(lab: Lab, state: Progress, task: Task, tier: int, text: str) -> str:
    """The hint of a tier. A nudge about code that is there goes by how it fails."""
    first = next(iter(state.patterns), "")
    says = fitting.in_text(lab.hints.get(first, ""), text)
    is_of_task = tier == 0 and first in task.patterns and not aim.is_undone(task, lab, text)
    return says if says and is_of_task and not code_of(text).shows(says) else task.hints[tier]


def _counted(state: Progress, number: int, tier: int) -> Progress:
    return replace(state, given=state.given | {number: tier + 1})


def _without_task(lab: Lab, state: Progress, text: str) -> list[str]:
    code = code_of(text)
    hints = [fitting.in_text(lab.hints[one], text) for one in state.patterns if one in lab.hints]
    hints = [one for one in hints if one and not code.shows(one)]
    if not hints:
        return [
            f"The failures of {_name(state)} do not point to one TODO.",
            f"Start with the first message of ./tilelab check {lab.name}. {_more(lab)}",
        ]
    return [
        f"The last check of {_name(state)} points to this:",
        "",
        f"  {hints[0]}",
        "",
        _more(lab),
    ]


def _about_speed(
    lab: Lab, state: Progress, code: Code, calls: Sequence[Call]
) -> tuple[list[str], Progress]:
    task = speed.next_task(lab, code, calls)
    tier = _tier(task, state.given.get(task.number, 0), code) if task else None
    if task is None or tier is None:
        return [_verdict(state), *_what_next(lab)], state
    lines = [_verdict(state), *_counts(task, calls), ""]
    lines += [f"Task {task.number}, {task.title}: hint {tier + 1} of 3, {_TIERS[tier]}."]
    lines += ["", *_spelled_out(task.hints[tier], code), ""]
    return [*lines, *_what_next(lab)], _counted(state, task.number, tier)


def _counts(task: SpeedTask, calls: Sequence[Call]) -> list[str]:
    """What was counted and speaks for the task."""
    if not calls:
        return []
    occupancy = counts.METRICS["occupancy"]
    metric = counts.find(task.metric, calls)
    said = [metric.says(calls)] if metric else []
    if occupancy.value(calls) < _LOW_OCCUPANCY:
        said.append(occupancy.says(calls))
    return list(dict.fromkeys(said))


def _verdict(state: Progress) -> str:
    if state.outcome == "slow":
        return f"{_name(state)} is right. What is left to win is speed."
    waiting = f" ({', '.join(state.waiting)} did not run here)" if state.waiting else ""
    return f"{_name(state)} passes everything that was tested{waiting}."


def _name(state: Progress) -> str:
    return str(from_here(Path(state.file)))


def _more(lab: Lab) -> str:
    handout = f"The handout labs/{lab.name}/README.md explains the idea"
    if not lab.reference.is_file():
        return f"{handout}."
    if (lab.solutions / "ladder").is_dir():
        return f"{handout}, and solutions/{lab.name}/ladder shows it step by step."
    return f"{handout}, and solutions/{lab.name}/{lab.name}.cu is a solution."


def _what_next(lab: Lab) -> list[str]:
    lines = ["What to do next:"]
    if lab.is_timed and lab.tasks:
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
    """The next lab of the course whose kernels are not right yet."""
    labs = course(lab.repo)
    place = [one.name for one in labs].index(lab.name)
    others = labs[place + 1 :] + labs[:place]
    return next((one for one in others if not progress.load(one.name).is_right), None)


def _task(lab: Lab, number: int | None) -> Task | None:
    return next((task for task in lab.tasks if task.number == number), None)
