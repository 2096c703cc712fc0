"""Who the students of a source are: those of the roster, unless it could be somebody else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from tilelab.base.text import listed, one_line
from tilelab.collect.attempts import Attempt, Identity
from tilelab.collect.decisions import Decisions, answer
from tilelab.collect.questions import Question
from tilelab.collect.roster.people import Roster
from tilelab.model.student import Student


@dataclass
class Identified:
    """The key of each student of the roster, by what a source calls them.

    `strangers` are the others. `nobody` are those whose files count as nothing.
    """

    keys: dict[str, str] = field(default_factory=dict)
    strangers: set[str] = field(default_factory=set)
    nobody: set[str] = field(default_factory=set)
    questions: list[Question] = field(default_factory=list)


def identify(attempts: Sequence[Attempt], roster: Roster, decisions: Decisions) -> Identified:
    """A name says who somebody is only if nobody else has it, in the roster and in the source."""
    found = Identified()
    identities = {one.own: one for attempt in attempts for one in attempt.students}
    claims: dict[str, list[str]] = defaultdict(list)
    named: dict[str, str] = {}
    for own, identity in identities.items():
        if decision := decisions.of_student(own):
            if not decision.student:
                found.nobody.add(own)
                continue
            keys, by_name = [decision.student], False
        else:
            keys, by_name = roster.candidates(identity)
        if len(keys) > 1:
            found.questions.append(_namesakes(identity, [roster.student(key) for key in keys]))
        elif keys:
            found.keys[own] = keys[0]
            claims[keys[0]].append(own)
            if by_name:
                named[own] = keys[0]
    for own, key in named.items():
        others = [other for other in claims[key] if other != own]
        if others:
            del found.keys[own]
            found.questions.append(_same_name(own, others, roster.student(key)))
    found.strangers = set(identities) - set(found.keys) - found.nobody
    return found


def _namesakes(identity: Identity, students: Sequence[Student]) -> Question:
    own = one_line(identity.own)
    who = " or ".join(map(_described, students))
    return Question(f"{own} may be {who}", tuple(answer(own, one.key) for one in students))


def _same_name(own: str, others: Sequence[str], student: Student) -> Question:
    own = one_line(own)
    also = listed(map(one_line, others))
    return Question(
        f"{own} may be {_described(student)}, and so may {also}", (answer(own, student.key),)
    )


def _described(student: Student) -> str:
    """For example `kim1 (id 0042, kim@uni.edu)`."""
    facts = [f"id {one_line(student.id)}"] if student.id else []
    facts += [one_line(student.email)] if student.email else []
    return f"{student.key} ({', '.join(facts)})" if facts else student.key
