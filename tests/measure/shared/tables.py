"""What a study measured, in docs/results/NAME.csv, and the page next to it, made of that alone."""

from __future__ import annotations

import argparse
import csv
import io
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.files import write_atomically
from tilelab.base.repository import REPO

RESULTS = REPO / "docs" / "results"

Row = Mapping[str, str]


@dataclass(frozen=True)
class Table:
    """Rows, and facts that hold for all of them, such as the machine and the date."""

    facts: Mapping[str, str]
    rows: Sequence[Row]

    def by(self, column: str) -> dict[str, list[Row]]:
        """The rows with each value of a column, in the order in which the values come first."""
        found: dict[str, list[Row]] = {}
        for row in self.rows:
            found.setdefault(row[column], []).append(row)
        return found


Page = Callable[[Table], str]


def read(path: Path) -> Table:
    """Reads a file whose first lines are facts: `# name: what`."""
    lines = path.read_text(encoding="utf-8").splitlines()
    facts = (line[2:].partition(": ") for line in lines if line.startswith("#"))
    found = csv.DictReader(line for line in lines if not line.startswith("#"))
    return Table({name: what for name, _, what in facts}, list(found))


def rows(path: Path) -> Sequence[Row]:
    """The rows of a file, none if it is not there yet."""
    return read(path).rows if path.is_file() else []


def publish(path: Path, table: Table, page: Page) -> None:
    """Writes the rows, and then their page."""
    write(path, table)
    write_page(path, page)


def write(path: Path, table: Table) -> None:
    text = io.StringIO()
    text.writelines(f"# {name}: {what}\n" for name, what in table.facts.items())
    written = csv.DictWriter(text, table.rows[0], lineterminator="\n")
    written.writeheader()
    written.writerows(table.rows)
    write_atomically(path, text.getvalue())


def write_page(path: Path, page: Page) -> None:
    write_atomically(path.with_suffix(".md"), page(read(path)))


def parser(about: str | None, page: Page | None = None) -> argparse.ArgumentParser:
    """Reads a study's arguments. `--page` makes a page again, and ends."""
    made = argparse.ArgumentParser(description=(about or "").partition("\n")[0])
    if page is None:
        return made

    class MakePage(argparse.Action):
        def __call__(self, _: object, __: object, path: Path, *___: str) -> None:
            write_page(path, page)
            sys.exit()

    said = "measure nothing, only make the page of these rows again"
    made.add_argument("--page", type=Path, metavar="CSV", action=MakePage, help=said)
    return made


def filled(text: str, width: int = 80) -> str:
    """The text in lines of so many columns."""
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)


def line(*cells: object) -> str:
    """A line of a table in Markdown."""
    return f"| {' | '.join(map(str, cells))} |"
