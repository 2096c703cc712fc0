"""Which pairs of files are worth a comparison: this many per file, however large the class.

Files that are alike to a share have fingerprints in common, even among the rarest ones of either.
So each file looks only for the holders of its own rarest ones. If these have many holders, because
everybody copied or because everybody writes that, it meets those next to it in an order in which
files with the same fingerprints are neighbors.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from tilelab.similar.tokens import Passage

# Of the holders of a fingerprint, a file meets this many on each side.
NEAR = 50

# With this many other files a file is compared.
MOST = 2 * NEAR

# This many of its least fingerprints give a file its place among the others.
_SKETCH = 8

Prints = Mapping[str, frozenset[Passage]]

# The holders of each fingerprint, by their places.
_Index = Mapping[Passage, list[int]]


def candidates(prints: Prints, earlier: Collection[str], share: float) -> set[tuple[str, str]]:
    """Pairs of files that may be alike to this share, not of two `earlier` ones.

    The one that comes first in `prints` is first in each pair.
    """
    order = sorted(prints, key=lambda name: heapq.nsmallest(_SKETCH, prints[name]))
    now = _index(prints, {at: name for at, name in enumerate(order) if name not in earlier})
    before = _index(prints, {at: name for at, name in enumerate(order) if name in earlier})
    rank = {name: number for number, name in enumerate(prints)}
    found = set()
    for at, name in enumerate(order):
        rarest = _rarest(prints[name], now, before, share)
        for other in _met(at, rarest, [now] if name in earlier else [now, before]):
            one, two = sorted((name, order[other]), key=rank.__getitem__)
            found.add((one, two))
    return found


def _index(prints: Prints, places: Mapping[int, str]) -> _Index:
    index: dict[Passage, list[int]] = {}
    for at, name in places.items():
        for one in prints[name]:
            index.setdefault(one, []).append(at)
    return index


def _rarest(of: frozenset[Passage], now: _Index, before: _Index, share: float) -> list[Passage]:
    """So many that a file with the share of the others has one of them.

    Fingerprints can be alike to another share than passages. So half of it is enough.
    """
    ranked = sorted(of, key=lambda one: (len(now.get(one, ())) + len(before.get(one, ())), one))
    return ranked[: int(len(ranked) * (1 - share / 2)) + 1]


def _met(at: int, rarest: Iterable[Passage], indices: Sequence[_Index]) -> list[int]:
    """The files that a file is compared with: those with most of its rarest fingerprints."""
    met: Counter[int] = Counter()
    for index in indices:
        for one in rarest:
            holders = index.get(one, [])
            place = bisect_left(holders, at)
            met.update(holders[max(0, place - NEAR) : place + NEAR + 1])
    del met[at]
    return [other for other, _ in met.most_common(MOST)]
