"""What the groups of a class handed in: one file that is everybody's, or several to ask about."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from tilelab.base.files import file_sha256
from tilelab.base.text import one_line
from tilelab.collect.choosing import Choice
from tilelab.collect.decisions import answer
from tilelab.collect.questions import Question
from tilelab.labs import lab as labs
from tilelab.pipeline.class_folder import Collected
from tilelab.pipeline.groups import Groups
from tilelab.pipeline.shared_files import is_begun, is_one_file


def shared(having: Iterable[tuple[str, str]], groups: Groups) -> set[tuple[str, str]]:
    """Who has a file for which lab, of one's own or of the group."""
    found = set(having)
    return found | {(other, lab) for student, lab in found for other in groups.others(student)}


def differing(
    choices: Iterable[Choice], collected: Collected, groups: Groups, folder: Path
) -> Iterator[Question]:
    """A question for each group and lab of which members have different files in the class.

    Somebody has to say of each of them whose it is, or that it counts as nothing.
    """
    keys = {(one.found.student, one.found.lab): one.found.member.key for one in choices}
    settled = {(one.student, one.lab, one.sha256) for one in collected.decisions}
    there = {(one.student, one.lab) for one in collected.files}
    for name, members in groups.members.items():
        for lab in sorted({lab for student, lab in there if student in members}):
            paths = {
                student: path
                for student in members
                if (path := folder / student / f"{lab}.cu").is_file()
                and is_begun(path, labs.load(lab))
                and ("", "", file_sha256(path)) not in settled
            }
            is_settled = all(
                (one, lab, file_sha256(path)) in settled for one, path in paths.items()
            )
            if paths and not is_one_file(list(paths.values())) and not is_settled:
                yield _question(name, lab, paths, keys)


def _question(
    name: str, lab: str, paths: dict[str, Path], keys: dict[tuple[str, str], str]
) -> Question:
    who = " and ".join(paths)
    line = (
        f"group {name}: {who} handed in different files for {lab}, and each counts for its own "
        "student. Drop those that are not the group's, or keep all"
    )
    here = {student: keys[student, lab] for student in paths if (student, lab) in keys}
    drops = [
        answer(here[student]) if student in here else shlex.join(["rm", str(path)])
        for student, path in paths.items()
    ]
    keep = " ".join(answer(key, student, lab) for student, key in here.items())
    return Question(one_line(line), (*drops, keep) if len(here) == len(paths) else tuple(drops))
