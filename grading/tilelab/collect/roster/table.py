"""A CSV file with a header, as spreadsheets and learning systems write it."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Sequence
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.files import read_limited
from tilelab.base.text import OPEN_QUOTE, delimiter_of, more_cells, named_columns

_MOST_BYTES = 8 * 1024 * 1024
_MOST_ROWS = 100_000

# What Excel reads in front of the header.
_SEPARATOR = re.compile(r"sep=([,;\t])\r?\n")

# Spaces of no width, which nobody sees in a name or a header.
_INVISIBLE = {0x200B: None, 0x2060: None, 0xFEFF: None}


def rows(path: Path) -> list[list[str]]:
    """All rows. Raises UserError with one line that says what is wrong with the file, and where."""
    data = read_limited(path, _MOST_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8: save it as CSV UTF-8") from error
    if "\0" in text.partition("\n")[0]:  # a workbook, or UTF-16 without its mark
        raise UserError(f"{path} is no text: save it as CSV UTF-8")
    text = text.translate(_INVISIBLE)
    said = _SEPARATOR.match(text)
    found = _rows(text, said[1] if said else delimiter_of(text), path)
    if said:
        del found[0]  # a spreadsheet does not show it either
    if found and not any(cell.strip() for cell in found[0][1]):
        raise UserError(f"{path}, line {found[0][0]} is empty: the header must be the first line")
    _assert_aligned(found, path)
    return [cells for _, cells in found]


def _rows(text: str, delimiter: str, path: Path) -> list[tuple[int, list[str]]]:
    """All rows, and the line in which each begins."""
    # Unless it is strict, a quote that nobody closes swallows the rows below without a word.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    found: list[tuple[int, list[str]]] = []
    line = 1
    try:
        for cells in itertools.islice(reader, _MOST_ROWS + 1):
            found.append((line, cells))
            line = reader.line_num + 1
    except csv.Error as error:
        if re.search("unexpected end of data|expected after", str(error)):
            raise UserError(f"{path}, line {line}: {OPEN_QUOTE}") from error
        raise UserError(f"{path}, line {line} is not CSV: {error}") from error
    if len(found) > _MOST_ROWS:
        raise UserError(f"{path} has more than {_MOST_ROWS:,} rows, which is too many")
    return found


def _assert_aligned(found: Sequence[tuple[int, list[str]]], path: Path) -> None:
    """Raises UserError if a row has more cells than the header: a comma shifts what follows it."""
    columns = named_columns(found[0][1]) if found else 0
    for line, cells in found:
        if any(cell.strip() for cell in cells[columns:]):
            raise UserError(f"{path}, line {line}: {more_cells(len(cells), columns)}")
