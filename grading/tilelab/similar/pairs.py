"""Compares the files of a lab with each other, and with those of earlier years."""

from __future__ import annotations

import hashlib
import re
import statistics
from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from tilelab.similar import shown
from tilelab.similar.candidates import candidates
from tilelab.similar.fingerprints import fingerprints
from tilelab.similar.shown import Found
from tilelab.similar.tokens import PASSAGE, Passage, passages, tokens

# With fewer passages of its own, a file says nothing.
LEAST = 30

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

    Of a group, only the first is in pairs. `more` pairs are left out, and with them `also`, who are
    in no other pair. `silent` have too little code of their own to say anything. `earlier` files
    were compared, too.
    """

    files: int
    groups: list[Same]
    pairs: list[Alike]
    is_short: bool  # whether the lab has few good answers
    more: int = 0
    also: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    earlier: int = 0


@dataclass(frozen=True)
class _File:
    """A file in little memory: its passages in order, the line of each token, and a checksum."""

    passages: array[int]
    lines: array[int]
    checksum: bytes

    def own(self, given: set[Passage]) -> array[int]:
        return array("Q", set(self.passages) - given)

    def lines_of(self, shared: set[Passage]) -> frozenset[int]:
        found: set[int] = set()
        hits = bytes(map(shared.__contains__, self.passages))
        for run in re.finditer(b"\1+", hits):
            found.update(self.lines[run.start() : run.end() + PASSAGE - 1])
        return frozenset(found)


def compare(
    sources: Mapping[str, str],
    given: set[Passage],
    threshold: float,
    earlier: Mapping[str, str] | None = None,
    teams: Mapping[str, str] | None = None,
) -> Likeness:
    """Finds the pairs of which the smaller file is in the other one to this share.

    No pair is of two files of `earlier` years, or of students of one of the `teams`.
    """
    texts = {**sources, **(earlier or {})}
    files = {student: _read(text) for student, text in texts.items()}
    groups = _same(files)
    own = {group[0]: its for group in groups if len(its := files[group[0]].own(given)) >= LEAST}
    prints = {
        student: fingerprints([one for one in files[student].passages if one not in given])
        for student in own
    }
    of_one_team = _of_one_team(groups, teams or {})
    met = candidates(prints, own.keys() - sources.keys(), threshold)
    met = {pair for pair in met if not of_one_team(pair)}
    alike = _alike(own, met, threshold)
    found = shown.choose(alike)
    told = sources.keys() | {student for pair in alike for student in pair.students}
    same = [
        Same(group, len({texts[student] for student in group}) == 1)
        for group in groups
        if len(group) > 1 and group[0] in own and group[0] in told and not of_one_team(group[:1])
    ]
    middle = statistics.median(len(its) for its in own.values()) if own else 0
    silent = [one for group in groups if group[0] not in own for one in group if one in sources]
    return Likeness(
        len(sources),
        same,
        [_told(one, own, files) for one in found.pairs],
        middle < _SHORT,
        found.more,
        found.also,
        silent,
        len(earlier or {}),
    )


def _read(text: str) -> _File:
    its = tokens(text)
    checksum = hashlib.sha256("\0".join(token.text for token in its).encode()).digest()
    lines = array("I", [token.line for token in its])
    return _File(array("Q", passages(its)), lines, checksum)


def _same(files: Mapping[str, _File]) -> list[list[str]]:
    groups: dict[bytes, list[str]] = {}
    for student, its in files.items():
        groups.setdefault(its.checksum, []).append(student)
    return list(groups.values())


def _of_one_team(
    groups: list[list[str]], teams: Mapping[str, str]
) -> Callable[[Iterable[str]], bool]:
    """Tells whether all who have one of these files, by the first who has it, hand in together."""
    having = {group[0]: {teams.get(one, "") for one in group} for group in groups}

    def tell(firsts: Iterable[str]) -> bool:
        found = set[str]().union(*(having[first] for first in firsts))
        return len(found) == 1 and "" not in found

    return tell


def _alike(
    own: Mapping[str, array[int]], met: set[tuple[str, str]], threshold: float
) -> list[Found]:
    rank = {student: number for number, student in enumerate(own)}
    found = []
    last, its = "", frozenset[int]()
    for one, other in sorted(met, key=lambda pair: (rank[pair[0]], rank[pair[1]])):
        if one != last:
            last, its = one, frozenset(own[one])
        least = min(len(own[one]), len(own[other]))
        shared = len(its.intersection(own[other]))
        if shared >= threshold * least:
            found.append(Found((one, other), shared / least, least))
    return sorted(found, key=lambda pair: -pair.share)


def _told(pair: Found, own: Mapping[str, array[int]], files: Mapping[str, _File]) -> Alike:
    one, other = pair.students
    shared = set(own[one]).intersection(own[other])
    lines = (files[one].lines_of(shared), files[other].lines_of(shared))
    return Alike(pair.students, pair.share, pair.passages, lines)
