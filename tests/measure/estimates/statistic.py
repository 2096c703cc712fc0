"""Statistics of estimates: errors, ranks and intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which a share of the values lie, between two of them if need be."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def ranks(values: Sequence[float]) -> list[float]:
    """Each value's place in ascending order; equal values share the mean of theirs."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    made = [0.0] * len(values)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and values[order[last + 1]] == values[order[first]]:
            last += 1
        for place in order[first : last + 1]:
            made[place] = (first + last) / 2
        first = last + 1
    return made


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Spearman's: the correlation of the ranks. NaN if all values of a side are equal."""
    a, b = ranks(one), ranks(other)
    mean_a, mean_b = mean(a), mean(b)
    both = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    spread = sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b)
    return both / math.sqrt(spread) if spread > 0 else math.nan
