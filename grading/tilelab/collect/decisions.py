"""What an instructor decided about a file or a student that nothing else settles.

`--take WHAT=WHOSE` says so once. The notes of the class keep it.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Collection, Sequence
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.text import one_line, suggestion
from tilelab.collect.members import Member
from tilelab.pipeline.class_folder import Decision

_FORM = "--take is WHAT=STUDENT/LAB for a file, WHAT=STUDENT for a student, WHAT= for nothing"


def answer(what: str, student: str = "", lab: str = "") -> str:
    """The option that decides this, so that a shell takes it as it is."""
    whose = f"{student}/{lab}" if lab else student
    link = "=" if what.startswith("-") else " "
    return f"--take{link}{shlex.quote(f'{what}={whose}')}"


def parse(text: str, labs: Sequence[str]) -> Decision:
    """A decision as it is typed. Raises UserError."""
    what, equals, whose = text.rpartition("=")
    student, slash, lab = whose.partition("/")
    if not equals or not what or (slash and not lab) or (lab and not student):
        raise UserError(f"--take {shlex.quote(one_line(text))}: {_FORM}")
    if lab:
        _assert_known(text, lab, "lab", labs)
    return Decision(what, student, lab)


def _assert_known(text: str, name: str, kind: str, known: Collection[str]) -> None:
    if name not in known:
        raise UserError(
            f"--take {shlex.quote(one_line(text))}: there is no {kind} {one_line(name)}"
            f"{suggestion(name, known)}"
        )


class Decisions:
    """Those of this time, `now`, count before those that were noted.

    What was noted about a file holds for that content only: the next one may be for another lab.
    """

    def __init__(self, now: Sequence[Decision] = (), noted: Sequence[Decision] = ()) -> None:
        self._now = {one.what: one for one in now}
        self._noted = {(one.what, one.sha256): one for one in noted if one.what not in self._now}
        self._used: set[str] = set()

    def of_student(self, own: str) -> Decision | None:
        """Who somebody is whom a source calls `own`."""
        what = one_line(own)
        found = self._now.get(what) or self._noted.get((what, ""))
        if found and found.lab:
            return None
        return self._use(found, "")

    def of_file(self, member: Member) -> Decision | None:
        """Whose a file is, and for which lab. Raises UserError if it cannot be that."""
        found = self._now.get(member.key)
        sha256 = hashlib.sha256(member.data()).hexdigest()
        found = found or self._noted.get((member.key, sha256))
        if found and found.student and not found.lab:
            raise UserError(f"{answer(member.key, found.student)}: name the lab, too: STUDENT/LAB")
        if found and found.student and member.copy is None:
            raise UserError(
                f"{answer(member.key, found.student, found.lab)}: this file is not one "
                f"that can be taken. Put the right one at {found.student}/{found.lab}.cu in a "
                "folder, and collect that"
            )
        return self._use(found, sha256)

    def assert_sound(self, sources: Sequence[Path], students: Collection[str]) -> None:
        """Raises UserError if something was decided now about what no source has.

        Or if it is somebody's who is none of these, unless there may be anybody.
        """
        for what, one in self._now.items():
            if one.student and students:
                whose = f"{one.student}/{one.lab}" if one.lab else one.student
                _assert_known(f"{what}={whose}", one.student, "student", students)
            if what not in self._used:
                names = ", ".join(one_line(str(path)) for path in sources)
                raise UserError(
                    f"{answer(what, one.student, one.lab)}: there is no such file or student in "
                    f"{names}. Copy what stands before the = from a question"
                )

    def noted(self) -> list[Decision]:
        """All that is to be kept."""
        return list(self._noted.values())

    def _use(self, found: Decision | None, sha256: str) -> Decision | None:
        if found:
            self._used.add(found.what)
            self._noted[found.what, sha256] = Decision(found.what, found.student, found.lab, sha256)
        return found
