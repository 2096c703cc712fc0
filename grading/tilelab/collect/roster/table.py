"""A CSV file with a header, as spreadsheets and learning systems write it."""

from __future__ import annotations

import csv
import io
import itertools
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.files import read_limited

_MOST_BYTES = 8 * 1024 * 1024
_MOST_ROWS = 100_000


def rows(path: Path) -> list[list[str]]:
    """All rows. Raises UserError with one line that says what is wrong with the file."""
    data = read_limited(path, _MOST_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8: save it as CSV UTF-8") from error
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        found = list(itertools.islice(reader, _MOST_ROWS + 1))
    except csv.Error as error:
        raise UserError(f"{path} is not CSV: {error}") from error
    if len(found) > _MOST_ROWS:
        raise UserError(f"{path} has more than {_MOST_ROWS:,} rows, which is too many")
    return found
