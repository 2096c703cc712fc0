"""A table of text as another program wrote it: cells can be replaced, nothing else changes.

The csv module reads cells, but not how they were written. Here every byte that is not replaced
stays: delimiter, quotes, line ends, encoding and byte order mark.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.text import OPEN_QUOTE, delimiter_of, more_cells, named_columns, one_line

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True)
class Cell:
    """A cell: what it says, and where in the text it is, with its quotes."""

    value: str
    start: int
    end: int
    is_quoted: bool


@dataclass(frozen=True)
class Delimited:
    """A table, the text and the encoding that it came from, and the byte order mark if any."""

    rows: list[list[Cell]]
    text: str
    delimiter: str
    encoding: str
    mark: bytes

    @property
    def header(self) -> list[str]:
        return [cell.value.strip() for cell in self.rows[0]]

    def value(self, row: int, column: int) -> str:
        """What a cell says, "" where the row is too short."""
        cells = self.rows[row]
        return cells[column].value.strip() if column < len(cells) else ""

    def column(self, column: int) -> list[str]:
        """What the cells below the header say."""
        return [self.value(row, column) for row in range(1, len(self.rows))]

    def filled(self, cells: Mapping[tuple[int, int], str]) -> bytes:
        """The file with other texts in these cells, by row and column.

        A text with the delimiter in it, such as a decimal comma, gets quotes.
        """
        parts, done = [], 0
        for row, column in sorted(cells):
            if column >= len(self.rows[row]):
                raise UserError(
                    f"row {row + 1} is shorter than the header: download the gradebook again"
                )
            cell = self.rows[row][column]
            quote = '"' if cell.is_quoted or self.delimiter in cells[row, column] else ""
            parts += [self.text[done : cell.start], quote, cells[row, column], quote]
            done = cell.end
        return self.mark + "".join([*parts, self.text[done:]]).encode(self.encoding)


def read(path: Path) -> Delimited:
    """Reads a file. Raises UserError if it is no table."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
    no_table = UserError(
        f"{one_line(str(path))} is no table of students: download the gradebook again, as CSV"
    )
    try:
        text, encoding, mark = _decoded(data)
    except UnicodeDecodeError:
        raise no_table from None
    delimiter = delimiter_of(text)
    rows = _rows(text, delimiter)
    if len(rows) < 2 or len(rows[0]) < 2 or "\0" in text:
        raise no_table
    _assert_aligned(rows, text, path)
    return Delimited(rows, text, delimiter, encoding, mark)


def _assert_aligned(rows: Sequence[Sequence[Cell]], text: str, path: Path) -> None:
    """Raises UserError if a quote or a comma too many moves cells into other columns."""
    columns = named_columns([cell.value for cell in rows[0]])
    for cells in rows:
        line = len(_LINE_END.findall(text, 0, cells[0].start)) + 1
        where = f"{one_line(str(path))}, line {line}"
        if any(text.startswith('"', cell.start) and not cell.is_quoted for cell in cells):
            raise UserError(f"{where}: {OPEN_QUOTE}")
        if any(cell.value.strip() for cell in cells[columns:]):
            raise UserError(f"{where}: {more_cells(len(cells), columns)}")


def _decoded(data: bytes) -> tuple[str, str, bytes]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.removeprefix(mark).decode(encoding), encoding, mark
    try:
        return data.decode(), "utf-8", b""
    except UnicodeDecodeError:
        # A spreadsheet saved it. Every byte is a character of Latin-1, and comes back as it was.
        return data.decode("latin-1"), "latin-1", b""


def _rows(text: str, delimiter: str) -> list[list[Cell]]:
    """All cells of all rows. An empty line has one empty cell."""
    end = re.escape(delimiter)
    pattern = re.compile(
        rf'(?P<quoted>"(?:[^"]|"")*")?(?P<bare>[^{end}\r\n]*)(?P<end>{end}|\r\n?|\n|\Z)'
    )
    rows: list[list[Cell]] = [[]]
    position = 0
    while found := pattern.match(text, position):
        quoted, start, stop = found["quoted"], found.start(), found.start("end")
        value = quoted[1:-1].replace('""', '"') + found["bare"] if quoted else found["bare"]
        is_whole = quoted is not None and not found["bare"]
        rows[-1].append(Cell(value, start, stop, is_whole))
        position = found.end()
        if found["end"] == "" or (position == len(text) and found["end"] != delimiter):
            return rows
        if found["end"] != delimiter:
            rows.append([])
    raise AssertionError("the pattern matches at every position")


def number(text: str) -> float | None:
    """A number with a decimal point or a decimal comma, None if the text is none."""
    return float(text.replace(",", ".")) if re.fullmatch(r"-?\d+([.,]\d+)?", text) else None
