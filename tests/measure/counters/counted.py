"""Launches each kernel of counters.py once; counters.py runs this under Nsight Compute.

Needs nvcc and PyTorch.
"""

from __future__ import annotations

import ctypes
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "others"))

from counters import CASES, Case
from timing import library, must, pointer

HERE = Path(__file__).resolve().parent


def build(case: Case, folder: Path) -> ctypes.CDLL:
    words: list[str | Path] = ["-include", case.header, f"-I{case.header.parent}"]
    words += [f"-DFUNCTION={case.function}", HERE / "counted.cu", case.source]
    return library(folder, f"{case.source.stem}-{case.function}", *words)


def arguments(case: Case) -> list[torch.Tensor | float | int]:
    """The arguments of the function: arrays of random numbers, of the case's size."""
    n = case.size
    if case.function == "diff":
        row = torch.randint(-(2**31), 2**31 - 1, (n,), device="cuda", dtype=torch.int32)
        return [row, torch.empty_like(row), n]
    if case.function == "nearest_neighbor":
        return [_random(n, 3), torch.empty(n, device="cuda", dtype=torch.int32), n]
    if case.function == "nbody_step":
        return [*(_random(n, 4) for _ in range(4)), 0.001, 0.01, n]
    results = 3 if case.function == "gradient" else 1
    return [*(_random(n, n, n) for _ in range(1 + results)), n, n, n, 1.0]


def _random(*shape: int) -> torch.Tensor:
    return torch.rand(*shape, device="cuda")


def launch(case: Case, lib: ctypes.CDLL) -> None:
    tensors = arguments(case)
    words = [_word(one) for one in tensors]
    prototype = ctypes.CFUNCTYPE(None, *(type(word) for word in words))
    address = ctypes.c_void_p.in_dll(lib, "function").value
    assert address is not None
    torch.cuda.synchronize()
    prototype(address)(*words)
    must(lib.finish())


def _word(one: torch.Tensor | float | int) -> ctypes.c_void_p | ctypes.c_float | ctypes.c_int:
    if isinstance(one, torch.Tensor):
        return pointer(one)
    return ctypes.c_float(one) if isinstance(one, float) else ctypes.c_int(one)


def main() -> None:
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor() as pool:
        libraries = list(pool.map(lambda case: build(case, Path(name)), CASES))
        for case, lib in zip(CASES, libraries, strict=True):
            launch(case, lib)


main()
