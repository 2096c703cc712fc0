"""Whether a GPU would refuse a launch: the emulator does not know what nvcc's kernels take."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tilelab.estimate import multiprocessor
from tilelab.estimate.multiprocessor import Capability
from tilelab.estimate.occupancy import REGISTERS, Block, occupancy
from tilelab.model.recording import Launch
from tilelab.pipeline.estimating import launches
from tilelab.pipeline.estimating.launches import Kernel, Recording
from tilelab.pipeline.estimating.recording import Recorder

_SHARED_BYTES = 48 << 10  # of a block, unless the program raises that
_RAISES = "cudaFuncSetAttribute"


def of(recorder: Recorder, recorded: Sequence[Recording], capability: Capability) -> str | None:
    """Which launch of these calls a GPU of this capability refuses, and why; None if it takes all.

    Raises UserError if nvcc has no such kernel.
    """
    for one in recorded:
        kernels = launches.of_launches(one, recorder.symbols, recorder.machine.kernels)
        for launch, kernel in zip(one.launches, kernels, strict=True):
            if why := _why(launch, kernel, capability, _RAISES in recorder.compiled.text):
                return f"A GPU refuses the launch of {launch.kernel}: {why}"
    return None


def _why(launch: Launch, kernel: Kernel, capability: Capability, is_raised: bool) -> str | None:
    threads = math.prod(launch.block)
    if kernel.most_threads is not None and threads > kernel.most_threads:
        return (
            f"its blocks have {threads:,} threads, and its __launch_bounds__ promise at most "
            f"{kernel.most_threads:,}."
        )
    static, dynamic = kernel.static_shared_bytes, launch.dynamic_shared_bytes
    if not is_raised and static + dynamic > _SHARED_BYTES:
        return (
            f"{static:,} bytes of static and {dynamic:,} bytes of dynamic shared memory are more "
            f"than {_SHARED_BYTES:,} bytes, and {_RAISES}() has not raised that limit."
        )
    limits = multiprocessor.of(capability)
    if limits is None:
        return None
    room = occupancy(Block(threads, kernel.registers, static + dynamic), limits).limits
    if room["registers"] == 0:
        return (
            f"{threads:,} threads with {kernel.registers} registers each need more than the "
            f"{REGISTERS:,} registers that there are. Make its blocks smaller, or tell the "
            f"compiler how large they are, by __launch_bounds__({threads}) before its name."
        )
    if room["shared memory"] == 0:
        return (
            f"{static + dynamic:,} bytes of shared memory are more than the "
            f"{limits.shared_bytes_per_block:,} that a block may have."
        )
    return None
