"""The kernels of SGEMM_CUDA in a host program of ours, because their own one needs cuBLAS."""

from __future__ import annotations

from pathlib import Path

from programs import Program

COLLECTION = "SGEMM_CUDA"
NAME = "its kernels in sgemm.cu"


def is_in(root: Path) -> bool:
    return root.name == COLLECTION


def program(root: Path) -> Program:
    """Includes the headers of the clone as they are."""
    return Program(COLLECTION, NAME, (Path(__file__).with_name("sgemm.cu"),), (root / "src",))
