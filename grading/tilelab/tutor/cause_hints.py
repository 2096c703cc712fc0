"""Hints about a confirmed cause: the idea, the place, and after another try the form.

If an edit in either of several places would do, each hint speaks of all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from tilelab.base.text import of_lines
from tilelab.model.failure import Cause, Causes
from tilelab.tutor.progress import Progress

_STEPS = ("the idea", "the place", "the form")


def after_check(state: Progress, before: Progress, causes: Causes) -> Progress:
    """The progress with what a check found. Hints about the same causes go on where they were."""
    if not causes.found or state.outcome != "failed":
        return state
    given = before.cause_given if _kinds(before.causes) == _kinds(causes.found) else 0
    return replace(state, causes=causes.found, cause_given=given, cause_checked=True)


def hint(state: Progress) -> tuple[list[str], Progress]:
    """The lines of the next hint, and the progress after it."""
    step = min(state.cause_given, len(_STEPS) - 1)
    is_form = step == len(_STEPS) - 1
    if is_form and not state.cause_checked:
        return [
            *_of_each(state.causes, _reminder),
            "The next hint shows the change, once you have tried something and checked again.",
        ], state
    says = [lambda cause: cause.idea, _place, _form][step]
    lines = [
        f"Hint {step + 1} of {len(_STEPS)}, {_STEPS[step]}.",
        "",
        *_of_each(state.causes, says),
    ]
    given = min(step + 1, len(_STEPS) - 1)
    return lines, replace(state, cause_given=given, cause_checked=is_form)


def _kinds(causes: Sequence[Cause]) -> list[str]:
    return [one.kind for one in causes]


def _of_each(causes: Sequence[Cause], says: Callable[[Cause], str]) -> list[str]:
    """What is said of each cause, once where it is the same."""
    different = list(dict.fromkeys(map(says, causes)))
    return "\nOr:\n".join(different).splitlines()


def _reminder(cause: Cause) -> str:
    return f"{_lines(cause)} the place: {cause.asks}"


def _place(cause: Cause) -> str:
    return f"{of_lines(cause.lines).capitalize()}. {cause.asks}"


def _lines(cause: Cause) -> str:
    return f"{of_lines(cause.lines).capitalize()} {'are' if cause.others else 'is'}"


def _form(cause: Cause) -> str:
    return f"One way to write it:\n  {cause.form.replace(chr(10), chr(10) + '  ')}"
