"""Which lab a file is for: its name says so, or else the functions that it defines."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import Rejected
from tilelab.base.text import checksum
from tilelab.collect.functions import Function, asked_for, defined
from tilelab.collect.members import Member
from tilelab.model.lab import CASES, Lab
from tilelab.pipeline import intake

# What systems append to the name of a file that is there already: diff-1, diff (1), diff copy 2.
_COPY = re.compile(
    r"(?P<stem>.*?)(?:[ _]*\((?P<a>\d{1,4})\)|-(?P<b>\d{1,4})"
    r"|[ _-]+(?P<copy>copy)(?:[ _]*\(?(?P<c>\d{1,4})\)?)?)",
    re.IGNORECASE,
)
# How sure we are of what a file is for, by how we know it. A person's answer is as good as a name.
SURENESS = {"answer": 0, "name": 0, "word": 1, "function": 2}
# The harness has files that define the same functions.
_NEVER_GUESSED = ("baseline",)


@dataclass(frozen=True)
class Guess:
    """The lab that a file is for. `copy` is the number that a system appended to its name.

    `by` is how we know: by the name, by a word in the name, or by the functions in the file.
    `is_backup` says that a person made the copy, who went on with the original.
    """

    lab: str
    by: str
    copy: int = 0
    is_backup: bool = False


def guess(member: Member, labs: Sequence[Lab], most_bytes: int = intake.MAX_BYTES) -> Guess | None:
    """The lab of a kernel, None if nothing says which. Larger ones are not looked into."""
    stem = _stem(member.name)
    if found := _named(stem, labs):
        return Guess(found, "name")
    if (copied := _COPY.fullmatch(stem)) and (found := _named(copied["stem"], labs)):
        number = next((digits for digits in copied.group("a", "b", "c") if digits), "1")
        return Guess(found, "name", int(number), copied["copy"] is not None)
    if stem.lower() in _NEVER_GUESSED:
        return None
    mentioned = [lab.name for lab in labs if _mentions(stem, lab.name)]
    if len(mentioned) == 1:
        return Guess(mentioned[0], "word")
    if len(member.data()) > most_bytes:
        return None
    functions = defined(_text(member))
    asking = [lab.name for lab in labs if _asks_for_one_of(lab, functions)]
    return Guess(asking[0], "function") if len(asking) == 1 else None


def meant(member: Member, labs: Sequence[Lab], most_bytes: int) -> str:
    """The lab that a file with another suffix may be for, "" if nothing says which."""
    stem = member.name.partition(".")[0]
    found = guess(member.at((f"{stem}.cu",)), labs, most_bytes)
    return found.lab if found else ""


def is_skeleton(member: Member, lab: Lab) -> bool:
    """Whether nothing was changed in the file that students got."""
    text = _text(member)
    return bool(text) and checksum(text) == lab.skeleton_sha256


def without_harness(members: list[Member], labs: Sequence[Lab]) -> list[Member]:
    """What a student edits: of a copy of the whole course labs/, and files next to it.

    Of a lab's folder, its given kernels and whatever lies next to its cases are left out.
    """
    given = {kernel.parts[-2:] for lab in labs for kernel in lab.given}
    cases = {(lab.name, CASES) for lab in labs}
    own = [one for one in members if one.path[-2:] not in given and one.path[-3:-1] not in cases]
    names = [("labs", lab.name, f"{lab.name}.cu") for lab in labs]
    roots = {member.path[:-3] for member in own if member.path[-3:] in names}
    if not roots:
        return own
    root = min(roots, key=len)
    depth = len(root)
    return [
        member
        for member in own
        if member.path[:depth] == root
        and (len(member.path) == depth + 1 or member.path[depth] == "labs")
    ]


def is_given(member: Member, labs: Sequence[Lab]) -> bool:
    """Whether all students got this file, wherever it lies now, and nothing was changed in it."""
    text = _text(member)
    given = (_checksum(kernel) for lab in labs for kernel in lab.given)
    return bool(text) and checksum(text) in given


@functools.cache
def _checksum(kernel: Path) -> str:
    return checksum(kernel.read_text(encoding="utf-8"))


def _text(member: Member) -> str:
    """The text of a file, "" if it has none that could be graded."""
    data = member.data()
    try:
        return intake.normalize(data, member.name) if len(data) <= intake.MAX_BYTES else ""
    except Rejected:
        return ""


def _stem(name: str) -> str:
    while name.lower().endswith(".cu"):
        name = name[:-3]
    return name.strip()


def _named(stem: str, labs: Sequence[Lab]) -> str | None:
    """The lab whose name this is, whatever the case and the separators."""
    squeezed = _squeezed(stem)
    return next((lab.name for lab in labs if _squeezed(lab.name) == squeezed), None)


def _squeezed(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _mentions(stem: str, lab: str) -> bool:
    words = "_".join(re.findall(r"[^\W_]+", stem.lower()))
    return f"_{lab}_" in f"_{words}_"


def _asks_for_one_of(lab: Lab, functions: set[Function]) -> bool:
    return bool(functions) and not functions.isdisjoint(_asked_for(lab.header))


@functools.cache
def _asked_for(header: Path) -> list[Function]:
    return asked_for(header.read_text(encoding="utf-8"))
