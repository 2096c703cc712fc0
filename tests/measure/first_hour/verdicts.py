"""Collects a screen of each verdict of `check`.

    ./tilelab measure first_hour/verdicts

Needs no GPU. Checks the files of verdicts.toml in a clone of what was committed, in a terminal of
80 x 24, and writes docs/verdicts.md. Takes about seven minutes, most of them for the first build.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import terminal
from clone import REPO, clone, file_of
from edits import edited
from machine import machine
from tables import filled, parser
from terminal import Screen, Terminal
from tilelab.base.files import write_atomically

HERE = Path(__file__).resolve().parent

PAGE = REPO / "docs" / "verdicts.md"
TABLE = HERE / "verdicts.toml"

HEAD = """\
# Every verdict

What `check` says without a GPU, on a terminal of 80 x 24: the score, the first
failure to fix with its line, and the next step. The
[student guide](student.md#reading-the-result) explains how to read it.
"""

FOOT = """\
## How this page was made

    ./tilelab measure first_hour/verdicts

checked a file for each verdict in a fresh clone, with a terminal of 80 x 24. It
stops if a screen is longer, or a line wider.

{measured}
"""


@dataclass(frozen=True)
class Row:
    """A verdict: the file that gets it, and what the screen shows.

    `change` is made in the file, and `before` is a command that runs before the check.
    """

    title: str
    lab: str
    file: str
    says: str
    change: list[str] = field(default_factory=list)
    before: str = ""


def rows() -> list[Row]:
    return [Row(**one) for one in tomllib.loads(TABLE.read_text(encoding="utf-8"))["verdicts"]]


def text_of(row: Row, root: Path) -> str:
    """The file that gets the verdict."""
    return edited((root / row.file).read_text(encoding="utf-8"), row.change)


def screens(all_rows: list[Row], root: Path) -> Iterator[tuple[Row, Screen]]:
    """Checks the rows in a clone. Raises ValueError if a screen cannot be read at a glance."""
    texts = [text_of(row, root) for row in all_rows]
    with Terminal(root) as shell:
        for row, text in zip(all_rows, texts, strict=True):
            file_of(root, row.lab).write_text(text, encoding="utf-8")
            if row.before:
                shell.run(row.before)
            screen = shell.run(f"./tilelab check {row.lab} --seed 7")
            if screen.problem:
                raise ValueError(f"{row.title}: {screen.problem}\n{screen.text}")
            yield row, screen


def page(found: list[tuple[Row, Screen]]) -> str:
    parts = [HEAD]
    for row, screen in found:
        parts += [f"## {row.title}\n", f"{filled(row.says)}\n", f"```text\n{screen.text}\n```\n"]
    return "\n".join([*parts, FOOT.format(measured=filled(f"The machine was {machine()}."))])


def main() -> None:
    parser(__doc__).parse_args()
    terminal.require()
    found = []
    with clone() as root:
        for row, screen in screens(rows(), root):
            print(f"{row.title}: {screen.seconds:.1f} s", flush=True)
            found.append((row, screen))
    write_atomically(PAGE, page(found))
    print(f"Wrote {PAGE.relative_to(REPO)}")


if __name__ == "__main__":
    main()
