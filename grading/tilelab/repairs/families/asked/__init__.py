"""What a condition asks, where one is missing or should not be, and against which size."""

from __future__ import annotations

from collections.abc import Iterator

from tilelab.repairs.code import Code
from tilelab.repairs.edit import Edit
from tilelab.repairs.families.asked import bounds, conditions, guards, ties

_FAMILIES = (bounds, ties, guards, conditions)


def of(code: Code) -> Iterator[Edit]:
    for family in _FAMILIES:
        yield from family.of(code)
