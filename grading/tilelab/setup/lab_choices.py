"""What an instructor chooses for a new lab. Bad answers raise UserError with one line."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from tilelab.base.errors import UserError
from tilelab.base.text import one_line
from tilelab.model.lab import Lab

ELEMENTS = ("float", "double", "int")
FIRST = "first"

_LONGEST_TITLE = 60
# Titles stand in Markdown, in tables and in TOML, where other characters mean something.
_ALSO_IN_TITLES = " .,:'()+-/&!?"
_CRITERIA = ("correctness", "safety", "memory", "speed")
_USUAL_POINTS = (40, 10, 20, 30)
_USUAL_POINTS_UNTIMED = (50, 20, 30)
_ALL_POINTS = 100


@dataclass(frozen=True)
class Choices:
    """`order` is the place in the course, infinite for one after all labs that have one."""

    title: str
    order: float
    element: str
    points: dict[str, int]

    @property
    def is_timed(self) -> bool:
        return "speed" in self.points


def usual_title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def title(text: str) -> str:
    found = unicodedata.normalize("NFC", text.strip())
    if not any(one.isalnum() for one in found) or len(found) > _LONGEST_TITLE:
        raise UserError(f"a title has up to {_LONGEST_TITLE} characters, and a letter or a digit")
    wrong = sorted({one for one in found if not (one.isalnum() or one in _ALSO_IN_TITLES)})
    if wrong:
        raise UserError(
            f"a title cannot have {one_line(' '.join(wrong))}: use letters, digits, spaces and "
            f"{_ALSO_IN_TITLES.strip()}"
        )
    return found


def usual_place(course: Sequence[Lab]) -> str:
    """After the last lab that has a place."""
    placed = [one.name for one in course if one.order != math.inf]
    return placed[-1] if placed else FIRST


def order(after: str, course: Sequence[Lab]) -> float:
    """The place behind a lab of the course, before the next one."""
    wanted = after.strip()
    places = sorted({one.order for one in course if one.order != math.inf})
    if wanted == FIRST:
        return _between(None, places[0] if places else None)
    for one in course:
        if one.name == wanted:
            later = [place for place in places if place > one.order]
            return _between(one.order, later[0] if later else None)
    names = ", ".join([FIRST, *(one.name for one in course)])
    raise UserError(f"there is no lab '{one_line(wanted)}'; the answers are: {names}")


def _between(before: float | None, after: float | None) -> float:
    if before is not None and after is not None:
        return (before + after) / 2
    if before is not None:
        return before if before == math.inf else math.floor(before) + 1
    return 1 if after is None else math.ceil(after) - 1


def element(text: str) -> str:
    found = text.strip()
    if found not in ELEMENTS:
        raise UserError(f"an element is one of: {', '.join(ELEMENTS)}")
    return found


def criteria(*, is_timed: bool) -> tuple[str, ...]:
    return _CRITERIA if is_timed else _CRITERIA[:-1]


def usual_points(*, is_timed: bool) -> str:
    return " ".join(map(str, _USUAL_POINTS if is_timed else _USUAL_POINTS_UNTIMED))


def points_of(text: str, *, is_timed: bool) -> dict[str, int]:
    """The points of each criterion, from a text such as "40 10 20 30"."""
    names = criteria(is_timed=is_timed)
    words = [word for word in re.split(r"[\s,/+]+", text) if word]
    if not all(re.fullmatch(r"[1-9][0-9]?", word) for word in words) or len(words) != len(names):
        raise UserError(
            f"points are {len(names)} whole numbers above 0, for {', '.join(names[:-1])} and "
            f"{names[-1]}"
        )
    found = dict(zip(names, map(int, words), strict=True))
    if sum(found.values()) != _ALL_POINTS:
        raise UserError(
            f"the points of a lab add up to {_ALL_POINTS}; these make {sum(found.values())}"
        )
    return found
