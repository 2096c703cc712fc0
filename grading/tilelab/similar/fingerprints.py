"""A few passages that stand for a file: winnowing (Schleimer, Wilkerson, Aiken, 2003).

The least of each WINDOW passages in a row is a fingerprint. So two files that have WINDOW in a row
in common have a fingerprint in common, wherever these are.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from tilelab.similar.tokens import Passage

WINDOW = 4

# Of a file that has more, the least ones: those of a like file are for the most part the same.
_MOST = 4096


def fingerprints(of: Sequence[Passage]) -> frozenset[Passage]:
    """The fingerprints of the passages of a file."""
    windows = zip(*(of[start:] for start in range(WINDOW)), strict=False)
    return frozenset(heapq.nsmallest(_MOST, set(map(min, windows))))
