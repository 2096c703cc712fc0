"""Chooses which pairs are shown if there are many, so that a large ring hides nobody else."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

# More do not help: they are usually the same files again.
MOST = 50


@dataclass(frozen=True)
class Found:
    """Two files that are alike, as in pairs.Alike."""

    students: tuple[str, str]
    share: float
    passages: int


@dataclass(frozen=True)
class Chosen:
    """The pairs to show, how many more there are, and who is in none of those shown."""

    pairs: list[Found]
    more: int
    also: list[str]


def choose(pairs: Sequence[Found]) -> Chosen:
    """At most MOST of the pairs, which come with the most alike first, and stay in that order.

    Those come first that link a file to its ring, the best ones of each ring before the others.
    """
    rings = _Rings()
    links = [pair for pair in pairs if rings.join(*pair.students)]
    by_ring: dict[str, list[Found]] = {}
    for pair in links:
        by_ring.setdefault(rings.of(pair.students[0]), []).append(pair)
    turns = itertools.zip_longest(*by_ring.values())
    ranked = [pair for turn in turns for pair in turn if pair]
    linking = {pair.students for pair in links}
    ranked += [pair for pair in pairs if pair.students not in linking]
    kept = {pair.students for pair in ranked[:MOST]}
    shown = {student for students in kept for student in students}
    everybody = dict.fromkeys(student for pair in pairs for student in pair.students)
    return Chosen(
        [pair for pair in pairs if pair.students in kept],
        len(pairs) - len(kept),
        [student for student in everybody if student not in shown],
    )


class _Rings:
    """Files that pairs connect, directly or through others."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def of(self, name: str) -> str:
        """The one file that stands for the ring of this one."""
        while (above := self._above.get(name, name)) != name:
            self._above[name] = self._above.get(above, above)
            name = above
        return name

    def join(self, one: str, other: str) -> bool:
        """Whether the two were in different rings until now."""
        first, second = self.of(one), self.of(other)
        self._above[first] = second
        return first != second
