"""Finds out what a download is, by what is in it, and reads it."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.text import one_line
from tilelab.collect.attempts import Source
from tilelab.collect.members import MAX_FOLDERS, Member, Spool
from tilelab.collect.roster.people import Roster
from tilelab.collect.sources import blackboard, canvas, classroom, gradescope, moodle, plain
from tilelab.collect.trees import read_source
from tilelab.model.lab import Lab


def read(
    path: Path,
    labs: Sequence[Lab],
    zone: datetime.tzinfo | None,
    work: Path,
    roster: Roster,
) -> Source:
    """Reads a download, with copies of its files in the folder `work`. Raises UserError."""
    if not path.exists():
        raise UserError(f"{one_line(str(path))}: there is no such file or folder")
    spool = Spool(work, MAX_FOLDERS + 3 * len(roster.students))
    if clones := classroom.repositories(path):
        return classroom.read(clones, labs, spool, work / "git")
    tree = read_source(path, spool)
    source = _recognized(tree.members, zone, roster)
    source.refused[:0] = tree.refused
    return source


def _recognized(members: list[Member], zone: datetime.tzinfo | None, roster: Roster) -> Source:
    if gradescope.recognizes(members):
        return gradescope.read(members)
    # Learning systems put no folder round their files, but who packs them again may.
    inner = _within_one_folder(members)
    for flat in (members, inner):
        if moodle.recognizes(flat):
            return moodle.read(flat)
        if blackboard.recognizes(flat):
            return blackboard.read(flat, zone)
        if canvas.recognizes(flat):
            return canvas.read(flat)
    return plain.read(members, roster.has_anybody)


def _within_one_folder(members: list[Member]) -> list[Member]:
    if len({member.path[0] for member in members}) != 1 or any(
        len(member.path) < 2 for member in members
    ):
        return []
    return [member.at(member.path[1:]) for member in members]
