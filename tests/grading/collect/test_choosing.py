"""Which attempt counts."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path

from tilelab.collect.choosing import Found, Policy, choose
from tilelab.collect.members import Member
from tilelab.model.course import Assignment, Course, Late

DEADLINE = datetime.datetime(2027, 3, 1, 22, 59, tzinfo=datetime.UTC)
POLICIES: tuple[Policy, ...] = ("last", "before-deadline")
HOUR = datetime.timedelta(hours=1)
FILES = sorted(Path(__file__).parent.glob("test_*.py"))  # any that differ
COURSE = Course(assignments={"diff": Assignment(deadline=DEADLINE)})


def found(hours: float | None, place: int, *, skeleton: bool = False, before: float = 0) -> Found:
    """An attempt this many hours after the deadline, and one that the source does not have."""
    when = None if hours is None else DEADLINE + hours * HOUR
    return Found(
        "amber",
        "diff",
        Member((f"{place}.cu",), FILES[place]),
        f"in.zip: {place}.cu",
        (1, place, 0),
        when,
        (DEADLINE + before * HOUR,) if before else (),
        is_skeleton=skeleton,
    )


def chosen(
    several: list[Found], policy: Policy = "last", course: Course = COURSE
) -> tuple[int, int, int]:
    choice = choose(several, course, policy)
    return choice.found.place[1], choice.attempt, choice.attempts


def test_the_last_attempt_counts_whatever_the_order_of_the_files() -> None:
    assert chosen([found(-1, 1), found(5, 2), found(-3, 3)]) == (2, 3, 3)


def test_the_last_attempt_before_the_deadline_counts_if_asked_for() -> None:
    assert chosen([found(-1, 1), found(5, 2), found(-3, 3)], "before-deadline") == (1, 2, 3)
    assert chosen([found(5, 1), found(9, 2)], "before-deadline") == (2, 2, 2)


def test_extensions_and_grace_count_as_in_time() -> None:
    extended = Course(
        assignments=COURSE.assignments, extensions={("amber", "diff"): DEADLINE + 6 * HOUR}
    )
    lenient = Course(assignments=COURSE.assignments, late=Late(0.1, 5, 6 * HOUR))
    for course in (extended, lenient):
        assert chosen([found(-1, 1), found(5, 2), found(7, 3)], "before-deadline", course)[0] == 2


def test_without_times_the_order_of_the_source_decides() -> None:
    assert chosen([found(None, 2), found(None, 1)]) == (2, 2, 2)
    assert chosen([found(3, 1), found(None, 2)], "before-deadline") == (2, 2, 2)


def test_it_is_said_when_only_the_order_of_the_sources_tells(tmp_path: Path) -> None:
    def of_source(number: int, text: str, hours: float | None = None) -> Found:
        path = tmp_path / f"{number}.cu"
        path.write_text(text)
        one = found(hours, number)
        return replace(one, member=Member((path.name,), path), place=(number, 1, 0))

    first, other, same = of_source(1, "a"), of_source(2, "b"), of_source(3, "b")
    assert choose([first, other], COURSE, "last").remark == (
        "amber: in.zip: 2.cu counts for diff, since its source was named last. in.zip: 1.cu "
        "differs, and nobody says when both were handed in"
    )
    assert not choose([other, same], COURSE, "last").remark
    assert not choose([of_source(4, "c", 1), of_source(5, "d", 2)], COURSE, "last").remark
    assert not choose([found(None, 1), found(None, 2)], COURSE, "last").remark


def test_a_skeleton_never_counts_before_work() -> None:
    assert chosen([found(-5, 1, skeleton=True), found(5, 2)], "before-deadline")[0] == 2
    assert chosen([found(-5, 1), found(-1, 2, skeleton=True)])[0] == 1
    assert chosen([found(-5, 1, skeleton=True)])[0] == 1


def test_attempts_that_the_source_does_not_have_count_as_attempts() -> None:
    assert chosen([found(5, 1, before=-3)]) == (1, 2, 2)
    late = choose([found(5, 1, before=-3)], COURSE, "before-deadline")
    assert late.remark == (
        "amber: in.zip: 1.cu is late. The export does not have the attempt before the deadline: "
        "activate that one, and export again"
    )
    assert choose([found(5, 1, before=3)], COURSE, "before-deadline").remark == ""
    assert choose([found(-5, 1, before=-8)], COURSE, "before-deadline").remark == ""


def test_a_name_counts_before_a_time() -> None:
    helper = replace(found(9, 3), by="function")
    for policy in POLICIES:
        choice = choose([found(-1, 1), found(-2, 2), helper], COURSE, policy)
        assert choice.found.place[1] == 1
        assert choice.doubt is not None
        assert choice.doubt.remark == "1.cu is taken for diff, not 3.cu, which came later"
    older = replace(found(-9, 3), by="function")
    assert choose([found(-1, 1), older], COURSE, "last").doubt is None
    assert choose([replace(found(-1, 1), by="answer"), helper], COURSE, "last").doubt is None
    assert chosen([replace(found(-1, 1), by="word"), helper])[0] == 1
    assert chosen([found(-1, 1, skeleton=True), helper])[0] == 3


def test_the_same_content_counts_from_when_it_was_first_handed_in() -> None:
    again = replace(found(30, 2), member=found(0, 1).member)
    for policy in POLICIES:
        choice = choose([found(-1, 1), again], COURSE, policy)
        assert choice.found.when == DEADLINE - HOUR
    # A student who goes back to an older file has handed that one in last.
    back = choose([found(-5, 1), found(-1, 3), again], COURSE, "last")
    assert (back.found.member, back.found.when) == (again.member, DEADLINE - 5 * HOUR)
    timeless = [found(-1, 3), replace(again, when=None, place=(1, 4, 0))]
    assert choose(timeless, COURSE, "last").found.when is None


def test_a_copy_of_nothing_is_empty(tmp_path: Path) -> None:
    assert Member(("diff.cu",)).data() == b""
