"""Times of what runs on the GPU."""

from __future__ import annotations

import ctypes
import statistics
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

HERE = Path(__file__).resolve().parent
REPO = HERE.parents[2]

ROUNDS = 9
BATCH_MS = 20.0

Launch = Callable[[], object]
Times = dict[str, dict[str, float]]  # {problem: {name: milliseconds}}


@dataclass(frozen=True)
class Places:
    """Where programs are built, and where sources from elsewhere are, if they are."""

    folder: Path
    cuda_samples: Path | None
    finite_difference: Path | None


def time(launches: Sequence[Launch]) -> float:
    """Milliseconds of one launch. Each launch does the same on buffers of its own."""

    def batch(count: int) -> float:
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for i in range(count):
            launches[i % len(launches)]()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / count

    batch(2)
    count = max(1, int(BATCH_MS / batch(2)))
    batch(count)
    return statistics.median(batch(count) for _ in range(ROUNDS))


def library(folder: Path, name: str, *words: str | Path) -> ctypes.CDLL:
    """Compiles a shared library with nvcc."""
    major, minor = torch.cuda.get_device_capability()
    path = folder / f"{name}.so"
    command = ["nvcc", "-shared", "-Xcompiler", "-fPIC", "-std=c++20", "-O3", "-w"]
    command += [f"-arch=sm_{major}{minor}", *map(str, words), "-o", str(path)]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(path))


def pointer(tensor: torch.Tensor) -> ctypes.c_void_p:
    return ctypes.c_void_p(tensor.data_ptr())


def must(status: int) -> None:
    if status != 0:
        raise RuntimeError(f"CUDA error {status}")


def copy_of(bytes_moved: int) -> float:
    """Times the GPU's own copy, which reads half of the bytes and writes the other half."""
    pairs = [
        [torch.empty(bytes_moved // 2, dtype=torch.uint8, device="cuda") for _ in range(2)]
        for _ in range(2)
    ]
    return time([lambda a=a, b=b: b.copy_(a) for a, b in pairs])
