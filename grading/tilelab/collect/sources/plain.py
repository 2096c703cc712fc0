"""A plain folder, or an archive of one: STUDENT/LAB.cu, or deeper, or STUDENT.zip."""

from __future__ import annotations

from collections.abc import Callable

from tilelab.collect.attempts import Attempt, Source, anything, grouped
from tilelab.collect.members import Member, is_archive
from tilelab.collect.trees import without_suffix


def read(members: list[Member], is_student: Callable[[str], bool]) -> Source:
    """The first folder is the student. No times: those of files say when they were copied."""
    source = Source("folder")
    found = []
    for member in _below_common(members, is_student):
        student, *rest = member.path
        if not rest and not is_archive(student):
            source.loose.append(member)
        else:  # an archive that is still one is empty
            identity = anything(without_suffix(student))
            found.append((student, identity, member.at(tuple(rest or [student]))))
    for identity, files in grouped(found).values():
        source.attempts.append(Attempt((identity,), tuple(files)))
    return source


def _below_common(members: list[Member], is_student: Callable[[str], bool]) -> list[Member]:
    """The members without the folder that an archive was made of, where all lie in one.

    It may also be the folder of the only student.
    """
    kernels = [member for member in members if member.is_kernel]
    tops = {member.path[0] for member in members}
    students = {member.path[1] for member in kernels if len(member.path) > 2}
    is_wrapped = all(len(member.path) > 2 for member in kernels)
    if len(tops) != 1 or len(students) < 2 or not is_wrapped:
        return members
    if any(map(is_student, tops)) and not any(map(is_student, students)):
        return members
    return [one.at(one.path[1:] or one.path) for one in members]
