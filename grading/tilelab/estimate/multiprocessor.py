"""What a multiprocessor holds at most, by compute capability.

Source: "Technical Specifications per Compute Capability" in the CUDA C++ Programming Guide.
"""

from __future__ import annotations

from dataclasses import dataclass

Capability = tuple[int, int]

_KIB = 1024


@dataclass(frozen=True)
class Multiprocessor:
    """The limits of one multiprocessor. All of them have 65,536 registers of 4 bytes.

    CUDA takes `reserved_bytes` of shared memory for each block, and rounds what a block gets up to
    a multiple of `unit` bytes.
    """

    threads: int
    blocks: int
    shared_bytes: int
    shared_bytes_per_block: int
    reserved_bytes: int = 1 * _KIB
    unit: int = 128

    @property
    def warps(self) -> int:
        return self.threads // 32


_LIMITS: dict[Capability, Multiprocessor] = {
    (3, 5): Multiprocessor(2048, 16, 48 * _KIB, 48 * _KIB, 0, 256),
    (7, 0): Multiprocessor(2048, 32, 96 * _KIB, 96 * _KIB, 0, 256),
    (7, 5): Multiprocessor(1024, 16, 64 * _KIB, 64 * _KIB, 0, 256),
    (8, 0): Multiprocessor(2048, 32, 164 * _KIB, 163 * _KIB),
    (8, 6): Multiprocessor(1536, 16, 100 * _KIB, 99 * _KIB),
    (8, 7): Multiprocessor(1536, 16, 164 * _KIB, 163 * _KIB),
    (8, 9): Multiprocessor(1536, 24, 100 * _KIB, 99 * _KIB),
    (9, 0): Multiprocessor(2048, 32, 228 * _KIB, 227 * _KIB),
    (10, 0): Multiprocessor(2048, 32, 228 * _KIB, 227 * _KIB),
    (10, 3): Multiprocessor(2048, 32, 228 * _KIB, 227 * _KIB),
    (12, 0): Multiprocessor(1536, 24, 100 * _KIB, 99 * _KIB),
    (12, 1): Multiprocessor(1536, 24, 100 * _KIB, 99 * _KIB),
}


def of(capability: Capability) -> Multiprocessor | None:
    """The limits for a compute capability, None if they are not known here."""
    return _LIMITS.get(capability)


def capabilities() -> list[Capability]:
    """The compute capabilities whose limits are known, the oldest first."""
    return sorted(_LIMITS)
