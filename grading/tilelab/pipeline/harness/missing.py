"""What this machine lacks to say how long machine code would take on a GPU."""

from __future__ import annotations

from tilelab.backends import nvidia

NVDISASM = (
    "install the CUDA Toolkit, or put on the PATH the nvdisasm of the Python package "
    "nvidia-cuda-nvdisasm"
)


def for_machine_code() -> str | None:
    """What this machine needs to compile for a GPU, None if nothing is missing."""
    return None if nvidia.nvcc() else "nvcc: `./tilelab doctor` says how to get it"


def for_estimates() -> str | None:
    """What this machine needs to estimate a time, None if nothing is missing."""
    if lacking := for_machine_code():
        return lacking
    return None if nvidia.nvdisasm() else f"nvdisasm: {NVDISASM}"
