"""Where loops begin and end, how they go on, and what a round leaves for the next."""

from __future__ import annotations

from collections.abc import Iterator

from tilelab.repairs.code import Code
from tilelab.repairs.edit import Edit
from tilelab.repairs.families.loops import ahead, bounds, rounds, steps

_FAMILIES = (ahead, bounds, rounds, steps)


def of(code: Code) -> Iterator[Edit]:
    for family in _FAMILIES:
        yield from family.of(code)
