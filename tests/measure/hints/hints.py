#!/usr/bin/env python3
"""Counts how many typical mistakes get the hint of the right task.

    python3 tests/measure/hints/hints.py

Judges all mistakes as `tilelab check` does, without speed, which takes about half an hour. What is
right says rows.py. Writes docs/results/hints.md.
"""

from __future__ import annotations

import dataclasses
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPO = HERE.parents[2]
sys.path.insert(0, str(REPO / "grading"))

from rows import Row, rows  # noqa: E402
from tilelab.base.errors import InfraError  # noqa: E402
from tilelab.base.files import write_atomically  # noqa: E402
from tilelab.pipeline import submission, toolchain  # noqa: E402
from tilelab.pipeline.session import Session  # noqa: E402
from tilelab.score.failures import failures  # noqa: E402
from tilelab.screens.layout import cut  # noqa: E402
from tilelab.tutor import advice  # noqa: E402
from tilelab.tutor.code import code_of  # noqa: E402
from tilelab.tutor.progress import Progress  # noqa: E402

_SEED = 20
_LENGTH = 120

HEAD = """\
# Which hint a mistake gets

Each row is a typical mistake in a file that is right otherwise. *First failure* is what `check`
names first, with the line if it knows one. *Hint* is the task whose hint `hint` gives then, and
*expected* the task, or two, in whose lines the mistake lies: `tests/measure/hints/rows.py` has the
rule, which was written down before anything was counted. A hint that is not expected is **bold**.

Hints once went by the first task with any matching pattern (the tree of commit dd64304). Then 21 of
36 were right in `diff`, 32 of 47 in `nearest_neighbor`, 29 of 53 in `nbody`, 23 of 55 in
`derivatives`. Today's patterns were chosen with these rows in view, so other mistakes may fare
worse.
"""


@dataclass(frozen=True)
class Hinted:
    """What a student gets for a mistake: the first failure, its line, and the task of the hint."""

    row: Row
    message: str
    line: int | None
    task: int | None

    @property
    def is_right(self) -> bool:
        return self.task in self.row.tasks


def hinted(row: Row, session: Session) -> Hinted:
    """Checks a mistake. Raises InfraError if it is none, or if a hint shows what it already has."""
    untimed = tuple(one for one in row.lab.criteria if one.curve is None)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{row.lab.name}.cu"
        path.write_text(row.text, encoding="utf-8")
        result = submission.grade(path, dataclasses.replace(row.lab, criteria=untimed), session)
    found = failures(result)
    if result.verdict != "graded" or not found:
        raise InfraError(f"{row.lab.name}/{row.name} is {result.verdict}, and no test fails.")
    state = advice.after_check(result, row.lab, "mine.cu", row.text, Progress())
    _assert_new(row, state)
    return Hinted(row, found[0].message, found[0].line, state.task)


def _assert_new(row: Row, state: Progress) -> None:
    code = code_of(row.text)
    for _ in range(4):
        lines, state = advice.hint(row.lab, state, row.text)
        if shown := [line for line in lines if code.shows(line)]:
            raise InfraError(f"{row.lab.name}/{row.name} already has the code of: {shown[0]}")


def page(all_hinted: Sequence[Hinted]) -> str:
    right = sum(one.is_right for one in all_hinted)
    parts = [HEAD, f"{right} of {len(all_hinted)} hints are as expected.\n"]
    for name in dict.fromkeys(one.row.lab.name for one in all_hinted):
        of_lab = [one for one in all_hinted if one.row.lab.name == name]
        right = sum(one.is_right for one in of_lab)
        parts.append(f"## {name}: {right} of {len(of_lab)}\n")
        parts.append("| mistake | first failure | line | hint | expected |")
        parts.append("| --- | --- | ---: | ---: | ---: |")
        parts += [_line(one) for one in of_lab]
        parts.append("")
    return "\n".join(parts)


def _line(one: Hinted) -> str:
    message = cut(one.message, _LENGTH).replace("|", "\\|").replace("`", "")
    hint = str(one.task or "none")
    wanted = " or ".join(map(str, one.row.tasks))
    return (
        f"| {one.row.name} | {message} | {one.line or ''} "
        f"| {hint if one.is_right else f'**{hint}**'} | {wanted} |"
    )


def main() -> None:
    session = Session([toolchain.prepare("emulator")], seed=_SEED)
    found = []
    for row in rows():
        found.append(hinted(row, session))
        print(_line(found[-1]), flush=True)
    path = REPO / "docs" / "results" / "hints.md"
    write_atomically(path, page(found))
    print(f"Wrote {path.relative_to(REPO)}")


if __name__ == "__main__":
    main()
