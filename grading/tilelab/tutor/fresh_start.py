"""Starts a lab over: its skeleton comes back, and the student's file is kept under another name.

The skeleton comes from a copy next to it, because not everybody who has the repository has git.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from msgspec.structs import replace

from tilelab.base.errors import UserError
from tilelab.base.files import write_atomically
from tilelab.model.lab import Lab
from tilelab.tutor import progress
from tilelab.tutor.progress import Progress


def is_pristine(lab: Lab) -> bool:
    try:
        return lab.skeleton.read_bytes() == _pristine(lab).encode()
    except FileNotFoundError:
        return False


def begin(lab: Lab) -> Path | None:
    """Restores the skeleton. Returns where the student's file is kept, None if there was none."""
    text = _pristine(lab)
    backup = _back_up(lab.skeleton)
    write_atomically(lab.skeleton, text)
    before = progress.load(lab.name)
    progress.save(lab.name, replace(Progress(), solved=before.solved))
    return backup


def _pristine(lab: Lab) -> str:
    try:
        return lab.pristine.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise UserError(
            f"labs/{lab.name}/{lab.pristine.name} is missing, so there is nothing to restore: "
            "take it from where you got TileLab"
        ) from error


def _back_up(path: Path) -> Path | None:
    """Copies a file to the first free name. No file is ever overwritten."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    for number in itertools.count(1):
        backup = path.with_name(f"{path.stem}.backup-{number}{path.suffix}")
        try:
            with backup.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except FileExistsError:
            continue
        return backup
    raise AssertionError("there is always a next number")
