"""Says how far a check is, while somebody waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape

from tilelab.model.failure import Failure
from tilelab.model.lab import Lab
from tilelab.model.result import CriterionResult, Result
from tilelab.pipeline.judge import events
from tilelab.pipeline.judge.events import Step, Tell
from tilelab.score.failures import failures
from tilelab.screens.failure import headline
from tilelab.screens.layout import cut


class SoFar:
    """What a check has found so far."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        self._steps: dict[str, Step] = {}

    def add(self, step: Step) -> None:
        # A new one instead of a change, because a screen may be reading the old one.
        self._steps = {**self._steps, step.criterion: step}

    @property
    def line(self) -> str:
        """Which tests have run, on one line."""
        found = self._steps
        if not found:
            return "Building..."
        untimed = [one.name for one in self._lab.criteria if one.curve is None]
        if all(name in found and _has_ended(found[name]) for name in untimed):
            # A GPU times the kernels now, or nvcc still reads the file.
            return "Every test has run. Waiting for the rest..."
        ordered = [found[one.name] for one in self._lab.criteria if one.name in found]
        return "Testing: " + " · ".join(map(_how_far, ordered))

    @property
    def first_failure(self) -> Failure | None:
        """What to fix first, as far as that is known."""
        rows = [
            CriterionResult(
                name, "fail", 0.0, 0.0, cases=tuple(one for one in step.cases if not one.untested)
            )
            for name, step in self._steps.items()
        ]
        known = Result("", self._lab.name, "graded", None, 0.0, criteria=rows)
        return next(iter(failures(known)), None)


def _has_ended(step: Step) -> bool:
    return 0 < step.tests <= len(step.cases)


def _how_far(step: Step) -> str:
    failed = sum(not (case.passed or case.untested) for case in step.cases)
    text = f"{step.criterion} {len(step.cases)} of {step.tests or '?'}"
    return f"{text}, {failed} failed" if failed else text


@contextmanager
def waiting(console: Console, lab: Lab) -> Iterator[Tell]:
    """Shows how far a check is, and the first failure, while the body runs it.

    Only a terminal shows it, and forgets it at the end.
    """
    if not console.is_terminal or console.is_dumb_terminal:
        yield events.nobody
        return
    so_far = SoFar(lab)
    with console.status(so_far.line) as status:

        def tell(step: Step) -> None:
            so_far.add(step)
            lines = [so_far.line]
            if failure := so_far.first_failure:
                lines.append(f"[red]{escape(cut(headline(failure), console.width - 3))}[/]")
            status.update("\n  ".join(lines))

        yield tell
