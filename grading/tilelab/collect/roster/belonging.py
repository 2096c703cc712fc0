"""The sections and the group of a student, as cells of rosters name them."""

from __future__ import annotations

import re

from tilelab.collect.roster.people import Roster
from tilelab.model.student import joined

_LONGEST = 100  # characters of a name
_NOTHING = ("", "-", "no groups", "no group")  # as Moodle says


def sections(cell: str, roster: Roster, where: str, *, of_canvas: bool) -> str:
    """All that a cell names. Canvas joins several as people do in a sentence."""
    parts = re.split(r"[,;]| and " if of_canvas else r"[,;]", cell)
    if of_canvas:
        parts = [part.strip().removeprefix("and ") for part in parts]
    named = [_name(part, "section", roster, where) for part in parts]
    return joined(list(dict.fromkeys(filter(None, named))))


def group(cell: str, roster: Roster, where: str) -> str:
    return _name(cell, "group", roster, where)


def _name(text: str, what: str, roster: Roster, where: str) -> str:
    name = " ".join(text.split())
    if name.casefold() in _NOTHING:
        return ""
    if len(name) > _LONGEST:
        roster.remarks.append(
            f"{where}: the name of the {what} has more than {_LONGEST} characters, so it does not "
            "count"
        )
        return ""
    return roster.spelled(name)
