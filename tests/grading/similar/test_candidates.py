"""Which pairs are compared: those that are alike, and never many for one file."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from tilelab.similar import candidates
from tilelab.similar.fingerprints import fingerprints


def ring(files: int, own: int) -> candidates.Prints:
    """Files with 100 fingerprints in common, and this many of their own."""
    chosen = random.Random(7)
    common = frozenset(chosen.randrange(2**61) for _ in range(100))
    return {
        f"s{number}": common | {chosen.randrange(2**61) for _ in range(own)}
        for number in range(files)
    }


def most(pairs: set[tuple[str, str]]) -> int:
    """With how many others a file is compared on average, rounded up."""
    files = Counter(itertools.chain.from_iterable(pairs))
    return -(-sum(files.values()) // len(files))


def test_a_passage_that_many_have_leads_to_its_neighbors_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(candidates, "NEAR", 5)
    found = candidates.candidates(ring(200, 10), [], 0.8)
    assert len({name for pair in found for name in pair}) == 200
    assert most(found) <= 10


def test_many_passages_that_few_have_lead_to_so_many_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file has fingerprints in common with each other one, another for each."""
    monkeypatch.setattr(candidates, "MOST", 10)
    pairs = itertools.combinations(range(60), 2)
    prints: dict[str, set[int]] = {f"s{number}": set() for number in range(60)}
    for number, (one, other) in enumerate(pairs):
        prints[f"s{one}"].add(number)
        prints[f"s{other}"].add(number)
    frozen = {name: frozenset(its) for name, its in prints.items()}
    assert len(candidates.candidates(frozen, [], 0.8)) <= 60 * 10


def test_small_classes_are_compared_as_a_whole() -> None:
    assert len(candidates.candidates(ring(40, 10), [], 0.8)) == 40 * 39 / 2


def test_pairs_are_in_the_order_of_the_class() -> None:
    prints = ring(30, 3)
    order = list(prints)
    for one, other in candidates.candidates(prints, [], 0.8):
        assert order.index(one) < order.index(other)


def test_files_with_passages_in_a_row_in_common_have_a_fingerprint_in_common() -> None:
    chosen = random.Random(1)
    for _ in range(100):
        row = [chosen.randrange(10**9) for _ in range(4)]
        one, other = (
            [*(chosen.randrange(10**9) for _ in range(chosen.randrange(30))), *row, 5, 6, 7]
            for _ in range(2)
        )
        assert fingerprints(one) & fingerprints(other) & {min(row), *row}


def test_a_passage_that_is_repeated_is_one() -> None:
    assert fingerprints([7] * 20_000) == {7}
    assert len(fingerprints(range(100_000))) == 4096
