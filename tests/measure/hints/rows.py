"""The mistakes that hints.py measures: a row each.

A row is a file of solutions/LAB/mistakes whose head names the task, or an edit of a solution, as
LAB.toml lists them: pairs of what is replaced and what replaces it.

The rule for a right hint, written down before anything was counted:

- A hint is right if it is of a task that the row names. No hint at all, the hint of another task,
  and a sentence that belongs to no task are wrong.
- A row names the task in whose lines the mistake lies, so that they have to change. Lines belong to
  the task of the TODO in the skeleton that asks for them.
- If the lines of either of two tasks can mend the mistake, or it lies in the lines of both, the row
  names both. It never names more.
- If the mistake lies in lines that the skeleton gives, such as the declaration of the tile, the row
  names the task that comes to use them first.
- A file that passes all tests is no mistake.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from edits import edited
from tilelab.base.heads import head_line
from tilelab.base.repository import REPO
from tilelab.labs.lab import course
from tilelab.model.lab import Lab
from tilelab.verify import mistakes

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Row:
    """A mistake: the text of the file, and the tasks of which one has to give the hint."""

    lab: Lab
    name: str
    text: str
    tasks: tuple[int, ...]


def rows() -> list[Row]:
    """All rows, by lab and name."""
    return [row for lab in course() for row in sorted(_of(lab), key=lambda row: row.name)]


def _of(lab: Lab) -> list[Row]:
    files = [_file(lab, path) for path in mistakes.paths(lab) if head_line(path, "Task")]
    table = HERE / f"{lab.name}.toml"
    return files + (_edits(lab, table) if table.exists() else [])


def _file(lab: Lab, path: Path) -> Row:
    return Row(lab, path.stem, path.read_text(encoding="utf-8"), mistakes.read(path).tasks)


def _edits(lab: Lab, table: Path) -> list[Row]:
    data = tomllib.loads(table.read_text(encoding="utf-8"))
    solution = (REPO / data["solution"]).read_text(encoding="utf-8")
    return [
        Row(lab, one["name"], edited(solution, one["change"]), tuple(one["tasks"]))
        for one in data["edits"]
    ]
