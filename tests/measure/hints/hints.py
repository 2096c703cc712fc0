"""Counts which mistakes get the hint of the right task.

    ./tilelab measure hints

Judges all mistakes as `tilelab check` does, without speed, which takes about half an hour. What is
right says rows.py. Writes docs/results/hints.csv, and the page of it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

import tables
from rows import Row, rows
from tables import Table
from tilelab.base.errors import InfraError
from tilelab.pipeline import submission
from tilelab.pipeline.harness import toolchain
from tilelab.pipeline.harness.session import Session
from tilelab.score.failures import failures
from tilelab.screens.layout import cut
from tilelab.tutor import advice
from tilelab.tutor.code import code_of
from tilelab.tutor.progress import Progress

_SEED = 20
_LENGTH = 120

HEAD = """\
# Which hint a mistake gets

Each row is a typical mistake in a file that is right otherwise. *First failure* is what `check`
names first, with the line if it knows one. *Hint* is the task whose hint `hint` gives then, and
*expected* the task, or two, in whose lines the mistake lies: `tests/measure/hints/rows.py` has the
rule, which was written down before anything was counted. A hint that is not expected is **bold**.
`./tilelab measure hints` counts; [hints.csv](hints.csv) has the rows.

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


def hinted(row: Row, session: Session) -> Hinted:
    """Checks a mistake. Raises InfraError if it is none, or if a hint shows what it already has."""
    untimed = tuple(one for one in row.lab.criteria if one.curve is None)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{row.lab.name}.cu"
        path.write_text(row.text, encoding="utf-8")
        result = submission.grade(path, replace(row.lab, criteria=untimed), session)
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


def cells(one: Hinted) -> dict[str, str]:
    return {
        "lab": one.row.lab.name,
        "mistake": one.row.name,
        "first_failure": cut(one.message, _LENGTH),
        "line": str(one.line or ""),
        "hint": str(one.task or "none"),
        "expected": " or ".join(map(str, one.row.tasks)),
    }


def page(table: Table) -> str:
    right = sum(map(_is_right, table.rows))
    parts = [HEAD, f"{right} of {len(table.rows)} hints are as expected.\n"]
    for name, of_lab in table.by("lab").items():
        parts.append(f"## {name}: {sum(map(_is_right, of_lab))} of {len(of_lab)}\n")
        parts.append("| mistake | first failure | line | hint | expected |")
        parts.append("| --- | --- | ---: | ---: | ---: |")
        parts += [_line(row) for row in of_lab]
        parts.append("")
    return "\n".join(parts)


def _is_right(row: Mapping[str, str]) -> bool:
    return row["hint"] in row["expected"].split(" or ")


def _line(row: Mapping[str, str]) -> str:
    message = row["first_failure"].replace("|", "\\|").replace("`", "").replace("<", "&lt;")
    hint = row["hint"] if _is_right(row) else f"**{row['hint']}**"
    return tables.line(row["mistake"], message, row["line"], hint, row["expected"])


def main() -> None:
    tables.parser(__doc__, page).parse_args()
    session = Session([toolchain.prepare("emulator")], seed=_SEED)
    found = []
    for row in rows():
        found.append(cells(hinted(row, session)))
        print(_line(found[-1]), flush=True)
    tables.publish(tables.RESULTS / "hints.csv", Table({}, found), page)


if __name__ == "__main__":
    main()
