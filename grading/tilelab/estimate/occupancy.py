"""Theoretical occupancy: how many warps a multiprocessor has room for, and what limits them.

The rules are those of NVIDIA's cuda_occupancy.h, which a test compares this with.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilelab.estimate.multiprocessor import Multiprocessor

_LANES = 32
_MOST_THREADS = 1024  # of a block
REGISTERS = 65536  # of a multiprocessor, and of a block at most
_REGISTER_UNIT = 256  # a warp gets a multiple of this many
_PARTITIONS = 4  # of a multiprocessor; each has a quarter of its registers


@dataclass(frozen=True)
class Block:
    """What a block needs: threads, registers per thread, and bytes of shared memory of its own."""

    threads: int
    registers: int
    shared_bytes: int


@dataclass(frozen=True)
class Occupancy:
    """How many blocks a multiprocessor has room for.

    `limits` says how many each resource leaves room for: "warps", "blocks", "registers" and
    "shared memory". If the launch is impossible, that is 0.
    """

    limits: dict[str, int]
    warps_per_block: int
    most_warps: int

    @property
    def blocks(self) -> int:
        return min(self.limits.values())

    @property
    def warps(self) -> int:
        return self.blocks * self.warps_per_block

    @property
    def share(self) -> float:
        """The warps as a share of the most that a multiprocessor can hold, 0 to 1."""
        return self.warps / self.most_warps

    @property
    def limiters(self) -> list[str]:
        """The resources that leave no room for another block."""
        return [name for name, blocks in self.limits.items() if blocks == self.blocks]


def occupancy(block: Block, multiprocessor: Multiprocessor) -> Occupancy:
    """The occupancy that blocks of this kind reach if there are enough of them."""
    warps = _up(block.threads, _LANES) // _LANES
    fits = 0 < block.threads <= _MOST_THREADS
    limits = {
        "warps": multiprocessor.warps // warps if fits else 0,
        "blocks": multiprocessor.blocks,
        "registers": _by_registers(block.registers, warps),
        "shared memory": _by_shared_memory(block.shared_bytes, multiprocessor),
    }
    return Occupancy(limits, warps, multiprocessor.warps)


def _by_registers(registers: int, warps: int) -> int:
    # A kernel without registers would have room for any number of blocks.
    per_warp = _up(max(registers, 1) * _LANES, _REGISTER_UNIT)
    # A launch is refused as if each partition held as many warps of the block as the fullest one.
    if per_warp * _up(warps, _PARTITIONS) > REGISTERS:
        return 0
    return REGISTERS // _PARTITIONS // per_warp * _PARTITIONS // warps


def _by_shared_memory(shared_bytes: int, multiprocessor: Multiprocessor) -> int:
    if shared_bytes > multiprocessor.shared_bytes_per_block:
        return 0
    taken = _up(shared_bytes + multiprocessor.reserved_bytes, multiprocessor.unit)
    return multiprocessor.shared_bytes // taken if taken else multiprocessor.blocks


def _up(number: int, unit: int) -> int:
    """The next multiple of `unit`."""
    return -(-number // unit) * unit
