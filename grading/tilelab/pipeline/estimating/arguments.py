"""Whether two runs of the same call pass the same arguments to a kernel."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

from tilelab.pipeline.estimating.launches import ARRAYS, VARIABLES

# A judge writes six digits of a number after its point.
_ROUNDING = 1e-4


def are_alike(recorded: Sequence[str], observed: Sequence[str], most: int | None) -> bool:
    """Whether launches in their order have the same arguments, of which only some were observed.

    With `most`, arguments of more bytes are not compared.
    """
    return len(recorded) >= len(observed) and all(
        _are_alike(one.split(" "), other.split(" "), most)
        for one, other in zip(recorded, observed, strict=False)
    )


def _are_alike(recorded: Sequence[str], observed: Sequence[str], most: int | None) -> bool:
    pairs = [
        (bytes.fromhex(one), bytes.fromhex(other))
        for one, other in zip(recorded, observed, strict=False)
    ]
    return len(recorded) == len(observed) and all(
        len(one) == len(other) and (_is_same(one, other) or (most and len(one) > most))
        for one, other in pairs
    )


def _is_same(recorded: bytes, observed: bytes) -> bool:
    words = range(0, len(recorded), 8)
    return all(_is_same_word(recorded[at : at + 8], observed[at : at + 8]) for at in words)


def _is_same_word(one: bytes, other: bytes) -> bool:
    """Whether up to eight bytes are the same, as numbers up to rounding."""
    if one == other:
        return True
    numbers = int.from_bytes(one, "little"), int.from_bytes(other, "little")
    if all(VARIABLES <= number < ARRAYS for number in numbers):
        return True  # two programs have them at different addresses
    if any(ARRAYS <= number < 2 * ARRAYS - VARIABLES for number in numbers):
        return False
    halves = zip((one[:4], one[4:]), (other[:4], other[4:]), strict=True)
    return _is_close("d", one, other) or all(a == b or _is_close("f", a, b) for a, b in halves)


def _is_close(kind: str, one: bytes, other: bytes) -> bool:
    """Whether both are such numbers. Whole numbers, taken for floats, are next to 0."""
    if len(one) != struct.calcsize(kind) or len(other) != len(one):
        return False
    (a,), (b,) = struct.unpack(f"<{kind}", one), struct.unpack(f"<{kind}", other)
    least = 2.0**-126 if kind == "f" else 2.0**-1022
    is_normal = min(abs(a), abs(b)) >= least
    return is_normal and math.isclose(a, b, rel_tol=_ROUNDING)
