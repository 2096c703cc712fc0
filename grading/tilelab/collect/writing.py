"""Writes a class: the files that were chosen, and notes about them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.files import remove_unfinished, write_atomically
from tilelab.collect.choosing import Choice, Found
from tilelab.collect.naming import SURENESS
from tilelab.labs import lab as labs
from tilelab.model.grade import Asked
from tilelab.model.student import Student
from tilelab.pipeline.class_folder import (
    NOTES,
    Collected,
    Decision,
    Handed,
    is_record,
    read_notes,
    write_notes,
)
from tilelab.pipeline.shared_files import is_begun


@dataclass
class Changes:
    """What happened to the class, as STUDENT/LAB.cu, with a line about each file that changed."""

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)  # from an earlier time, and not in these sources
    passed: list[Choice] = field(default_factory=list)  # which count less than what is there


def folders_in(folder: Path) -> list[str]:
    """The students' folders that a class has already."""
    if not folder.exists():
        return []
    try:
        folders = [one for one in folder.iterdir() if one.is_dir() and one.name[0] != "."]
        return [one.name for one in folders if not is_record(one)]
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}") from error


def write(
    folder: Path,
    choices: Sequence[Choice],
    roster: Sequence[Student],
    decisions: Sequence[Decision] = (),
    asked: Sequence[Asked] = (),
    known: Mapping[str, dict[str, list[str]]] | None = None,
) -> tuple[Changes, Collected]:
    """Writes files that are new or differ, deletes none, and notes all that are there."""
    _make(folder)
    remove_unfinished(folder, {NOTES})
    kernels = {f"{lab}.cu" for lab in labs.all_labs()}
    for name in folders_in(folder):
        if not (folder / name).is_symlink():
            remove_unfinished(folder / name, kernels)
    before = read_notes(folder)
    noted = {(one.student, one.lab): one for one in before.files}
    changes = Changes()
    for choice in choices:
        key = (choice.found.student, choice.found.lab)
        noted[key] = _put(folder, choice, noted.get(key), changes)
    taken = [choice for choice in choices if choice not in changes.passed]
    mine = {(choice.found.student, choice.found.lab) for choice in taken}
    there = {
        key: one
        for key, one in sorted(noted.items())
        if key in mine or os.path.lexists(folder / one.student / f"{one.lab}.cu")
    }
    changes.kept = [f"{student}/{lab}.cu" for student, lab in there if (student, lab) not in mine]
    collected = Collected(
        list(roster) or before.students,
        list(there.values()),
        list(decisions) or before.decisions,
        list({one.id: one for one in [*asked, *before.questions]}.values()),
        dict(known or {}) if roster else before.known,
    )
    if collected != before:
        write_notes(folder, collected)
    return changes, collected


def _put(folder: Path, choice: Choice, before: Handed | None, changes: Changes) -> Handed:
    """Writes a file unless it is there, and says what is to be noted about it."""
    found, handed = choice.found, _handed(choice)
    path = folder / found.student / f"{found.lab}.cu"
    shown = f"{found.student}/{found.lab}.cu"
    if path.parent.is_symlink():
        raise UserError(f"{path.parent} is a link: remove it, and collect again")
    data = found.member.data()
    if path.is_file() and not path.is_symlink() and path.read_bytes() == data:
        changes.unchanged.append(shown)
        return before if before and _still_counts(before, handed) else handed
    if before and path.is_file() and _stays(path, before, found):
        changes.passed.append(choice)
        return before
    if os.path.lexists(path):
        changes.updated.append(f"{shown}: {_older(handed, before)}")
    else:
        changes.added.append(shown)
    _make(path.parent)
    write_atomically(path, data)
    return handed


def _stays(path: Path, before: Handed, found: Found) -> bool:
    """Whether work of an earlier time counts before a skeleton, or before a name that says less."""
    is_less = found.is_skeleton or SURENESS[found.by] > SURENESS.get(before.by, 0)
    return is_less and is_begun(path, labs.load(found.lab))


def _still_counts(before: Handed, handed: Handed) -> bool:
    """Whether what is noted of the same content counts, because it was handed in before.

    What a source says now counts before what it said at an earlier time, unless it says nothing: a
    roster may have had the time.
    """
    if not before.submitted:
        return False
    if before.source == handed.source:
        return not handed.submitted
    return handed.submitted is not None and before.submitted < handed.submitted


def _older(handed: Handed, before: Handed | None) -> str:
    """Says what became of a file that was there. ISO times in UTC are in the order of text."""
    if before and before.submitted and handed.submitted and handed.submitted < before.submitted:
        return "replaced by one that was handed in earlier"
    return "replaced"


def _handed(choice: Choice) -> Handed:
    found = choice.found
    when = found.when.isoformat() if found.when else None
    return Handed(
        found.student, found.lab, when, found.source, choice.attempt, choice.attempts, found.by
    )


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}") from error
