"""Whose file counts for a student: one's own, or the one that a member of the group handed in."""

from __future__ import annotations

import filecmp
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from tilelab.base.errors import Rejected
from tilelab.base.text import checksum, one_line
from tilelab.model.lab import Lab
from tilelab.pipeline import intake
from tilelab.pipeline.groups import Groups


class SharedFiles:
    """The files of a class, of which `people` has the folders by student."""

    def __init__(self, people: Mapping[str, Path], groups: Groups) -> None:
        self._people, self._groups = people, groups

    def whose(self, student: str, lab: Lab) -> tuple[str, str]:
        """The student whose file counts, and a line if that is not clear. A skeleton is no work."""
        others = self._groups.others(student)
        if not others or self._is_begun(student, lab):
            return student, ""
        having = [one for one in others if one in self._people and self._is_begun(one, lab)]
        if is_one_file([self._path(one, lab) for one in having]):
            return having[0], ""
        if not having:
            return student, ""
        return student, one_line(
            f"{student}/{lab.name}.cu: {' and '.join(having)}, of the same group, have different "
            f"files, so none counts for {student}: put the right one there"
        )

    def _is_begun(self, student: str, lab: Lab) -> bool:
        path = self._path(student, lab)
        return os.path.lexists(path) and is_begun(path, lab)

    def _path(self, student: str, lab: Lab) -> Path:
        return self._people[student] / f"{lab.name}.cu"


def is_begun(path: Path, lab: Lab) -> bool:
    """Whether a file is anything but the skeleton that students got."""
    try:
        return checksum(intake.read(path).text) != lab.skeleton_sha256
    except (OSError, Rejected):
        return True


def is_one_file(paths: Sequence[Path]) -> bool:
    """Whether all of these are files with the same content, and there is one at least."""
    if not paths or not all(path.is_file() and not path.is_symlink() for path in paths):
        return False
    return all(filecmp.cmp(paths[0], other, shallow=False) for other in paths[1:])
