"""Hints about a confirmed cause: the idea, the place, and after another try the form."""

from __future__ import annotations

from msgspec.structs import replace

from tilelab.model.failure import Cause, Causes
from tilelab.tutor.progress import Progress

_STEPS = ("the idea", "the place", "the form")


def after_check(state: Progress, before: Progress, causes: Causes) -> Progress:
    """The progress with what a check found. Hints about the same cause go on where they were."""
    if len(causes.found) != 1 or state.outcome != "failed":
        return state
    (found,) = causes.found
    is_known = before.cause is not None and before.cause.kind == found.kind
    given = before.cause_given if is_known else 0
    return replace(state, cause=found, cause_given=given, cause_checked=True)


def hint(state: Progress, cause: Cause) -> tuple[list[str], Progress]:
    """The lines of the next hint, and the progress after it."""
    step = min(state.cause_given, len(_STEPS) - 1)
    is_form = step == len(_STEPS) - 1
    if is_form and not state.cause_checked:
        return [
            f"Line {cause.line} is the place: {cause.asks}",
            "The next hint shows the change, once you have tried something and checked again.",
        ], state
    says = [cause.idea, f"Line {cause.line}. {cause.asks}", _form(cause)][step]
    lines = [f"Hint {step + 1} of {len(_STEPS)}, {_STEPS[step]}.", "", *says.splitlines()]
    given = min(step + 1, len(_STEPS) - 1)
    return lines, replace(state, cause_given=given, cause_checked=is_form)


def _form(cause: Cause) -> str:
    return f"One way to write it:\n  {cause.form.replace(chr(10), chr(10) + '  ')}"
