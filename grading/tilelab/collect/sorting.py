"""Sorts the files of one attempt by labs, and says what it could not be sure of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tilelab.collect.members import Member
from tilelab.collect.naming import (
    SURENESS,
    Guess,
    guess,
    is_given,
    is_skeleton,
    without_harness,
)
from tilelab.model.lab import Lab
from tilelab.pipeline import intake


@dataclass(frozen=True)
class Candidate:
    """A file that may be the submission for a lab."""

    member: Member
    guess: Guess
    is_skeleton: bool


@dataclass(frozen=True)
class Doubt:
    """A choice that may be wrong, as a sentence. `choices` may be the file for the lab."""

    remark: str
    lab: str
    choices: tuple[Member, ...]


@dataclass
class Sorted:
    """The files that count, a doubt about each that may be wrong, and the files left over."""

    files: list[Candidate] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    kernels: list[Member] = field(default_factory=list)  # left over
    others: list[Member] = field(default_factory=list)


def sort(members: Sequence[Member], labs: Sequence[Lab]) -> Sorted:
    """At most one file per lab and number of the copy."""
    found = Sorted()
    by_name = {lab.name: lab for lab in labs}
    candidates: dict[str, list[Candidate]] = {}
    left = intake.MAX_BYTES  # to look into: nobody's work is more
    for member in without_harness(list(members), labs):
        if not member.is_kernel:
            found.others.append(member)
            continue
        guessed = guess(member, labs, left)
        size = len(member.data())
        if (guessed is None or guessed.by != "name") and size <= left:
            left -= size
            if is_given(member, labs):
                continue
        if guessed:
            skeleton = is_skeleton(member, by_name[guessed.lab])
            candidates.setdefault(guessed.lab, []).append(Candidate(member, guessed, skeleton))
        else:
            found.kernels.append(member)
    for lab, several in candidates.items():
        _choose(lab, several, found)
    return found


def _choose(lab: str, several: list[Candidate], found: Sorted) -> None:
    ordered = sorted(several, key=lambda one: _rank(one, lab))
    best = ordered[0]
    chosen: dict[int, Candidate] = {}
    for one in ordered:
        is_equal = _worth(one) == _worth(best)
        is_first = one.guess.copy not in chosen if one.guess.by == "name" else not chosen
        if is_equal and is_first:
            chosen[one.guess.copy] = one
        elif not one.is_skeleton and one.member.data() != best.member.data():
            remark = (
                f"{best.member.shown} is taken for {lab}, not {one.member.shown}, which differs"
            )
            found.doubts.append(Doubt(remark, lab, (best.member, one.member)))
    found.files += [chosen[copy] for copy in sorted(chosen)]


def _worth(one: Candidate) -> tuple[bool, int, bool]:
    return one.is_skeleton, SURENESS[one.guess.by], one.guess.is_backup


def _rank(one: Candidate, lab: str) -> tuple[object, ...]:
    path = one.member.path
    return (
        *_worth(one),
        path[-3:-1] != ("labs", lab),
        len(path),
        path[-1] != f"{lab}.cu",
        path,
    )
