"""Compares all files of a lab with each other."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Mapping
from dataclasses import dataclass

from tilelab.similar.tokens import PASSAGE, Passage, Token, passages, tokens

# With fewer passages of its own, a file says nothing.
_LEAST = 30

# With fewer, files that were written independently are often alike.
_SHORT = 150


@dataclass(frozen=True)
class Alike:
    """Two files, by student, and the share of the passages of the smaller one that both have.

    `passages` is how many the smaller one has. The lines are those of the passages of both.
    """

    students: tuple[str, str]
    share: float
    passages: int
    lines: tuple[frozenset[int], frozenset[int]]


@dataclass(frozen=True)
class Same:
    """Files that are the same but for names, comments and white space, or `to_the_letter`."""

    students: list[str]
    to_the_letter: bool


@dataclass(frozen=True)
class Likeness:
    """What was found among the files of a lab: groups of the same, and pairs, most alike first.

    Of a group, only the first is in pairs.
    """

    files: int
    groups: list[Same]
    pairs: list[Alike]
    is_short: bool  # whether the lab has few good answers


def compare(sources: Mapping[str, str], given: set[Passage], threshold: float) -> Likeness:
    """Finds the pairs of which the smaller file is in the other one to this share."""
    read = {student: tokens(source) for student, source in sources.items()}
    groups = _same(read)
    own = {
        group[0]: its
        for group in groups
        if len(its := frozenset(passages(read[group[0]])) - given) >= _LEAST
    }
    same = [
        Same(group, len({sources[student] for student in group}) == 1)
        for group in groups
        if len(group) > 1 and group[0] in own
    ]
    pairs = []
    for one, other in itertools.combinations(own, 2):
        shared = own[one] & own[other]
        least = min(len(own[one]), len(own[other]))
        if len(shared) >= threshold * least:
            lines = (_lines(read[one], shared), _lines(read[other], shared))
            pairs.append(Alike((one, other), len(shared) / least, least, lines))
    middle = statistics.median(len(its) for its in own.values()) if own else 0
    pairs.sort(key=lambda pair: -pair.share)
    return Likeness(len(sources), same, pairs, middle < _SHORT)


def _same(read: Mapping[str, list[Token]]) -> list[list[str]]:
    groups: dict[tuple[str, ...], list[str]] = {}
    for student, its in read.items():
        groups.setdefault(tuple(token.text for token in its), []).append(student)
    return list(groups.values())


def _lines(its: list[Token], shared: frozenset[Passage]) -> frozenset[int]:
    return frozenset(
        token.line
        for at, passage in enumerate(passages(its))
        if passage in shared
        for token in its[at : at + PASSAGE]
    )
