"""What an instructor is asked, and the options that answer it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilelab.base.text import listed_few, one_line
from tilelab.collect.choosing import Found
from tilelab.collect.decisions import answer
from tilelab.collect.members import Member
from tilelab.collect.sorting import Doubt

_SHOWN_FILES = 4
_SHOWN_QUESTIONS = 10
_UNKNOWN_LAB = "LAB"  # in an option, for the instructor to replace


@dataclass(frozen=True)
class Question:
    """A line that says what is not clear, and the options of `collect` of which one settles it."""

    line: str
    answers: tuple[str, ...]


@dataclass(frozen=True)
class Left:
    """A file of a student that no lab got. `lab` is the one that it may be for, or ""."""

    member: Member
    lab: str


def few(questions: Sequence[Question], where: str) -> list[Question]:
    """The first of many questions about one student or source, and how many more there are."""
    if len(questions) <= _SHOWN_QUESTIONS:
        return list(questions)
    more = len(questions) - _SHOWN_QUESTIONS
    return [*questions[:_SHOWN_QUESTIONS], Question(f"{where}{more} more files like these", ())]


def about_choice(student: str, doubt: Doubt) -> Question:
    answers = tuple(answer(one.key, student, doubt.lab) for one in doubt.choices)
    return Question(f"{student}: {doubt.remark}", answers)


def about_passed(found: Found) -> Question:
    return Question(
        f"{found.student}: the class has {found.lab}.cu under its own name, so "
        f"{found.member.shown} is not taken",
        (answer(found.member.key, found.student, found.lab), answer(found.member.key)),
    )


def about_kernel(student: str, member: Member) -> Question:
    return Question(
        f"{student}: {member.shown}: nothing says which lab it is for",
        (answer(member.key, student, _UNKNOWN_LAB), answer(member.key)),
    )


def about_stray(one: Left) -> Question:
    key = one.member.key
    return Question(
        f"{one.member.shown} belongs to no student",
        (answer(key, "STUDENT", one.lab or _UNKNOWN_LAB), answer(key)),
    )


def about_left(student: str, labs: Sequence[str], left: Sequence[Left]) -> Question:
    """For example `clover: no diff.cu, but Diff.txt`."""
    missing = ", ".join(f"no {lab}.cu" for lab in labs) or "no kernel"
    names = list(dict.fromkeys(one_line(one.member.name) for one in left))
    line = f"{student}: {missing}, but {listed_few(names, _SHOWN_FILES)}"
    taken = [_taking(student, labs, one) for one in left if one.member.copy is not None]
    if not taken:
        line += ", which is no program: ask for the file"
    shown = [*taken[:_SHOWN_FILES], *(answer(one.member.key) for one in left[:_SHOWN_FILES])]
    return Question(line, tuple(shown))


def _taking(student: str, labs: Sequence[str], one: Left) -> str:
    lab = one.lab or (labs[0] if len(labs) == 1 else _UNKNOWN_LAB)
    return answer(one.member.key, student, lab)
