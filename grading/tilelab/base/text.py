"""Text for people. None of a submission's reaches a terminal unescaped."""

from __future__ import annotations

import difflib
import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence

# Characters that reorder a line on screen, so that it reads as something else.
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

# How much of two names is equal if one is a misspelled other, and if a user may have meant it.
_ALMOST = 0.85
_SIMILAR = 0.6

_MOST_POINTS = 10**6

# Letters of which Unicode does not know that they are others with a mark.
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "\u0131": "i", "æ": "ae", "œ": "oe"}
)
_MOST_WORDS = 12

# What is wrong in a line of a CSV file.
OPEN_QUOTE = 'a cell has a quote that is not closed. Close it, or write a quote in a text as ""'


def printable(text: str) -> str:
    """Escapes bidi controls, lone surrogates, and control characters except newlines and tabs."""
    if text.isprintable():  # in one step; this is true of most lines
        return text
    return "".join(_escape(character) for character in text)


def one_line(text: str) -> str:
    """Like printable(), but escapes newlines and tabs too. For names."""
    return printable(text).replace("\n", "\\n").replace("\t", "\\t")


def shorten(text: str, limit: int) -> str:
    """Cuts a text to `limit` characters, and marks the cut with an ellipsis."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def suggestion(name: str, known: Iterable[str]) -> str:
    """For the end of a message about a name that is not known: ". Did you mean amber?", or ""."""
    near = nearest(name, known, _SIMILAR)
    return f". Did you mean {one_line(near)}?" if near else ""


def nearest(name: str, known: Iterable[str], alike: float = _ALMOST) -> str:
    """The one of the `known` names that `name` seems to be, but for a letter or two. Else ""."""
    near = difflib.get_close_matches(name, sorted(known), 1, alike)
    return near[0] if near else ""


def words(name: str) -> list[str]:
    """The words of a name, without accents and in lower case."""
    return re.findall(r"[^\W_]+", without_accents(name))[:_MOST_WORDS]


def without_accents(text: str) -> str:
    """The text in lower case, with plain letters in place of those with accents."""
    parted = unicodedata.normalize("NFKD", text.casefold())
    return "".join(one for one in parted if not unicodedata.combining(one)).translate(_PLAIN)


def counted(number: int, noun: str) -> str:
    """How many there are of something: "1 file", "2 files"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def delimiter_of(text: str) -> str:
    """What is most often between the cells of a CSV file's header, outside of quotes."""
    first = re.split(r"[\r\n]", re.sub(r'"[^"]*"', "", text), maxsplit=1)[0]
    return max(",;\t", key=first.count)


def named_columns(header: Sequence[str]) -> int:
    """How many columns a header has, without those at its end that have no name."""
    return max((number for number, cell in enumerate(header, 1) if cell.strip()), default=0)


def more_cells(cells: int, columns: int) -> str:
    """What is wrong in a line of a CSV file that has more cells than its header."""
    return (
        f"{counted(cells, 'cell')} for {counted(columns, 'column')}. Put a name or a text with a "
        "comma or semicolon in quotes"
    )


def listed(names: Iterable[str]) -> str:
    """Names in a row, with semicolons between them if one has a comma in it, as in "Lee, Kim"."""
    several = list(names)
    return ("; " if any("," in name for name in several) else ", ").join(several)


def listed_few(names: Sequence[str], most: int) -> str:
    """At most this many names in a row, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{listed(names[:most])}{more}"


def of_lines(numbers: Sequence[int]) -> str:
    """Lines of a file: "line 2", "lines 2 and 5", "lines 2, 5 and 9"."""
    *before, last = map(str, numbers)
    return f"lines {', '.join(before)} and {last}" if before else f"line {last}"


def points(value: float) -> str:
    """Formats points as people write them: 60, 37.5."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def points_of(text: str) -> float:
    """Reads points that a person wrote. Raises ValueError."""
    if not re.fullmatch(r"[+-]?\d+([.,]\d{1,2})?", text, re.ASCII):
        raise ValueError(f"'{one_line(text)}' is not a number of points: write one such as -1.5")
    value = float(text.replace(",", "."))
    if abs(value) > _MOST_POINTS:
        raise ValueError(f"{one_line(shorten(text, 20))} is too many points")
    return value


def checksum(text: str) -> str:
    """The SHA-256 of a text. Spaces at the ends of lines do not count."""
    lines = (line.rstrip() for line in text.rstrip().split("\n"))
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def _escape(character: str) -> str:
    if character in "\n\t":
        return character
    if character in _BIDI or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
        return character.encode("unicode_escape", "surrogatepass").decode("ascii")
    return character
