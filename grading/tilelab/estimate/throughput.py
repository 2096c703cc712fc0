"""How fast a multiprocessor computes, by compute capability: results per cycle.

Sources: "Throughput of Native Arithmetic Instructions" in the CUDA C++ Programming Guide, which is
in the Best Practices Guide since CUDA 13, and for the L1 cache "Technical Specifications per
Compute Capability" in the Programming Guide.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilelab.estimate.multiprocessor import Capability

_LANES = 32
_QUARTERS = 4
_FMA_HALVES = 2
_KIB = 1024


@dataclass(frozen=True)
class Throughput:
    """Results per cycle and multiprocessor, and KiB of L1 cache and shared memory together.

    `fp32` and `fp64` are multiply-adds, `logic` bitwise operations, shifts and comparisons of
    integers, and `special` reciprocals, square roots and sines.
    """

    fp32: int
    logic: int
    special: int
    fp64: int
    l1_kib: int

    def figures(self) -> dict[str, float]:
        """What the estimator calls them: cycles for which an instruction keeps a pipe busy."""
        return {
            "l1_bytes": self.l1_kib * _KIB,
            "fma": _FMA_HALVES * _cycles(self.fp32),
            "alu": _cycles(self.logic),
            "xu": _cycles(self.special),
            "fp64": _cycles(self.fp64),
        }


def _cycles(per_cycle: int) -> int:
    return _LANES * _QUARTERS // per_cycle


_KNOWN: dict[Capability, Throughput] = {
    (7, 0): Throughput(64, 64, 16, 32, 128),
    (7, 5): Throughput(64, 64, 16, 2, 96),
    (8, 0): Throughput(64, 64, 16, 32, 192),
    (8, 6): Throughput(128, 64, 16, 2, 128),
    (8, 9): Throughput(128, 64, 16, 2, 128),
    (9, 0): Throughput(128, 64, 16, 64, 256),
    (10, 0): Throughput(128, 64, 16, 64, 256),
    (12, 0): Throughput(128, 64, 16, 2, 128),
}


def of(capability: Capability) -> Throughput | None:
    """The throughput of a compute capability, None if it is not known here."""
    return _KNOWN.get(capability)


def capabilities() -> list[Capability]:
    """The compute capabilities whose throughput is known, the oldest first."""
    return sorted(_KNOWN)
