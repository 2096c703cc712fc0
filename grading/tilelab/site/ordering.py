"""Writes the page of a Parsons problem: a kernel's lines out of order, and the answer folded."""

from __future__ import annotations

from collections.abc import Sequence

from tilelab.labs.parsons import Problem
from tilelab.model.lab import Lab


def text_of(lab: Lab, problem: Problem) -> str:
    above, below = problem.frame
    shown = problem.shown
    return "\n".join(
        [
            f"# {lab.title}: order the lines",
            "",
            f"{problem.task} You need {len(problem.lines)} of these {len(shown)} lines.",
            "",
            *_code(above),
            *(f"{number}. `{code}`" for number, code in enumerate(shown, 1)),
            "",
            *_code(below),
            f"`./tilelab parsons {lab.name}` says which line is out of place, and why.",
            "",
            "<details><summary>Answer</summary>",
            "",
            *_code([problem.indented(problem.lines)]),
            *(f"- `{one.code}`: {one.why}" for one in problem.distractors),
            "",
            "</details>",
            "",
        ]
    )


def _code(lines: Sequence[str]) -> list[str]:
    return ["~~~ { .cuda data-search-exclude=true }", *lines, "~~~", ""]
