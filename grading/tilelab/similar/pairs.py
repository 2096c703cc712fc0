"""Compares all files of a lab with each other."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tilelab.similar.tokens import PASSAGE, Passage, Token, passages, tokens

# With fewer passages of its own, a file says too little.
_LEAST = 30

# What more of the files have is how this lab is solved, if there are enough files to tell.
_COMMON = 0.25
_ENOUGH = 8


@dataclass(frozen=True)
class Alike:
    """Two files, by student, and the share of the passages of the smaller one that both have.

    `passages` is how many the smaller one has. The lines are those of the passages of both.
    """

    students: tuple[str, str]
    share: float
    passages: int
    lines: tuple[frozenset[int], frozenset[int]]


def alike(
    sources: Mapping[str, str], given: set[Passage], threshold: float
) -> tuple[list[Alike], list[list[str]]]:
    """Pairs of which the smaller file is in the other one to this share, most alike first.

    Files that are the same but for names, comments and white space come as groups, and the first
    of a group stands for it.
    """
    read = {student: tokens(source) for student, source in sources.items()}
    groups = _same(read)
    first = {group[0]: read[group[0]] for group in groups}
    own = _own_passages(first, given)
    found = []
    for one, other in itertools.combinations(own, 2):
        shared = own[one] & own[other]
        least = min(len(own[one]), len(own[other]))
        if len(shared) >= threshold * least:
            lines = (_lines(first[one], shared), _lines(first[other], shared))
            found.append(Alike((one, other), len(shared) / least, least, lines))
    found.sort(key=lambda pair: -pair.share)
    return found, [group for group in groups if len(group) > 1 and group[0] in own]


def _same(read: Mapping[str, Sequence[Token]]) -> list[list[str]]:
    groups: dict[tuple[str, ...], list[str]] = {}
    for student, its in read.items():
        groups.setdefault(tuple(token.text for token in its), []).append(student)
    return list(groups.values())


def _own_passages(
    read: Mapping[str, list[Token]], given: set[Passage]
) -> dict[str, frozenset[Passage]]:
    """The passages of each file that are not given and not in many files."""
    of_all = {student: set(passages(its)) - given for student, its in read.items()}
    if len(read) >= _ENOUGH:
        counts = Counter(passage for its in of_all.values() for passage in its)
        most = max(2.0, _COMMON * len(read))
        of_all = {
            student: {passage for passage in its if counts[passage] <= most}
            for student, its in of_all.items()
        }
    return {student: frozenset(its) for student, its in of_all.items() if len(its) >= _LEAST}


def _lines(its: list[Token], shared: frozenset[Passage]) -> frozenset[int]:
    return frozenset(
        token.line
        for at, passage in enumerate(passages(its))
        if passage in shared
        for token in its[at : at + PASSAGE]
    )
