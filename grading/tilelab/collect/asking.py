"""Reads what students ask about their grades, in a file `question.md` of theirs."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tilelab.base.text import printable
from tilelab.collect.decisions import answer
from tilelab.collect.members import Member
from tilelab.collect.questions import Question
from tilelab.model.grade import Asked

_LONGEST = 4000  # characters of a question
_MOST = 20  # questions in a file
_MOST_CHARACTERS = 100_000


@dataclass
class Read:
    """The questions in a file, a line about each that was not taken as it is, and what to ask."""

    asked: list[Asked] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


def read(member: Member, student: str, labs: Sequence[str], at: str | None, lab: str = "") -> Read:
    """What a student asks. Each question begins with its lab and may name a line, "diff, line 3:".

    `lab` is what a text is about that names none. Lines that begin with > are ours.
    """
    found = Read()
    if member.copy is None:
        return found
    where = f"{student}: {member.shown}"
    text = _text(member.data())
    if len(text) > _MOST_CHARACTERS:
        found.unsure.append(f"{where} has more than {_MOST_CHARACTERS:,} characters, so it is cut")
    for name, line, body in _parts(text[:_MOST_CHARACTERS], labs):
        if not body:
            continue
        if len(found.asked) == _MOST:
            found.unsure.append(f"{where} has more than {_MOST} questions; the first are taken")
            break
        if len(body) > _LONGEST:
            found.unsure.append(f"{where}: a question has more than {_LONGEST} characters: cut")
        if name or lab:
            found.asked.append(Asked(student, name or lab, line, body[:_LONGEST], at))
        else:
            found.questions.append(_which_lab(member, student))
    return found


def _which_lab(member: Member, student: str) -> Question:
    line = f"{student}: {member.shown} asks about a grade, and does not begin with a lab"
    return Question(line, (answer(member.key, student, "LAB"), answer(member.key)))


def _parts(text: str, labs: Sequence[str]) -> list[tuple[str, int, str]]:
    """The lab, the line and the text of each question. What comes before the first lab has none."""
    names = "|".join(map(re.escape, sorted(labs, key=len, reverse=True)))
    head = re.compile(
        rf"[#*\s]{{0,9}}(?P<lab>{names})(?:\.cu)?(?:[\s,:*]{{1,9}}(?:line\s{{0,9}})?(?P<line>\d{{1,6}}))?"
        r"[\s*]{0,9}:[\s*]{0,9}(?P<rest>.*)",
        re.IGNORECASE,
    )
    parts: list[tuple[str, int, list[str]]] = [("", 0, [])]
    for line in text.splitlines():
        if line.lstrip().startswith(">"):
            continue
        if match := head.fullmatch(line):
            number = int(match["line"] or 0)
            parts.append((match["lab"].lower(), number, [match["rest"]]))
        else:
            parts[-1][2].append(line)
    return [(lab, line, printable("\n".join(lines)).strip()) for lab, line, lines in parts]


def _text(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
