"""The least time that a GPU needs for the calls of a lab, whatever kernels do them."""

from __future__ import annotations

import re

from tilelab.estimate.figures import Figures
from tilelab.model.lab import Estimate

# Each byte of an array that a call gets is read or written once at least, but for scratch memory.
_ARRAY = re.compile(r"\b(?:bits|fractions|units|zeros)\((\d+)\)")

_LANES = 128  # of a multiprocessor, which does an FP32 instruction in each per cycle


def milliseconds(asked: Estimate, gpu: Figures) -> float:
    """What memory needs to move the arrays, or the multiprocessors to compute."""
    moving = sum(_moving(sum(map(int, _ARRAY.findall(call))), gpu) for call in asked.calls)
    per_second = gpu.values["multiprocessors"] * _LANES * gpu.values["gigahertz"] * 1e9
    return 1e3 * max(moving, asked.instructions / per_second)


def _moving(count: int, gpu: Figures) -> float:
    """Seconds for this many bytes, which an earlier call may have left in the L2 cache."""
    if count <= gpu.values["l2_bytes"]:
        return count / gpu.values["l2_bytes_per_second"]
    return count / max(gpu.values["dram_read"], gpu.values["dram_copy"])
