"""Which tests run: all, or those of the first tier and what a change or a draw adds to them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# Why a test runs, the most important first.
FIRST = "the first tier"
SAMPLE = "the sample"
CHANGE = "the change"
ROTATION = "the rotation"
REASONS = (FIRST, SAMPLE, CHANGE, ROTATION)
WHILE_TIME = (CHANGE, ROTATION)

# What a test that is skipped for lack of time says.
LEFT_OUT = "left out"

# The preset that every test may use.
PRESET = "emulator"


@dataclass(frozen=True)
class Subject:
    """What a plan asks of a test. One without `pool` that is not `thorough` is of the first tier.

    A draw takes `count` of the tests of a `pool`. `lab` is the lab whose file the test judges.
    """

    name: str
    folder: str
    thorough: bool = False
    pool: str | None = None
    count: int = 1
    lab: str | None = None
    preset: str = PRESET


@dataclass(frozen=True)
class Plan:
    """What runs besides the first tier, with these presets.

    That is a sample of each pool, every test in the folders `whole`, every file of `labs`, and one
    in `one_in` of the others. The seed decides what is drawn. What is thorough on another preset
    than the usual one is only drawn.
    """

    seed: int
    presets: frozenset[str] = frozenset((PRESET,))
    whole: frozenset[str] = frozenset()
    labs: frozenset[str] = frozenset()
    one_in: int = 0

    def reasons(self, subjects: Iterable[Subject]) -> Mapping[str, str]:
        """Why each test runs, by its name. The others do not."""
        found = [one for one in subjects if one.preset in self.presets]
        drawn = self._drawn(found)
        reasons = {one.name: self._reason(one, drawn) for one in found}
        return {name: reason for name, reason in reasons.items() if reason}

    def _reason(self, one: Subject, drawn: frozenset[str]) -> str | None:
        if not one.thorough and one.pool is None:
            return FIRST
        if one.name in drawn:
            return SAMPLE
        if one.lab in self.labs and not one.thorough:
            return CHANGE
        if one.folder in self.whole and not (one.thorough and one.preset != PRESET):
            return CHANGE
        return ROTATION if self.one_in and self._number(one) % self.one_in == 0 else None

    def _drawn(self, subjects: Iterable[Subject]) -> frozenset[str]:
        pools: dict[str, list[Subject]] = {}
        for one in subjects:
            if one.pool is not None and not one.thorough:
                pools.setdefault(one.pool, []).append(one)
        return frozenset(
            one.name
            for pool in pools.values()
            for one in sorted(pool, key=self._number)[: pool[0].count]
        )

    def _number(self, one: Subject) -> int:
        """A number that depends on the seed and the test alone, as random as a hash."""
        digest = hashlib.sha256(f"{self.seed} {one.name}".encode()).digest()
        return int.from_bytes(digest[:8], "big")
