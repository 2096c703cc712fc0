"""Chooses one attempt for each student and lab."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tilelab.base.files import file_sha256
from tilelab.collect.members import Member
from tilelab.collect.naming import SURENESS
from tilelab.collect.sorting import Doubt
from tilelab.model.course import Course

# "last" is the last attempt. "before-deadline" is the last one in time, or the last if none was.
Policy = Literal["last", "before-deadline"]


@dataclass(frozen=True)
class Found:
    """A file for a lab. `place` is where it came in the order of sources, attempts and copies.

    `by` is how we know the lab, as in Guess, or because of an answer.
    """

    student: str
    lab: str
    member: Member
    source: str
    place: tuple[int, int, int]
    when: datetime.datetime | None = None
    before: tuple[datetime.datetime, ...] = ()
    marked_late: bool = False
    is_skeleton: bool = False
    by: str = "name"


@dataclass(frozen=True)
class Choice:
    """The file that counts, which attempt it is, and among how many. `remark` may be empty.

    The time of the file is that of the first attempt with the same content.
    """

    found: Found
    attempt: int
    attempts: int
    remark: str = ""
    doubt: Doubt | None = None


def choose(several: Sequence[Found], course: Course, policy: Policy) -> Choice:
    """Chooses among the attempts of one student in one lab."""
    # A skeleton is no work, even if it came last or before the deadline.
    worked = [one for one in several if not one.is_skeleton] or list(several)
    surest = min(SURENESS[one.by] for one in worked)
    ordered = _in_order([one for one in worked if SURENESS[one.by] == surest])
    timed = _from_the_first(ordered)
    in_time = [at for at, one in enumerate(timed) if not _days_late(one, course, one.when)]
    at = in_time[-1] if policy == "before-deadline" and in_time else len(ordered) - 1
    chosen = ordered[at]
    known = {one.when for one in ordered}
    elsewhere = sorted({time for one in ordered for time in one.before} - known)
    earlier = sum(chosen.when is not None and time < chosen.when for time in elsewhere)
    remark = _other_source(chosen, ordered)
    was_in_time = any(not _days_late(chosen, course, time) for time in elsewhere)
    if policy == "before-deadline" and not in_time and was_in_time:
        remark = (
            f"{chosen.student}: {chosen.source} is late. The export does not have the attempt "
            "before the deadline: activate that one, and export again"
        )
    attempts = len(ordered) + len(elsewhere)
    doubt = _doubt(chosen, _in_order(worked)[-1])
    return Choice(timed[at], at + 1 + earlier, attempts, remark, doubt)


def _from_the_first(ordered: Sequence[Found]) -> list[Found]:
    """The same attempts, each from when its content was first handed in, if that is known."""
    contents = [file_sha256(one.member.copy) if one.member.copy else "" for one in ordered]
    first: dict[str, datetime.datetime] = {}
    for one, content in zip(ordered, contents, strict=True):
        if one.when:
            first[content] = min(one.when, first.get(content, one.when))
    return [
        replace(one, when=one.when and first[content])
        for one, content in zip(ordered, contents, strict=True)
    ]


def _doubt(chosen: Found, last: Found) -> Doubt | None:
    """Asks about the last file where its name says less than that of an earlier one."""
    is_sure = SURENESS[last.by] == SURENESS[chosen.by] or chosen.by == "answer"
    if is_sure or last.member.data() == chosen.member.data():
        return None
    remark = (
        f"{chosen.member.shown} is taken for {chosen.lab}, not {last.member.shown}, which came "
        "later"
    )
    return Doubt(remark, chosen.lab, (chosen.member, last.member))


def _other_source(chosen: Found, several: Sequence[Found]) -> str:
    """Says so if only the order of the sources tells which of their files is newer."""
    if all(one.when for one in several):
        return ""
    others = [
        one.source
        for one in several
        if one.place[0] != chosen.place[0] and one.member.data() != chosen.member.data()
    ]
    if not others:
        return ""
    return (
        f"{chosen.student}: {chosen.source} counts for {chosen.lab}, since its source was named "
        f"last. {others[-1]} differs, and nobody says when both were handed in"
    )


def _in_order(several: Sequence[Found]) -> list[Found]:
    """By time. Where one is unknown, by source: the one that was named last is the newest."""
    if all(one.when for one in several):
        return sorted(several, key=lambda one: (one.when, one.place))
    return sorted(several, key=lambda one: one.place)


def _days_late(one: Found, course: Course, when: datetime.datetime | None) -> int:
    return course.days_late(one.student, one.lab, when)
